"""What a run says that it judged is what its judges were asked."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.chat import ScriptedChat
from tests.fakes.judges import OverlapCritic, OverlapEvaluator, OverlapReader
from tests.graph.world import BRIDGE, World
from veridic.context import Context

QUESTION = "Why was the toll of the Alder Bridge abolished?"
TOLD = "The toll of the Alder Bridge was abolished after a strike of the ferrymen."


class Counting:
    """What all judges of a run were asked."""

    asked = 0

    def count(self, pairs: Sequence[Any]) -> None:
        self.asked += len(pairs)


class CountingEvaluator(OverlapEvaluator):
    counting: Counting
    """Usefulness too is a score of this evaluator."""

    def score(self, pairs: Any, **how: Any) -> Any:
        self.counting.count(pairs)
        return super().score(pairs, **how)


class CountingCritic(OverlapCritic):
    counting: Counting

    def judge(self, pairs: Any, **how: Any) -> Any:
        self.counting.count(pairs)
        return super().judge(pairs, **how)


class CountingReader(OverlapReader):
    counting: Counting

    def read(self, pairs: Any, **how: Any) -> Any:
        self.counting.count(pairs)
        return super().read(pairs, **how)


@pytest.mark.parametrize("title", ["Alder Bridge", QUESTION], ids=["a name", "the question"])
@pytest.mark.parametrize("question", [QUESTION, "When was the Alder Bridge opened?"])
def test_every_pair_that_was_judged_is_counted_once(tmp_path: Path, title: str, question: str) -> None:
    counting = Counting()
    world = World(tmp_path / "kb.sqlite", {title: BRIDGE}, chat=ScriptedChat(always=TOLD, follows_instructions=True))
    world.evaluator, world.critic, world.reader = CountingEvaluator(), CountingCritic(), CountingReader()
    for judge in (world.evaluator, world.critic, world.reader):
        judge.counting = counting
    result = world.graph().invoke({"question": question}, context=Context(max_retries=0, retrieval="always"))["result"]
    assert result["usage"]["judged_pairs"] == counting.asked > 0
