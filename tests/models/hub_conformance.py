"""What any model of the hub must do as a scorer, whatever it labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.models.judge_conformance import NEVER
from veridic.errors import DeadlineExceeded, UnknownModel
from veridic.models.hub_scorer import HubScorer
from veridic.models.scorers import TrainedCritic

LONG = " ".join(f"The harbour of town number {n} was built of grey stone by local workers." for n in range(60))
TABLE = "\n".join(f"| row {n} | harbour | grey stone | built in {1700 + n} | by hand |" for n in range(60))
PAIRS = [
    ("The tower is red.", "The tower is red and old."),
    (LONG, "The harbour was built of stone."),
    ("Bread rises overnight.", "The tower is blue."),
    (TABLE, "Row 4 was built in 1704."),
    ("", ""),
]


class HubConformance:
    """What every adapter must do; `made` saves a tiny model whose form has these labels, the yes first."""

    labels: tuple[int | str, ...] = (1, 0)
    two_way = True

    def made(self, folder: Path) -> dict[str, Any]:
        """Save a model and give its form, labels aside."""
        raise NotImplementedError

    def scorer(self, folder: Path, labels: tuple[int | str, ...]) -> HubScorer:
        folder.mkdir(parents=True, exist_ok=True)
        form = {**self.made(folder), "labels": labels}
        (folder / "veridic_form.json").write_text(json.dumps(form))
        return HubScorer(str(folder))

    @pytest.fixture
    def subject(self, tmp_path: Path) -> HubScorer:
        return self.scorer(tmp_path / "model", self.labels)

    def margins(self, subject: HubScorer, pairs: list[tuple[str, str]]) -> list[float]:
        """Of each pair by how much its first window rather entails than says nothing."""
        found = subject.logits(pairs, "nli", deadline=NEVER)
        assert len(found) == len(pairs)
        return [float(one.rows[0, 0] - one.rows[0, 1]) for one in found]

    def test_one_result_a_pair_in_order_whatever_stands_beside_it(self, subject: HubScorer) -> None:
        together = self.margins(subject, PAIRS)
        turned = self.margins(subject, PAIRS[::-1])
        alone = [self.margins(subject, [pair])[0] for pair in PAIRS]
        assert together == pytest.approx(turned[::-1], abs=1e-3)
        assert together == pytest.approx(alone, abs=1e-3)
        assert len({round(one, 4) for one in together}) > 2
        assert subject.logits([], "nli", deadline=NEVER) == []

    @pytest.mark.parametrize("text", [LONG, TABLE])
    def test_a_long_premise_is_read_in_windows_up_to_its_end(self, subject: HubScorer, text: str) -> None:
        [found] = subject.logits([(text, "It was built of stone.")], "nli", deadline=NEVER)
        assert len(found.places) == len(found.rows) > 1
        assert found.places[0][0] == 0
        assert found.places[-1][1] == len(text)
        assert all(start < end for start, end in found.places)
        ends = zip(found.places, found.places[1:], strict=False)
        assert all(later[0] - earlier[1] <= 1 for earlier, later in ends)

    def test_two_labels_never_contradict(self, subject: HubScorer) -> None:
        found = TrainedCritic(subject).judge(PAIRS, deadline=NEVER)
        assert all(one.entailment + one.neutral + one.contradiction == pytest.approx(1) for one in found)
        assert all((one.contradiction == 0) is self.two_way for one in found)
        assert {one.judged_by for one in found} == {"hub"}

    def test_what_says_yes_is_the_forms_matter(self, subject: HubScorer, tmp_path: Path) -> None:
        """The same weights under a form that turns the labels say the opposite."""
        turned = self.scorer(tmp_path / "turned", (self.labels[1], self.labels[0], *self.labels[2:]))
        assert turned.fingerprint != subject.fingerprint
        [mine], [others] = (self.margins(one, [("The tower is red.", "red")]) for one in (subject, turned))
        assert mine == pytest.approx(-others, abs=1e-3)
        assert abs(mine) > 0.01

    def test_a_text_cannot_speak_in_the_models_special_tokens(self, subject: HubScorer) -> None:
        honest = ("The tower is red.       It is old.", "It is old.")
        marked = ("The tower is red. [SEP] It is old.", "It is old.")
        assert self.margins(subject, [honest]) == pytest.approx(self.margins(subject, [marked]), abs=1e-5)

    def test_it_judges_statements_alone_and_in_time(self, subject: HubScorer) -> None:
        with pytest.raises(UnknownModel, match="does not judge passages"):
            subject.logits([("q", "p")], "relevance", deadline=NEVER)
        with pytest.raises(DeadlineExceeded):
            subject.logits([("a", "b")], "nli", deadline=1.0)
        assert not TrainedCritic(subject).gates
