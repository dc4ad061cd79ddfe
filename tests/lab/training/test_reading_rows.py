"""Labelled readings, and what is made of them."""

from __future__ import annotations

import gzip
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.errors import UsageError
from veridic_lab.training.pairs import held_out
from veridic_lab.training.reading.rows import Reading, read_readings, split
from veridic_lab.training.reading.taken import cut_out, elsewhere, focused, holds_answer, left_open

TEXT = (
    "The Alder Bridge was opened in 1932 by mayor Clara Voss. It is 412 metres long, the first of its kind. "
    "Many people may visit the old lighthouse beside it every year. The toll was abolished in 1967 after a strike."
)
SENTENCES = [one.strip() + "." for one in TEXT.split(".") if one.strip()]


def row(
    question: str = "When was the Alder Bridge opened?", answer: str = "1932", text: str = TEXT, **given: object
) -> Reading:
    """A span row whose places are all those of the answer."""
    places = tuple((match.start(), match.end()) for match in re.finditer(re.escape(answer), text))
    return replace(Reading(question, "Alder Bridge", text, places, "span", "s", "k"), **given)  # type: ignore[arg-type]


ROWS = st.builds(
    row,
    st.sampled_from(
        [
            "When was the Alder Bridge opened?",
            "Who opened the Alder Bridge?",
            "Who opened the alder bridge in 1932?",
            "What was the first bridge that Clara Voss opened?",
            "Which mayor was supported by Clara Voss?",
            "How long is the first bridge of Voss?",
        ]
    ),
    st.sampled_from(["1932", "Voss", "mayor Clara Voss", "the", "412 metres", "1967"]),
)


class TestRows:
    def read(self, tmp_path: Path, *rows: object) -> list[Reading]:
        path = tmp_path / "own.reader.jsonl.gz"
        with gzip.open(path, "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(one) + "\n" for one in rows)
        return read_readings(path)

    def test_a_row_is_read_with_its_places(self, tmp_path: Path) -> None:
        answers = [{"text": "1932", "start": TEXT.index("1932")}]
        told = {"question": "When?", "context": TEXT, "kind": "span", "answers": answers, "title": "Bridge"}
        unknown = {"question": "Is it red?", "context": TEXT, "kind": "unknown", "group": "g", "source": "elsewhere"}
        none = {"question": "Who?", "context": TEXT, "kind": "none", "answers": answers}
        span, undecided, nothing = self.read(tmp_path, told, unknown, none)
        assert (span.answers, span.title, span.source, span.key) == (["1932"], "Bridge", "own", "when")
        assert (undecided.kind, undecided.places, undecided.key) == ("undecided", (), "elsewhere:g")
        assert (nothing.kind, nothing.places) == ("none", ())

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"question": None}, "no 'question'"),
            ({"context": None}, "no 'context'"),
            ({"kind": None}, "no 'kind'"),
            ({"kind": "maybe"}, "'maybe' is no kind"),
            ({"answers": [{"text": "1932", "start": 3}]}, "does not stand where"),
            ({"answers": [{"text": "1932", "start": -4}]}, "does not stand where"),
            ({"answers": [{"text": "", "start": 3}]}, "does not stand where"),
            ({"answers": [{"text": "1932"}]}, "no text or no start"),
            ({"answers": [{"start": 3}]}, "no text or no start"),
            ({"answers": ["1932"]}, "no text or no start"),
            ({"answers": [{"text": "1932", "start": "x"}]}, "no text or no start"),
            ({"answers": []}, "no answers"),
            ({"answers": None}, "no answers"),
        ],
    )
    def test_a_bad_row_is_refused_and_its_file_named(
        self, tmp_path: Path, change: dict[str, object], message: str
    ) -> None:
        good = {"question": "When?", "context": TEXT, "kind": "span", "answers": [{"text": "The", "start": 0}]}
        bad = {name: value for name, value in {**good, **change}.items() if value is not None}
        with pytest.raises(UsageError, match=message) as refused:
            self.read(tmp_path, good, bad)
        assert "own.reader.jsonl.gz" in refused.value.problem

    def test_rows_of_one_key_are_on_one_side(self) -> None:
        rows = [row(key=f"{number % 50}") for number in range(200)]
        train, test = split({"s": rows})
        assert len(train["s"]) + len(test["s"]) == 200
        assert {one.key for one in test["s"]} == {one.key for one in rows if held_out(one.key)}
        assert not {one.key for one in train["s"]} & {one.key for one in test["s"]}


class TestTaken:
    @given(ROWS)
    def test_no_answer_is_left_where_it_was_cut(self, given_row: Reading) -> None:
        if found := cut_out(given_row):
            assert (found.kind, found.places) == ("none", ())
            assert not holds_answer(found.text, given_row.answers)
            assert len(found.text.split()) >= 8

    def test_what_decides_goes_and_the_question_is_left_open(self) -> None:
        asked = Reading("Is the Alder Bridge 412 metres long?", "", TEXT, (), "yes", "s", "k")
        found = left_open(asked)
        assert found is not None
        assert found.kind == "undecided"
        assert "412" not in found.text
        assert "lighthouse" in found.text
        assert left_open(replace(asked, text=SENTENCES[1])) is None
        assert left_open(replace(asked, kind="undecided")) is None

    def test_the_sentence_with_the_answer_goes_and_the_others_stay(self) -> None:
        found = cut_out(row(answer="1967"))
        assert found is not None
        assert found.text == " ".join(SENTENCES[:3])

    def test_nothing_is_made_where_little_is_left(self) -> None:
        assert cut_out(row(text="It was opened in 1932.")) is None

    def test_beside_another_text_there_is_no_answer_and_nothing_is_decided(self) -> None:
        other = elsewhere(row(), "Library", "The Marsh Library holds 90,000 books.")
        assert other is not None
        assert (other.kind, other.places, other.title) == ("none", (), "Library")
        assert elsewhere(row(), "Library", "It was founded in 1932.") is None
        assert elsewhere(row(), "Founded in 1932", "It holds books.") is None
        polar = elsewhere(row(kind="yes", places=()), "Library", "It was founded in 1932.")
        assert polar is not None
        assert polar.kind == "undecided"

    @given(ROWS, st.integers(5, 60))
    def test_a_shorter_text_keeps_its_answers_in_place(self, given_row: Reading, words: int) -> None:
        found = focused(given_row, words)
        assert found.kind == "span"
        assert found.text in given_row.text
        assert found.places
        assert set(found.answers) <= set(given_row.answers)
        assert found.question == given_row.question

    def test_of_a_long_text_the_piece_around_the_answer_is_left(self) -> None:
        filler = " ".join(f"Nothing of note happened in week {number}." for number in range(60))
        told = row(text=f"{filler} {TEXT} {filler}")
        found = focused(told)
        assert found.answers == ["1932"]
        assert len(found.text.split()) <= 110
        none = focused(replace(told, kind="none", places=()))
        assert none.text.startswith("Nothing of note happened in week 0.")
        assert focused(row()) == row()
