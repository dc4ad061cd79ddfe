"""What is open is open once a process: weights, self-tests and chat models, for all graphs and all resources."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import onnxruntime
import pytest

from veridic import build_graph
from veridic.errors import WeightsUnavailable
from veridic.models.cross_encoder import OnnxJudge
from veridic.models.embedder import OnnxEmbedder
from veridic.models.opened import CHATS, ENCODERS, Opened
from veridic.resources import open_resources
from veridic.settings import Settings

EXAMPLES = Path(__file__).parent.parent.parent / "examples"


@pytest.fixture
def sessions(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The sessions that are opened from here on, by a process that has none."""
    found: list[object] = []
    real = onnxruntime.InferenceSession

    def counted(*given: object, **named: object) -> object:
        found.append(real(*given, **named))
        return found[-1]

    monkeypatch.setattr(onnxruntime, "InferenceSession", counted)
    ENCODERS.clear()
    return found


def settings(tmp_path: Path, **given: object) -> Settings:
    return Settings.load(kb=str(tmp_path / "kb.sqlite"), docs=str(EXAMPLES), model="extractive", **given)


def test_two_graphs_of_one_process_load_no_weights_twice(tmp_path: Path, sessions: list[object]) -> None:
    for threads in (1, 2):
        graph = build_graph(open_resources(settings(tmp_path, threads=threads)))
        assert graph.invoke({"question": "Who founded the Halden Ridge Observatory?"})["result"]["answer"]
        assert len(sessions) == 4, "embedder, detector, judge and reader"


def test_a_self_test_is_passed_once_a_process(sessions: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    assert OnnxJudge(threads=1).self_test() < 0.02
    monkeypatch.setattr(OnnxJudge, "raw_probabilities", lambda *_: pytest.fail("tested again"))
    assert OnnxJudge(threads=1).self_test() < 0.02


def test_threads_that_come_at_once_open_one(sessions: list[object]) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: OnnxEmbedder(threads=1).embed(["A cat."]), range(4)))
    assert len(sessions) == 1


def test_a_chat_model_is_one_for_all_who_name_it_alike(tmp_path: Path) -> None:
    CHATS.clear()
    given = {"kb": str(tmp_path / "kb.sqlite"), "base_url": "http://127.0.0.1:9/v1", "api_key": "k"}
    first, again, other = (
        open_resources(Settings.load(model=model, **given)).chat for model in ("openai:a", "openai:a", "openai:b")
    )
    assert first is again is not None
    assert other is not first
    assert open_resources(Settings.load(model="openai:a", **{**given, "api_key": "another"})).chat is not first
    CHATS.clear()
    assert open_resources(Settings.load(model="openai:a", **given)).chat is not first


def test_what_cannot_be_opened_is_tried_again_and_another_key_is_another_thing() -> None:
    opened, numbers = Opened(), count()

    def fails_at_first() -> int:
        if (number := next(numbers)) == 0:
            raise WeightsUnavailable("Gone.", "Wait.")
        return number

    with pytest.raises(WeightsUnavailable):
        opened.once("a", fails_at_first)
    assert [opened.once(key, fails_at_first) for key in ("a", "a", "b")] == [1, 1, 2]
    opened.clear()
    assert opened.once("a", fails_at_first) == 3
