"""What any reader must do, whatever reads behind it."""

from __future__ import annotations

from itertools import pairwise

import pytest

from veridic.errors import DeadlineExceeded
from veridic.ports.judgements import AnswerSigns, Reading
from veridic.ports.judging import Reader
from veridic.text.kinds import ANSWER_KINDS

NEVER = float("inf")
PASSAGE = (
    "Marie Curie > Early life\nMarie Curie was born in Warsaw in 1867. She won the Nobel Prize in Physics in 1903 with "
    "Pierre Curie and Henri Becquerel. She won the Nobel Prize in Chemistry in 1911."
)
BORN = "Where was Marie Curie born?"
FILLER = " ".join(f"The harbour of town number {n} was built of grey stone by local workers." for n in range(60))
LONG = f"Harbours\n{FILLER} Marie Curie was born in Warsaw in 1867. {FILLER}"
SIGNS = AnswerSigns(**dict.fromkeys(AnswerSigns.__dataclass_fields__, 0.5))


def check(reading: Reading, text: str) -> None:
    """What holds of every reading of a text."""
    skip = text.find("\n") + 1
    for span in reading.spans:
        assert skip <= span.start < span.end <= len(text)
        assert text[span.start : span.end].strip()
    margins = [span.margin for span in reading.spans]
    assert margins == sorted(margins, reverse=True)
    places = sorted((span.start, span.end) for span in reading.spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(places))
    assert reading.yes + reading.no + reading.undecided == pytest.approx(1)
    assert all(0 <= one <= 1 for one in (reading.yes, reading.no, reading.undecided))
    start, end = reading.decided_in
    assert 0 <= start <= end <= len(text)


class ReaderConformance:
    """What any reader must do."""

    @pytest.fixture
    def subject(self) -> Reader:
        raise NotImplementedError

    def test_one_reading_a_pair_in_order(self, subject: Reader) -> None:
        pairs = [(BORN, PASSAGE), ("Who won?", "x"), ("Was she born in 1867?", PASSAGE), (BORN, PASSAGE)]
        together = subject.read(pairs, deadline=NEVER)
        assert len(together) == len(pairs)
        assert together[0] == together[3]
        for pair, found in zip(pairs, together, strict=True):
            check(found, pair[1])
            [alone] = subject.read([pair], deadline=NEVER)
            assert [(span.start, span.end) for span in alone.spans] == [(span.start, span.end) for span in found.spans]
            assert (alone.yes, alone.no) == pytest.approx((found.yes, found.no), abs=1e-4)

    def test_no_pairs_no_readings(self, subject: Reader) -> None:
        assert subject.read([], deadline=NEVER) == []

    @pytest.mark.parametrize(
        "text", ["", " ", "\n", "Heading\n", "Heading alone", "\nno heading", "a\n\nb\nc", "…", "é\u0301 ½"]
    )
    def test_texts_with_little_in_them_are_read(self, subject: Reader, text: str) -> None:
        for question in ("", "?", BORN, "Is it?"):
            [found] = subject.read([(question, text)], deadline=NEVER)
            check(found, text)

    def test_a_heading_alone_holds_no_answer(self, subject: Reader) -> None:
        [found] = subject.read([(BORN, "Marie Curie was born in Warsaw\n")], deadline=NEVER)
        assert found.spans == []

    def test_every_part_of_a_long_text_is_read_at_its_own_place(self, subject: Reader) -> None:
        [found] = subject.read([(BORN, LONG)], deadline=NEVER)
        assert found.spans
        check(found, LONG)
        [question] = subject.read([("Was Marie Curie born in Warsaw?", LONG)], deadline=NEVER)
        check(question, LONG)

    def test_a_long_question_is_read(self, subject: Reader) -> None:
        [found] = subject.read([(f"{FILLER} {BORN}", PASSAGE)], deadline=NEVER)
        check(found, PASSAGE)

    def test_a_deadline_in_the_past_is_kept(self, subject: Reader) -> None:
        with pytest.raises(DeadlineExceeded):
            subject.read([("Where is the deadline?", "It is in the past.")], deadline=1.0)

    def test_it_names_its_weights_and_is_surer_where_more_is_needed(self, subject: Reader) -> None:
        assert subject.fingerprint
        for kind in ANSWER_KINDS:
            assert 0 <= subject.confidence(kind, SIGNS) <= 1
            assert subject.needed(kind, "loose") <= subject.needed(kind, "normal") <= subject.needed(kind, "strict")
