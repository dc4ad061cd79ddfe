"""Thinking never becomes visible, however the text is cut."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.models.chat.thinking import ThinkingFilter, strip_thinking

PARTS = [
    "<think>",
    "</think>",
    "<thinking>",
    "</THINKING>",
    "<",
    "</",
    "<thi",
    "think>",
    " ",
    "\n",
    "It is 5 < 6.",
    "é",
]
TEXTS = st.lists(st.sampled_from(PARTS), max_size=12).map("".join)


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        ("", ""),
        ("Plain. ", "Plain."),
        ("<think>Hm.</think>\n\nYes.", "Yes."),
        ("<THINK>Hm.</Think>Yes.", "Yes."),
        ("<thinking>Hm.</thinking>Yes.", "Yes."),
        ("Yes. <think>Or no?</think> Yes.", "Yes.  Yes."),
        ("Yes. <think>Or no", "Yes."),
        ("<think>Or no", ""),
        ("The template opened it.</think>Yes.", "Yes."),
        ("<think>a<think>b</think>Yes.", "Yes."),
        ("5 <thousand", "5 <thousand"),
        ("a <thi", "a <thi"),
        ("<b>bold</b>", "<b>bold</b>"),
    ],
)
def test_what_is_left(text: str, visible: str) -> None:
    assert strip_thinking(text) == visible


@given(TEXTS, st.data())
def test_any_cutting_shows_the_same(text: str, data: st.DataObject) -> None:
    thinking, rest, shown = ThinkingFilter(), text, ""
    while rest:
        size = data.draw(st.integers(1, len(rest)))
        shown += thinking.feed(rest[:size])
        rest = rest[size:]
    shown += thinking.close()
    assert thinking.text == strip_thinking(text) == thinking.text.strip()
    assert shown.endswith(thinking.text)


@given(TEXTS.filter(lambda text: "</" not in text))
def test_what_is_shown_is_the_text(text: str) -> None:
    thinking = ThinkingFilter()
    assert "".join(map(thinking.feed, text)) + thinking.close() == thinking.text
