"""What runs and what people said of them teach."""

from typing import Any

from tests.fakes.knowledge import passage
from veridic.evidence.evidence import cite_at
from veridic.learning.opinions import Opinion
from veridic.ports.shapes import Result
from veridic_lab.training.discussed import Discussed, discussed
from veridic_lab.training.labels import HARD, labelled

ASKED = "When was the Alder Bridge opened?"
CITED = "Clara Voss was elected in 1931. The Alder Bridge was opened in 1932 by Clara Voss. It is long."
DROPPED = "After long delays the bridge over the Alder was opened to traffic in 1955."
STATED = "When was the Alder Bridge opened? {}."


def run(**changes: Any) -> Result:
    """A run that read 1932 in one passage and dropped another."""
    kept = {**passage("a", CITED, title="Bridges"), "score": 0.9}
    dropped = [{**passage("b", DROPPED, title="Roads"), "score": 0.2}, {**passage("c", "Tea."), "score": 0.01}]
    at = CITED.index("1932")
    cited = cite_at(kept, at, "1932")  # type: ignore[arg-type]
    around = "The Alder Bridge was opened in 1932 by Clara Voss."
    sentence = cite_at(kept, CITED.index(around), around)  # type: ignore[arg-type]
    read = {"question": ASKED, "text": "1932", "probability": 0.8, "needed": 0.5, "holds": True, "sentence": sentence}
    told = {"text": "1932", "verdict": "supported", "support": 1.0, "citations": [cited]}
    found: Any = {
        "run_id": "1",
        "question": ASKED,
        "standalone": ASKED,
        "answer": f"1932\n\n{around}",
        "short_answer": "1932",
        "outcome": "accepted",
        "action": "correct",
        "documents": [kept],
        "rejected": dropped,
        "readings": [read],
        "sentences": [told, {**told, "text": around, "citations": [sentence]}],
        "candidates": [],
        "judges": {"thresholds": {"upper": 0.7, "lower": 0.3}},
        **changes,
    }
    return found  # type: ignore[no-any-return]


ABSTAINED = {"outcome": "abstained", "short_answer": "", "answer": "I don't know.", "documents": [], "sentences": []}


def said(verdict: str, correction: str = "", **changes: Any) -> Discussed:
    return Discussed(run(**changes), Opinion("1", "2026-01-01", verdict, correction))  # type: ignore[arg-type]


def brief(runs: list[Discussed]) -> list[tuple[str, str, str, object]]:
    """Kind, texts and label of every row."""
    rows = labelled(runs, reviewed=False)
    return [
        (row["kind"], row.get("query") or row["premise"], row.get("passage") or row["hypothesis"], row["label"])
        for row in rows
    ]


class TestRows:
    def test_praise_teaches_what_is_cited_and_what_it_says(self) -> None:
        assert brief([said("up")]) == [
            ("outcome", ASKED, f"Roads\n{DROPPED}", 0),
            ("outcome", ASKED, "c\nTea.", 0),
            ("feedback", ASKED, f"Bridges\n{CITED}", 1),
            (
                "feedback",
                "Bridges\nThe Alder Bridge was opened in 1932 by Clara Voss.",
                STATED.format("1932"),
                "entailment",
            ),
        ]

    def test_a_thumb_down_teaches_that_one_sentence_is_of_no_use_and_the_critic_nothing(self) -> None:
        assert brief([said("down")]) == [
            ("feedback", ASKED, "Bridges\nThe Alder Bridge was opened in 1932 by Clara Voss.", 0)
        ]
        assert brief([said("down", **ABSTAINED)]) == []

    def test_a_correction_teaches_where_the_answer_stands_and_where_not(self) -> None:
        assert brief([said("correction", "1955")]) == [
            ("outcome", ASKED, "c\nTea.", 0),
            ("gold", ASKED, f"Roads\n{DROPPED}", 1),
            ("gold", ASKED, f"Bridges\n{CITED}", 0),
            ("gold", ASKED, "Bridges\nThe Alder Bridge was opened in 1932 by Clara Voss.", 0),
            ("gold", f"Roads\n{DROPPED}", STATED.format("1955"), "entailment"),
            ("gold", f"Bridges\n{CITED}", STATED.format("1955"), "not_entailment"),
            ("gold", f"Roads\n{DROPPED}", STATED.format("1932"), "not_entailment"),
        ]

    def test_one_that_says_what_was_told_praises_it(self) -> None:
        assert brief([said("correction", "1932")]) == [
            ("outcome", ASKED, f"Roads\n{DROPPED}", 0),
            ("outcome", ASKED, "c\nTea.", 0),
            ("gold", ASKED, f"Bridges\n{CITED}", 1),
            ("gold", f"Bridges\n{CITED}", STATED.format("1932"), "entailment"),
        ]

    def test_one_that_says_more_or_less_contradicts_nothing(self) -> None:
        for correction in ("3 May 1932", "It was 1932"):
            assert not said("correction", correction).wrong
            assert [row for row in brief([said("correction", correction)]) if row[3] == "not_entailment"] == []
        assert said("correction", "1955").wrong
        assert said("correction", "1955", **{**ABSTAINED, "answer": "I don't know; the nearest is 1955."}).wrong

    def test_a_passage_that_holds_the_words_by_chance_is_left_out(self) -> None:
        chance = {**passage("d", "Tea was taxed in 1955, and nobody drank it."), "score": 0.1}
        texts = [one["text"] for one in said("correction", "1955", rejected=[*run()["rejected"], chance]).holding]
        assert texts == [DROPPED]
        assert [one["text"] for one in said("correction", "1955", rejected=[chance]).holding] == [chance["text"]]

    def test_one_that_no_passage_holds_is_a_thumb_down(self) -> None:
        assert brief([said("correction", "1960")]) == brief([said("down")])

    def test_of_a_bare_yes_or_no_nothing_is_known(self) -> None:
        assert brief([said("correction", "No.")]) == []

    def test_of_a_question_in_parts_nothing_is_stated(self) -> None:
        kinds = [row[3] for row in brief([said("correction", "1955", readings=run()["readings"] * 2)])]
        assert kinds == [0, 1, 0, 0]

    def test_of_a_silent_run_a_correction_shows_what_was_dropped_wrongly(self) -> None:
        rows = brief([said("correction", "1955", **ABSTAINED)])
        assert rows == [
            ("outcome", ASKED, "c\nTea.", 0),
            ("gold", ASKED, f"Roads\n{DROPPED}", 1),
            ("gold", f"Roads\n{DROPPED}", STATED.format("1955"), "entailment"),
        ]

    def test_how_a_run_ended_teaches_weakly(self) -> None:
        dropped = [("outcome", ASKED, f"Roads\n{DROPPED}", 0), ("outcome", ASKED, "c\nTea.", 0)]
        assert brief([Discussed(run())]) == [("outcome", ASKED, f"Bridges\n{CITED}", 1), *dropped]
        assert brief([Discussed(run(**ABSTAINED, action="incorrect"))]) == dropped
        for more in ({**ABSTAINED, "action": "ambiguous"}, {"outcome": "partial"}, {"outcome": "unverified"}):
            assert brief([Discussed(run(**more))]) == []

    def test_what_was_dropped_and_says_the_answer_is_left_out_and_so_are_the_many(self) -> None:
        many = [{**passage(str(number), f"Tea {number}."), "score": 0.1} for number in range(9)]
        saying = {**passage("x", "It was opened in 1932."), "score": 0.2}
        rows = brief([Discussed(run(rejected=[saying, *many]))])
        assert [row[2] for row in rows if row[3] == 0] == [f"{number}\nTea {number}." for number in range(HARD)]

    def test_of_two_rows_of_the_same_texts_the_stronger_and_newer_counts(self) -> None:
        def label(*runs: Discussed) -> object:
            [own] = [row for row in labelled(runs, reviewed=True) if row.get("passage") == f"Bridges\n{CITED}"]
            return own["kind"], own["label"], own.get("reviewed")

        wrong, right = said("correction", "1955"), said("correction", "1932")
        assert (label(wrong, right), label(right, wrong)) == (("gold", 1, None), ("gold", 0, None))
        assert label(wrong, said("up")) == label(said("up"), wrong) == ("gold", 0, None)
        assert label(said("up"), Discussed(run())) == ("feedback", 1, True)

    def test_rows_without_words_teach_nothing(self) -> None:
        gone: Any = {**run(), "redacted": ["a"]}
        assert list(discussed(iter([gone]), iter([]))) == []
