"""The gates: each one alone keeps an answer out."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from tests.fakes.chat import ScriptedChat
from tests.fakes.judges import WordDetector
from tests.fakes.source import FakeSource
from tests.graph.world import World
from veridic.context import Context
from veridic.nodes.write_back import UNLEARNED, _closed
from veridic.protocols import Run
from veridic.shapes import Result, WriteBack
from veridic.sources.passages import Page

QUESTION = "When was the Alder Bridge opened, and how long is it?"
ANSWER = "Opened in 1932, the Alder Bridge is 412 metres long altogether."


def written(path: Path, *, context: dict[str, Any] | None = None, **settings: object) -> WriteBack:
    world = World(
        path / "kb.sqlite",
        chat=ScriptedChat(always=ANSWER, follows_instructions=True),
        settings={"max_generated": 1.0, **settings},
    )
    verdict = world.ask(QUESTION, **(context or {}))["write_back"]
    assert verdict is not None
    return verdict


def test_an_accepted_novel_answer_is_stored_on_probation_and_not_found_yet(tmp_path: Path) -> None:
    verdict = written(tmp_path)
    assert verdict["written"], verdict
    assert verdict["reason"] == "Stored as probation."
    assert verdict["attribution"] == 1.0
    corpus = World(tmp_path / "kb.sqlite", texts={}).knowledge().corpus
    assert corpus.text_of(verdict["record_id"]) == f"1932\n\n{ANSWER}"
    assert corpus.status().generated_chunks == 0
    found = corpus.search([ANSWER], limit=9, deadline=float("inf"))[0]
    assert {passage["kind"] for passage in found} == {"human"}


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"min_grounding": 1.0}, "Grounding"),
        ({"min_novelty": 1.0}, "Novelty"),
        ({"max_generated": 0.0}, "Generated share"),
        ({"write_back": "off"}, "Write-back is off."),
    ],
)
def test_each_gate_alone_keeps_an_answer_out(tmp_path: Path, settings: dict[str, object], reason: str) -> None:
    verdict = written(tmp_path, **settings)
    assert not verdict["written"]
    assert verdict["reason"].startswith(reason)


def test_what_the_documents_say_word_for_word_is_not_learned_again(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite", settings={"max_generated": 1.0, "min_novelty": 0.0})
    verdict = world.ask("When was the Alder Bridge opened?")["write_back"]
    assert verdict is not None
    assert verdict["reason"] == "The documents say it in these words already."


def test_a_run_may_decline_to_teach(tmp_path: Path) -> None:
    assert not written(tmp_path, context={"write_back": False})["written"]


def test_an_answer_from_the_open_web_does_not_pass_for_human_grounding(tmp_path: Path) -> None:
    page = Page(
        document_id="web:1",
        title="Alder Bridge",
        url="https://example.org/alder",
        text="The Alder Bridge was opened in 1932. It is 412 metres long.",
    )
    world = World(
        tmp_path / "kb.sqlite",
        texts={},
        chat=ScriptedChat(always=ANSWER, follows_instructions=True),
        sources={"web": FakeSource("web", [page])},
        settings={"max_generated": 1.0},
    )
    result = world.ask(QUESTION)
    assert result["outcome"] == "corrected"
    assert result["write_back"] is not None
    assert result["write_back"]["grounding"] == 0.0
    assert not result["write_back"]["written"]


class Doubtful(WordDetector):
    """Finds everything a little likely to be an order."""

    fingerprint = "doubtful"

    def orders(self, texts: Sequence[str], *, deadline: float) -> list[float]:
        return [max(one, UNLEARNED) for one in super().orders(texts, deadline=deadline)]


def test_what_may_give_orders_is_told_and_not_learned(tmp_path: Path) -> None:
    chat = ScriptedChat(always=ANSWER, follows_instructions=True)
    world = World(tmp_path / "kb.sqlite", chat=chat, settings={"max_generated": 1.0}, detector=Doubtful())
    result = world.ask(QUESTION)
    assert result["outcome"] == "accepted"
    assert result["write_back"]
    assert result["write_back"]["reason"] == "It may give orders to the machine that reads it."
    assert not result["write_back"]["written"]


def test_code_is_not_learned(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite")
    answer = "```\nls -l\n```"
    sentence = {"text": answer, "citations": [{"quote": "ls -l", "kind": "human"}]}
    result = {"outcome": "accepted", "sentences": [sentence], "conflicts": []}
    reason = _closed(cast("Result", result), Run(Context(), world.resources(), lambda _event: None))
    assert reason == "Part of it is code or a table, which no judge reads."
