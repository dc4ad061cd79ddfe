from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.fakes.embedder import HashingEmbedder
from veridic_lab.training.cases import question_cases
from veridic_lab.training.reading.mixture import build
from veridic_lab.training.reading.rows import Reading
from veridic_lab.training.wording import seeded
from veridic_lab.training.written.documents import Asked, Written, documents_in, written_documents
from veridic_lab.training.written.found import Found, answering, found_for
from veridic_lab.training.written.readings import written_readings
from veridic_lab.training.written.whole import held_out_readings, whole_readings

LIBRARY = """=== DOC larch-library
# Larch Library

## Opening

The desk opens at nine. On Sundays nobody is there. The reading room may be used until midnight with a card.

## Loans

| Thing | Days | Fine |
|---|---|---|
| Book | 21 days | 10p |
| Film | 7 days | £1 |

Reserve a place by telephone. Anna Berg looks after the maps, because nobody else can read them.
=== ASK
S when can I come to the desk
= nine // at nine
S how long may I keep a DVD
= 7 days
< Film | 7 days
Y can I stay until late at night
< used until midnight
N is there somebody at the weekend
< On Sundays nobody
U may I eat in the reading room
W why does Anna have the maps
< because nobody else
0 who looks after the films
"""
SHOP = """=== DOC shop
# The Old Shop

The shop sells maps, cards and films. It is open until six, and the owner is Otto Lund.
=== ASK
S who has the shop
= Otto Lund
"""


@pytest.fixture(scope="module")
def found() -> list[Found]:
    return list(found_for([*documents_in("one", LIBRARY), *documents_in("two", SHOP)], HashingEmbedder()))


@pytest.fixture(scope="module")
def readings(found: list[Found]) -> list[Reading]:
    return written_readings(found, seeded(1))


def of(readings: list[Reading], words: str) -> list[Reading]:
    return [row for row in readings if words in row.question]


def test_a_file_tells_what_is_asked_of_each_document() -> None:
    [library] = documents_in("one", LIBRARY)
    assert library.key == "one:larch-library"
    assert library.text.startswith("# Larch Library")
    assert library.text.endswith("can read them.")
    assert [one.kind for one in library.asked] == ["span", "span", "yes", "no", "undecided", "composed", "none"]
    assert library.asked[0].answers == ("nine", "at nine")
    assert library.asked[0].place == "The desk opens at nine."
    assert library.asked[1].place == "| Film | 7 days | £1 |"
    assert library.asked[4].place == ""


@pytest.mark.parametrize("line", ["X what is this", "S who\n> words", "S where\n< words that stand nowhere"])
def test_what_says_nothing_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"say|found"):
        list(documents_in("one", f"=== DOC a\nThe text of it.\n=== ASK\n{line}\n"))


def test_each_document_that_ships_answers_what_it_is_said_to() -> None:
    documents = written_documents()
    assert len(documents) > 300
    assert len({one.key for one in documents}) == len(documents)
    for document in documents:
        for asked in document.asked:
            assert bool(asked.place) == (asked.kind not in ("undecided", "none")), asked
            assert bool(asked.answers) == (asked.kind == "span"), asked
            assert all(answer in document.text for answer in asked.answers), asked


def test_every_kind_is_asked_often() -> None:
    counted = Counter(asked.kind for document in written_documents() for asked in document.asked)
    assert min(counted.values()) > 500


def test_a_row_answers_where_it_is_called_and_its_value_told(found: list[Found]) -> None:
    film = next(one for one in found if "DVD" in one.asked.question)
    told = [whole.text[start:end] for whole, _ in film.passages for start, end in whole.answering]
    assert len(told) == 1
    assert "Film" in told[0]
    assert "7 days" in told[0]


def test_no_other_document_answers() -> None:
    [library] = documents_in("one", LIBRARY)
    copy = Written("two:copy", library.text, ())
    for one in found_for([library, copy], HashingEmbedder()):
        assert not any(whole.answering for whole, _ in one.passages if "copy" in whole.passage["url"])


def test_nothing_answers_where_no_place_does() -> None:
    assert answering("The desk opens at nine.", None) == ()


def test_a_span_is_read_where_it_answers_and_nothing_elsewhere(readings: list[Reading]) -> None:
    rows = of(readings, "come to the desk")
    assert {row.kind for row in rows} == {"span", "none"}
    for row in rows:
        assert row.answers == (["at nine", "nine"] if row.kind == "span" else []) or row.answers == ["nine", "at nine"]
        assert ("at nine" in row.text) == (row.kind == "span")


def test_decisions_are_left_open_elsewhere(readings: list[Reading]) -> None:
    for words, kind in (("late at night", "yes"), ("weekend", "no")):
        rows = of(readings, words)
        assert {row.kind for row in rows} == {kind, "undecided"}
        assert all(("midnight" in row.text) == (row.kind == kind) for row in rows if words == "late at night")
    assert {row.kind for row in of(readings, "may I eat")} == {"undecided"}


def test_near_misses_are_read_as_nothing_and_sentences_not_at_all(readings: list[Reading]) -> None:
    assert {row.kind for row in of(readings, "films")} == {"none"}
    assert not of(readings, "why does")


def test_documents_are_held_out_whole(readings: list[Reading]) -> None:
    assert {row.key for row in readings} == {"written:one:larch-library", "written:two:shop"}


def test_beside_a_whole_document_each_question_knows_what_answers_it() -> None:
    [library] = documents_in("one", LIBRARY)
    rows = {row.question: row for row in whole_readings(library, "written")}
    assert len(rows) == len(library.asked)
    film, why, miss = (rows[one.question] for one in (library.asked[1], library.asked[5], library.asked[6]))
    assert film.answers == ["7 days"]
    assert [film.text[start:end] for start, end in film.evidence] == ["Film: Days is 7 days."]
    assert (why.kind, why.part) == ("span", "why")
    assert why.places == why.evidence
    assert (miss.kind, miss.evidence) == ("none", ())


def test_what_is_told_otherwise_is_left_out() -> None:
    asked = Asked("How many?", "span", ("12",), "It says that there are twelve of them in all.")
    assert list(whole_readings(Written("one:a", "Nothing of the kind is told.", (asked,)), "written")) == []


def test_thresholds_are_fitted_on_documents_that_nothing_is_learned_from(data: Path) -> None:
    cases = [case for case in question_cases(data, HashingEmbedder(), per_set=20) if case.source == "written"]
    assert {case.answerable for case in cases} == {True, False}
    for case in cases:
        assert case.answerable == bool(case.question.gold)
        assert {chunk.key for chunk in case.chunks} >= set(case.question.gold)
    asked = {row.question for row in held_out_readings()}
    learned = {row.question for row in build(data, HashingEmbedder()).train["written"]}
    assert asked
    assert not asked & learned
    assert not {case.question.text for case in cases} & learned
