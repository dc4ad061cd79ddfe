"""The scripted writers say the truth where they are shown it, and err where they are to."""

from __future__ import annotations

import pytest

from veridic_lab.benchmarks import capable
from veridic_lab.benchmarks.capable import KNOWN, Capable, near_answers, score_of, sentence
from veridic_lab.benchmarks.repeats import MISREAD, Again, Drafts
from veridic_lab.drafts.hands import Asked, Document, Draft
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.training.pairs import fraction_of

TEXT = "The Alder Bridge was opened in 1932 by Clara Voss. It crosses the Tarn near Northgate, 412 metres long."
SHOWN = f"<passages>\n[1] {TEXT}\n</passages>\n\n<question>who?</question>"
OTHER = "<passages>\n[1] Nothing of the kind.\n</passages>\n\n<question>who?</question>"


def question(lot: float, answer: str = "Clara Voss") -> GoldQuestion:
    """One whose lot is near the given one."""
    name = next(f"q{at}" for at in range(10_000) if abs(fraction_of(f"capable:q{at}") - lot) < 0.02)
    return GoldQuestion(name, "own", "Who opened the Alder Bridge?", (answer,), ("alder",), "short", "", "g")


def writer(lot: float, misread: float = 0.0) -> Capable:
    one = question(lot)
    return Capable(near_answers([one], {"alder": TEXT}), misread, one)


@pytest.mark.parametrize(
    ("lot", "prompt", "right"),
    [(0.95, SHOWN, True), (0.95, OTHER, False), (0.1, OTHER, True), (0.95, "<question>who?</question>", False)],
)
def test_the_writer_says_what_it_is_shown_and_else_what_it_knows(lot: float, prompt: str, right: bool) -> None:
    says = writer(lot)
    assert (says.says(prompt) == sentence(says.now, "Clara Voss")) == right
    assert KNOWN < 0.95


def test_it_misreads_by_lot_whatever_it_is_shown() -> None:
    says = writer(0.1, misread=0.2)
    assert "Clara Voss" not in says.says(SHOWN)


def test_it_writes_no_queries_no_claims_and_one_sentence() -> None:
    says = writer(0.1)
    assert says.says("Already tried:\nx") == says.says("<sentences>\n[1] x\n</sentences>") == ""
    assert says.says("<passage>x</passage> <question>who?</question> <answer>It is so.</answer>") == "END"


@pytest.mark.parametrize(("answer", "kinds"), [("Clara Voss", {"Northgate", "Tarn"}), ("1932", {"412"})])
def test_a_near_answer_is_a_name_of_the_text_or_a_number_and_never_right(answer: str, kinds: set[str]) -> None:
    one = question(0.5, answer)
    near = near_answers([one], {"alder": TEXT})[one.id]
    assert any(kind in near for kind in kinds)
    assert near != answer
    assert near not in one.text


def test_what_stands_before_the_answer_is_no_part_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    one, seen = question(0.5, "the Alder Bridge"), list[str]()
    monkeypatch.setattr(capable, "scored", lambda row: seen.append(row["result"]["answer"]))
    score_of({"result": {"answer": sentence(one, "Northgate")}}, one)
    assert seen == ["Northgate."]


def drafts(lot: float) -> Drafts:
    """A writer that is asked a question whose lot is near the given one."""
    name = next(f"q{at}" for at in range(10_000) if abs(fraction_of(f"drafts:q{at}") - lot) < 0.02)
    told = (Draft(name, "Clara Voss did.", "", None), Draft(name, "Ada Lund did.", "name", (0, 8)))
    asked = Asked(name, "name", "by Clara Voss", "Clara Voss", told)
    says = Drafts()
    says.asks(Again(name, f"{name}?", Document("A-1", "Bridges", (TEXT,), (asked,), ()), asked))
    return says


@pytest.mark.parametrize(("lot", "prompt", "said"), [(0.9, SHOWN, "Clara"), (0.9, OTHER, "Ada"), (0.1, SHOWN, "Ada")])
def test_a_writer_of_drafts_errs_where_it_is_not_shown_the_place_and_by_lot(lot: float, prompt: str, said: str) -> None:
    assert MISREAD < 0.9
    assert drafts(lot).says(prompt).startswith(said)


def test_a_writer_of_drafts_heeds_a_lesson_that_names_its_wrong_words() -> None:
    says = drafts(0.1)
    lesson = "A similar question was unverified earlier. Not in the text were: “Ada Lund”.\n"
    assert says.says(lesson + SHOWN).startswith("Clara")
    assert says.told
