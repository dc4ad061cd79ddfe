"""Follow-ups made whole from the conversation before them."""

import pytest

from veridic.models.embedder import OnnxEmbedder
from veridic.support.nearness import nearness
from veridic.text.followups import Turn, leans_on_earlier, made_whole

NEAR = nearness(OnnxEmbedder(threads=1))
OPENED = Turn("When was the Alder Bridge opened?", "1932")
BY_WHOM = Turn("And by whom?", "Clara Voss")


@pytest.mark.parametrize(
    ("question", "turns", "whole"),
    [
        ("And by whom?", [OPENED], "By whom was the Alder Bridge opened?"),
        ("By whom?", [OPENED], "By whom was the Alder Bridge opened?"),
        ("And when?", [Turn("Where was Tesla born?", "Smiljan")], "When was Tesla born?"),
        (
            "In which year was that?",
            [Turn("Who opened the Alder Bridge?", "Clara Voss")],
            "In which year was it that Clara Voss opened the Alder Bridge?",
        ),
        ("And where?", [OPENED, BY_WHOM], "Where was the Alder Bridge opened?"),
        ("When did she die?", [OPENED, BY_WHOM], "When did Clara Voss die?"),
        ("Where was her mother born?", [OPENED, BY_WHOM], "Where was Clara Voss's mother born?"),
        ("How long is it?", [OPENED], "How long is the Alder Bridge?"),
        ("What about the Marsh Library?", [OPENED], "When was the Marsh Library opened?"),
        ("And by whom?", [OPENED, Turn("thanks a lot", "You are welcome!")], "By whom was the Alder Bridge opened?"),
        ("And by whom?", [], "And by whom?"),
        ("Are you sure?", [OPENED], OPENED.asked),
        ("Really?", [OPENED, BY_WHOM], "By whom was the Alder Bridge opened?"),
        ("How do you know that?", [OPENED, Turn("Are you sure?", "1932")], OPENED.asked),
        ("Can you check that again, please?", [OPENED], OPENED.asked),
        ("Are you sure?", [], "Are you sure?"),
        ("What about tea?", [Turn("hello", "Hello!")], "What about tea?"),
    ],
)
def test_a_follow_up_is_made_whole(question: str, turns: list[Turn], whole: str) -> None:
    assert leans_on_earlier(question)
    assert made_whole(question, turns, NEAR) == whole


@pytest.mark.parametrize(
    "question",
    [
        "When was the Alder Bridge opened?",
        "Who opened it in Oslo?",
        "Why did Rome fall?",
        "Is sure footing needed?",
        "Opening hours?",
    ],
)
def test_a_whole_question_does_not_lean(question: str) -> None:
    assert not leans_on_earlier(question)
