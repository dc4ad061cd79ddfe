"""P(the short answer is right), fitted on questions that were asked."""

from __future__ import annotations

from dataclasses import replace
from math import exp
from pathlib import Path

import numpy as np
import pytest

from tests.fakes.judges import OverlapReader
from veridic.models.calibration import MIN_AUC, NEVER
from veridic.models.promise import PROMISED
from veridic.models.reader_calibration import SIGNS, ReaderCalibration
from veridic.ports.judgements import AnswerSigns, Strictness
from veridic.resources import open_knowledge_base
from veridic.settings import Settings
from veridic.text.kinds import ANSWER_KINDS, AnswerKind
from veridic_lab.training.reading.cases import AnswerCase, answer_cases, is_hidden, is_right
from veridic_lab.training.reading.measuring import measured
from veridic_lab.training.reading.own_documents import own_documents
from veridic_lab.training.reading.rows import Reading

BRIDGE = "The Alder Bridge was opened in 1932 by mayor Clara Voss. It is 412 metres long and made of steel."
LIBRARY = "The Marsh Library holds 90,000 books. Its reading room was restored in 2004 by a guild."


def row(question: str, text: str, answer: str = "", kind: str = "span", title: str = "") -> Reading:
    places = ((text.index(answer), text.index(answer) + len(answer)),) if answer else ()
    return Reading(question, title, text, places, kind, "own", question)  # type: ignore[arg-type]


def cases(count: int, seed: int = 1, *, noise: bool = False) -> list[AnswerCase]:
    """Questions whose best answer is right the likelier the higher its margin; yes and no by a law of their own."""
    rng = np.random.default_rng(seed)
    made = []
    for number in range(count):
        kind = ANSWER_KINDS[number % len(ANSWER_KINDS)]
        scale, shift = (0.4, 1.0) if kind == "yes-no" else (1.0, -1.0)
        found = []
        for _ in range(int(rng.integers(1, 4))):
            margin = float(rng.normal(0.0, 3.0))
            signs = AnswerSigns(**{**{name: float(rng.random()) for name in SIGNS}, "margin": margin})
            right = rng.random() < (0.5 if noise else 1 / (1 + exp(-scale * margin - shift)))
            found.append((signs, bool(right)))
        made.append(AnswerCase("own" if number % 2 else "other", kind, f"{number}", True, tuple(found)))
    return made


class TestFitted:
    @pytest.fixture(autouse=True)
    def needs_sklearn(self) -> None:
        pytest.importorskip("sklearn")

    def fitted(self, made: list[AnswerCase]) -> ReaderCalibration:
        from veridic_lab.training.reading.fit import fitted

        return fitted(made, "0123456789abcdef")

    def test_what_can_be_told_from_the_signs_is_learned(self, tmp_path: Path) -> None:
        found = self.fitted(cases(1200))
        assert found.gates
        assert found.auc > 0.75
        assert found.ece < 0.06
        assert found.weights.keys() == set(ANSWER_KINDS)
        assert found.fitted_on == {"own": 600, "other": 600}
        margin = 1 + SIGNS.index("margin")
        assert found.weights["who"][margin] > found.weights["yes-no"][margin] > 0
        assert found.weights["who"][1:] == found.weights["when"][1:]
        found.write(tmp_path / "own.json")
        assert ReaderCalibration.read(tmp_path / "own.json", "0123456789abcdef") == found

    def test_its_confidence_is_how_often_it_is_right(self) -> None:
        found = self.fitted(cases(1200))
        fresh = [one for case in cases(1500, seed=2) for one in [(case.kind, *case.found[0])]]
        sure = np.array([found.confidence(kind, signs) for kind, signs, _ in fresh])
        right = np.array([is_one for _, _, is_one in fresh])
        for low, high in ((0.0, 0.3), (0.3, 0.7), (0.7, 1.0)):
            inside = (sure >= low) & (sure < high)
            assert abs(right[inside].mean() - sure[inside].mean()) < 0.08

    def test_more_is_needed_where_a_wrong_answer_costs_more(self) -> None:
        found = self.fitted(cases(400))
        for kind in ANSWER_KINDS:
            assert [found.needed_for(kind, name) for name in ("loose", "normal", "strict")] == [0.5, 0.67, 0.8]

    def test_of_what_is_verified_so_many_are_right_as_is_said(self) -> None:
        found = self.fitted(cases(1200))
        fresh = [(case.kind, *case.found[0]) for case in cases(4000, seed=2)]
        for name, share in PROMISED.items():
            verified = [right for kind, signs, right in fresh if self.passes(found, kind, signs, name)]
            assert not verified or np.mean(verified) > share - 0.03
        assert any(self.passes(found, kind, signs, "loose") for kind, signs, _ in fresh)

    def passes(self, found: ReaderCalibration, kind: AnswerKind, signs: AnswerSigns, strictness: Strictness) -> bool:
        return found.confidence(kind, signs) >= found.verified_from(kind, strictness)

    def test_where_too_few_are_right_nothing_is_verified(self) -> None:
        found = self.fitted(cases(1200, noise=True))
        assert {found.verified_from(kind, "normal") for kind in ANSWER_KINDS} == {NEVER}

    def test_where_nothing_was_quoted_nothing_is_said_of_it(self) -> None:
        assert not self.fitted(cases(120)).quoted

    def test_what_nothing_tells_does_not_gate(self) -> None:
        found = self.fitted(cases(1200, noise=True))
        assert found.auc < MIN_AUC
        assert not found.gates

    def test_where_every_answer_is_right_nothing_is_weighed(self) -> None:
        made = [replace(one, found=tuple((signs, True) for signs, _ in one.found)) for one in cases(120)]
        found = self.fitted(made)
        assert found.weights == {}
        assert not found.gates

    def test_what_only_sentences_answer_teaches_nothing_of_short_answers(self) -> None:
        composed = [
            replace(one, short=False, found=tuple((signs, False) for signs, _ in one.found)) for one in cases(300, 3)
        ]
        assert self.fitted([*cases(600), *composed]).weights == self.fitted(cases(600)).weights


def test_our_own_documents_hold_what_their_questions_say() -> None:
    rows = own_documents()
    assert len(rows) == 585
    assert {row.kind for row in rows} == {"span", "yes", "no", "undecided", "none"}
    assert not any(map(is_hidden, rows))
    for one in rows:
        assert bool(one.evidence) == (one.kind not in ("none", "undecided"))
        assert bool(one.places) == (one.kind == "span")


class TestCases:
    @pytest.mark.parametrize(
        ("said", "expected"),
        [
            ("412 metres", True),
            ("412", True),
            ("metres long and made of steel in all", False),
            ("The 412 metres", True),
            ("It is 412 metres long and made of steel", True),
            (BRIDGE, False),
            ("1932", False),
            ("", False),
        ],
    )
    def test_a_short_answer_is_right_with_few_words_around_it(self, said: str, expected: bool) -> None:
        assert is_right(said, row("How long is it?", BRIDGE, "412 metres")) is expected

    def test_a_decision_is_right_when_it_is_the_rows(self) -> None:
        assert is_right("Yes", row("Is it long?", BRIDGE, kind="yes"))
        assert not is_right("No", row("Is it long?", BRIDGE, kind="yes"))
        assert not is_right("1932", row("When?", BRIDGE, kind="none"))

    def test_questions_are_asked_of_a_knowledge_base_that_may_lack_their_text(self, tmp_path: Path) -> None:
        asked = [
            row("How many metres long is the Alder Bridge?", BRIDGE, "412"),
            row("When was the Alder Bridge opened by mayor Clara Voss?", BRIDGE, "1932"),
            row("How many books does the Marsh Library hold?", LIBRARY, "90,000"),
            row("Was the Alder Bridge opened by mayor Clara Voss in 1932?", BRIDGE, kind="yes"),
        ]
        (other := tmp_path / "other.md").write_text("The Alder Bridge is 500 metres long.", encoding="utf-8")
        settings = Settings(threads=1, begin_with=str(other))
        found = answer_cases(asked, [], OverlapReader(), settings, tmp_path)
        assert open_knowledge_base(Settings(kb=str(tmp_path / "cases.sqlite"))).corpus.status().documents == 2
        by_key = {one.key: one for one in found}
        for one in asked:
            case = by_key.get(one.question)
            if not is_hidden(one):
                assert case is not None
                assert case.answerable
                assert case.found[0][1]
            elif case is not None:
                assert not case.answerable
                assert not any(right for _, right in case.found)
        assert {is_hidden(one) for one in asked} == {False, True}


class TestMeasured:
    def test_spans_decisions_and_none_are_measured_where_rows_tell(self) -> None:
        spans = [
            row("When was the Alder Bridge opened?", BRIDGE, "1932"),
            row("How many books does the Marsh Library hold?", LIBRARY, "90,000 books"),
        ]
        none = [row("When was the Dover Tunnel dug?", BRIDGE, kind="none")]
        polar = [
            row("Was the Alder Bridge opened in 1932?", BRIDGE, kind="yes"),
            row("Was the Dover Tunnel dug in 1977?", BRIDGE, kind="undecided"),
        ]
        found = measured(OverlapReader(), [*spans, *none, *polar])
        assert found == {
            "rows": 5.0,
            "exact_match": 0.5,
            "f1": pytest.approx(0.9),
            "answer_auc": 1.0,
            "decision": 1.0,
        }
        assert measured(OverlapReader(), spans).keys() == {"rows", "exact_match", "f1"}
        assert measured(OverlapReader(), polar).keys() == {"rows", "decision"}

    def test_a_text_without_a_title_is_read_from_its_first_line_on(self) -> None:
        one = row("When was the Alder Bridge opened?", "The Alder Bridge was opened in 1932.\nIt is long.", "1932")
        assert measured(OverlapReader(), [one])["exact_match"] == 1.0
