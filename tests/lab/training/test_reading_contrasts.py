"""Texts that give several things a value, and questions after each."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic_lab.training.reading.contrasts import VALUES, Frame, among, framed, frames
from veridic_lab.training.reading.rows import Reading
from veridic_lab.training.wording import Rng, seeded

RNGS = st.integers(0, 10_000).map(seeded)
TEXT = "It is well known. The Alder Bridge was opened in 1932. Many people use it."
OPENED = Reading("When was the Alder Bridge opened?", "", TEXT, ((49, 53),), "span", "s", "k")


@pytest.mark.parametrize("frame", frames(), ids=lambda frame: frame.texts[0][:40])
def test_every_frame_has_things_values_texts_and_questions(frame: Frame) -> None:
    names = [name for names in frame.things for name in names]
    assert len(set(names)) == len(names) >= len(frame.things) >= 4
    assert frame.values in VALUES or frame.values.count("|") >= 2
    assert frame.questions
    assert all(re.findall(r"\{(.*?)\}", one) == ["a"] for one in frame.questions)
    assert all(re.findall(r"\{(.*?)\}", one) in (["a"], []) for one in frame.misses)
    for text in frame.texts:
        slots = [slot.lower() for slot in re.findall(r"\{(.*?)\}", text)]
        assert {*slots} in ({*"abxy"}, {*"abcxyz"})
        assert all(slots.count(value) <= 1 for value in "xyz")


@given(RNGS)
def test_the_value_of_the_thing_that_is_asked_after_is_the_answer(rng: Rng) -> None:
    for row in framed(rng, each=1):
        frame = frames()[int(row.key.rpartition(":")[2])]
        missed = any(_asks(row.question, question, frame) for question in frame.misses)
        assert missed != any(_asks(row.question, question, frame) for question in frame.questions)
        assert (row.kind == "span") == bool(row.places)
        assert not (missed and row.places)
        assert all(answer and answer == answer.strip() for answer in row.answers)


def test_of_two_things_each_has_its_own_value() -> None:
    rows = [row for row in framed(seeded(3), each=4) if row.text.startswith("We keep ") and row.places]
    assert len(rows) >= 2
    for row in rows:
        kept = re.fullmatch(r"We keep (.+) for (.+) and (.+) for (.+)\.", row.text)
        assert kept is not None
        values = {kept[1]: kept[2], kept[3]: kept[4]}
        [thing] = [thing for thing in values if thing in row.question]
        assert row.answers == [values[thing]]


def test_what_a_text_says_nothing_of_has_no_answer_there() -> None:
    open_rows = [row for row in framed(seeded(3), each=4) if row.kind == "none"]
    assert open_rows
    for row in open_rows:
        frame = frames()[int(row.key.rpartition(":")[2])]
        if not any(_asks(row.question, question, frame) for question in frame.questions):
            continue
        [(thing, *_)] = [names for names in frame.things if _asks(row.question, None, frame, names)][:1]
        others = [names[0] for names in frame.things if names[0] != thing]
        assert thing.lower() not in row.text.lower() or any(thing in other for other in others)


@pytest.mark.parametrize("kind", VALUES)
@given(rng=RNGS)
def test_values_of_a_text_differ(kind: str, rng: Rng) -> None:
    assert len(set(Frame((), kind, (), ()).drawn(rng, 3))) == 3


@given(RNGS)
def test_a_row_among_other_sentences_keeps_its_answer(rng: Rng) -> None:
    other = replace(OPENED, text="The toll was abolished in 1967. It was unpopular.", places=((26, 30),))
    found = among(OPENED, [other], rng)
    assert found.answers == ["1932"]
    assert TEXT in found.text


def _asks(asked: str, question: str | None, frame: Frame, thing: tuple[str, ...] = ()) -> bool:
    """Whether a question is one of the frame's, after a thing of it by one of its names."""
    questions = [question] if question else frame.questions
    names = thing or [name for names in frame.things for name in names]
    return any(asked == one.replace("{a}", each) for one in questions for each in names)
