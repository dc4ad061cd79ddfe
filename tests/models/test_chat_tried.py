"""A model of the user's own is tried once, and what was found is kept by the hash of its file."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langchain_core.language_models.fake_chat_models import FakeListChatModel

from veridic.errors import ModelUnavailable
from veridic.models import weights
from veridic.models.chat import describe_chat, open_chat
from veridic.models.chat.adapter import Backend, Limits
from veridic.models.chat.exercises import EXERCISES, NEEDED
from veridic.models.chat.failures import Origin
from veridic.models.chat.tried import Trials, TriedChat
from veridic.models.weights import SMOLLM2, Progress
from veridic.settings import Settings

RIGHT = (
    "The Marsh Library was restored in 2004 [2].",
    "Clara Voss opened it. [1]",
    "I don’t know.",
    "212",
    "1801.",
    "When was the Alder Bridge opened?",
    "Who restored the Marsh Library in 2004?",
    '```json\n{"facts": ["She was born in 1890.", "She opened a bridge."]}\n```',
    "It is 340 metres long.",
    "Yes",
    "No.",
)
WRONG = (
    "The Marsh Library was restored in 2004 [1][2].",
    "Clara Voss opened it.",
    "It is 340 metres long.",
    "212 steps and 31.",
    "It burnt in 1801.",
    "The Alder Bridge was opened in 1932.",
    "Who restored it in 2004?",
    '["She was born in 1890.", "She opened a bridge."]',
    "BANANA",
    "It was opened in 1932.",
    "Yes.",
)


class Scripted(Backend):
    """A backend that says what it was told to say, in order, and counts the calls."""

    origin = Origin("embedded", "", "", "", "")

    def __init__(self, *replies: str) -> None:
        self.model = FakeListChatModel(responses=list(replies))
        self.calls = 0

    def open(self, progress: Progress) -> FakeListChatModel:
        if not self.model.responses:
            raise ModelUnavailable("Gone.", "Start again.")
        return self.model

    def arguments(self, limits: Limits) -> dict[str, Any]:
        self.calls += 1
        return {}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.gguf"
    path.write_bytes(b"GGUF, and weights")
    return path


@pytest.fixture
def settings(tmp_path: Path, file: Path) -> Settings:
    return Settings.load(cache=tmp_path / "cache", model="embedded", weights=file)


def tried(backend: Scripted, settings: Settings) -> TriedChat:
    assert settings.weights
    return TriedChat(backend, settings.weights, Trials(settings))


@pytest.mark.parametrize(("right", "wrong", "exercise"), list(zip(RIGHT, WRONG, EXERCISES, strict=True)))
def test_an_exercise_knows_a_right_reply_from_a_wrong_one(right: str, wrong: str, exercise: Any) -> None:
    assert exercise.passes(right)
    assert not exercise.passes(wrong)
    assert not exercise.passes("")


@pytest.mark.parametrize("failed", [0, len(EXERCISES) - NEEDED, len(EXERCISES) - NEEDED + 1, len(EXERCISES)])
def test_enough_right_replies_make_it_trusted(failed: int, settings: Settings) -> None:
    chat = tried(Scripted(*WRONG[:failed], *RIGHT[failed:]), settings)
    assert chat.follows_instructions is (len(EXERCISES) - failed >= NEEDED)


def test_preparing_tries_it_and_tells_how_far_it_is(settings: Settings) -> None:
    backend, told = Scripted(*RIGHT), list[tuple[int, int]]()
    tried(backend, settings).prepare(lambda done, total: told.append((done, total)))
    assert told == [(number, len(EXERCISES)) for number in range(len(EXERCISES))]
    assert backend.calls == len(EXERCISES)


def test_the_same_file_is_tried_once_wherever_it_lies(settings: Settings, file: Path, tmp_path: Path) -> None:
    assert tried(Scripted(*RIGHT), settings).follows_instructions
    moved = file.rename(tmp_path / "moved.gguf")
    backend = Scripted(*WRONG)
    assert tried(backend, settings.model_copy(update={"weights": moved})).follows_instructions
    assert backend.calls == 0


def test_another_file_is_tried_again(settings: Settings, file: Path) -> None:
    assert tried(Scripted(*RIGHT), settings).follows_instructions
    file.write_bytes(b"GGUF, and other weights")
    assert not tried(Scripted(*WRONG), settings).follows_instructions


def test_a_hash_is_not_computed_again(settings: Settings, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Trials(settings).digest(file)
    monkeypatch.setattr("veridic.models.chat.tried.digest_of", lambda _: pytest.fail("computed again"))
    assert Trials(settings).digest(file) == first


def test_what_ships_is_known_without_a_trial(settings: Settings, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = replace(SMOLLM2, sha256=weights.digest_of(file))
    monkeypatch.setattr(weights, "REGISTRY", {"embedded": ours})
    backend = Scripted(*RIGHT)
    assert not tried(backend, settings).follows_instructions
    assert backend.calls == 0
    assert "no, known as SmolLM2" in describe_chat(settings)[1]


def test_a_model_that_cannot_be_tried_is_not_trusted_and_nothing_is_kept(settings: Settings) -> None:
    assert not tried(Scripted(), settings).follows_instructions
    assert tried(Scripted(*RIGHT), settings).follows_instructions


@pytest.mark.parametrize("damage", ["", "[]", "{}", '{"passed": "many", "of": 11}'])
def test_a_record_that_cannot_be_read_is_made_again(settings: Settings, damage: str) -> None:
    assert tried(Scripted(*RIGHT), settings).follows_instructions
    for path in (settings.cache / "weights" / "tried").iterdir():
        path.write_text(damage)
    assert not tried(Scripted(*WRONG), settings).follows_instructions


def test_a_cache_that_cannot_be_written_costs_a_trial_each_time(settings: Settings) -> None:
    settings.cache.write_text("a file stands where the folder should be")
    assert tried(Scripted(*RIGHT), settings).follows_instructions
    assert not tried(Scripted(*WRONG), settings).follows_instructions


@pytest.mark.parametrize(("said", "trusted"), [("yes", True), ("no", False)])
@pytest.mark.parametrize("model", ["embedded", "openai:gpt-5", "ollama:smollm2"])
def test_the_settings_have_the_last_word(settings: Settings, model: str, said: str, trusted: bool) -> None:
    chosen = settings.model_copy(update={"model": model, "follows_instructions": said})
    chat = open_chat(chosen)
    assert chat is not None
    assert chat.follows_instructions is trusted


def test_only_weights_of_ones_own_are_tried(settings: Settings) -> None:
    assert isinstance(open_chat(settings), TriedChat)
    shipped = open_chat(settings.model_copy(update={"weights": None}))
    assert shipped is not None
    assert not isinstance(shipped, TriedChat)
    assert not shipped.follows_instructions


def test_doctor_says_what_was_found(settings: Settings) -> None:
    assert "not tried yet" in describe_chat(settings)[1]
    tried(Scripted(*RIGHT), settings).prepare()
    assert describe_chat(settings)[1].endswith(
        f"follows instructions: yes, passed {len(EXERCISES)} of {len(EXERCISES)} exercises"
    )
    told = describe_chat(settings.model_copy(update={"follows_instructions": "no"}))[1]
    assert told.endswith("follows instructions: no, by the settings")
