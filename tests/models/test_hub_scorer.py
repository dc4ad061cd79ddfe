"""Checkers of the hub: each form over a tiny model made here, and how one calibrates itself."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.models.hub_conformance import PAIRS, HubConformance
from tests.models.judge_conformance import NEVER
from tests.models.tokenizers import shipped_tokenizer
from veridic.errors import JudgeFailed, UnknownModel
from veridic.models.by_settings import open_judges
from veridic.models.calibrating import fitting_pairs, self_calibrated
from veridic.models.calibration import Calibration
from veridic.models.fitting import fit_three
from veridic.models.hub_forms import Form, form_named, known_forms
from veridic.models.hub_scorer import HubScorer
from veridic.models.judges_by_name import judge_named
from veridic.models.notation import in_notation_of
from veridic.models.opened import HUB
from veridic.models.scorers import Pairs, Scored, TrainedCritic
from veridic.models.trial import shipped_pairs
from veridic.ports.judgements import Rank
from veridic.runtime.kept import Kept
from veridic.settings import Settings

with_extra = pytest.mark.skipif(not importlib.util.find_spec("transformers"), reason="needs the extra hf")
NEVER_SAYS = -np.inf
CHAT = (
    "{% for one in documents %}{{ one.text }} {% endfor %}"
    "{% for one in messages %}{{ one.role }}: {{ one.content }} {% endfor %}"
)


def saved(kind: str, folder: Path, labels: int = 2, names: dict[int, str] | None = None) -> None:
    """A model with random weights, large enough to differ, and the shipped tokenizer."""
    import transformers
    from transformers import set_seed

    set_seed(3)
    small = {"vocab_size": 30522, "hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    small |= {"intermediate_size": 16, "initializer_range": 1.0}
    chats = kind == "LlamaForCausalLM"
    if chats:
        config = transformers.LlamaConfig(**small, num_key_value_heads=2)
    else:
        config = transformers.BertConfig(**small, num_labels=labels, **({"id2label": names} if names else {}))
    getattr(transformers, kind)(config).eval().save_pretrained(folder)
    told = {"model_input_names": ["input_ids", "attention_mask"], "chat_template": CHAT} if chats else {}
    tokenizer = shipped_tokenizer(128, **told)
    tokenizer.save_pretrained(folder)


@with_extra
class TestPairs(HubConformance):
    def made(self, folder: Path) -> dict[str, Any]:
        saved("BertForSequenceClassification", folder)
        return {"head": "sequence", "words": 60}


@with_extra
class TestTemplate(HubConformance):
    def made(self, folder: Path) -> dict[str, Any]:
        saved("BertForSequenceClassification", folder)
        return {"head": "sequence", "words": 60, "template": "{premise} [SEP] Is this so: {statement}?"}


@with_extra
class TestThreeLabels(HubConformance):
    labels = (2, 0, 1)
    two_way = False

    def made(self, folder: Path) -> dict[str, Any]:
        saved("BertForSequenceClassification", folder, labels=3)
        return {"head": "sequence", "words": 60}


@with_extra
class TestTokens(HubConformance):
    labels = (0, 1)

    def made(self, folder: Path) -> dict[str, Any]:
        saved("BertForTokenClassification", folder)
        return {"head": "tokens", "words": 60, "template": "Summarize: {premise} output:"}

    def test_it_marks_what_has_no_support(self, subject: HubScorer) -> None:
        for (_, statement), one in zip(PAIRS, subject.logits(PAIRS, "nli", deadline=NEVER), strict=True):
            assert len(one.doubtful) == len(one.rows)
            for row, places in zip(one.rows, one.doubtful, strict=True):
                assert all(0 <= start < end <= len(statement) for start, end in places)
                assert bool(places) == bool(row[0] < row[1] and statement)


@with_extra
class TestYesAndNo(HubConformance):
    labels = ("no", "yes")

    def made(self, folder: Path) -> dict[str, Any]:
        saved("LlamaForCausalLM", folder)
        asked = {"conversation": [{"role": "assistant", "content": "{statement}"}]}
        chat = {**asked, "documents": [{"doc_id": "0", "text": "{premise}"}], "guardian_config": {"risk_name": "x"}}
        return {"head": "yes_no", "words": 60, "chat": chat, "reply": "score: "}


@with_extra
class TestForms:
    def test_labels_tell_what_a_model_is(self, tmp_path: Path) -> None:
        for number, (names, labels, judges) in enumerate(
            [
                ({0: "contradiction", 1: "ENTAILMENT", 2: "neutral"}, (1, 2, 0), "statements"),
                ({0: "entailment", 1: "not_entailment"}, (0, 1), "statements"),
                ({0: "LABEL_0"}, (0,), "passages"),
            ]
        ):
            folder = tmp_path / str(number)
            saved("BertForSequenceClassification", folder, labels=len(names), names=names)
            form = form_named(str(folder))
            assert (form.head, form.labels, form.judges) == ("sequence", labels, judges)

    @pytest.mark.parametrize("kind", ["BertForSequenceClassification", "BertForTokenClassification"])
    def test_a_model_that_nothing_tells_of_is_refused_with_the_way_out(self, tmp_path: Path, kind: str) -> None:
        saved(kind, tmp_path)
        with pytest.raises(UnknownModel, match=r"veridic_form\.json"):
            form_named(str(tmp_path))

    @pytest.mark.parametrize(
        "form",
        [
            "[]",
            '{"head": "sequence"}',
            '{"head": "sequence", "labels": []}',
            '{"head": "tokens", "labels": [1]}',
            '{"head": "sequence", "labels": [1, 0], "template": "{claim}"}',
            '{"head": "sequence", "labels": [1, 0], "colour": "red"}',
        ],
    )
    def test_a_form_that_means_nothing_is_refused(self, tmp_path: Path, form: str) -> None:
        saved("BertForSequenceClassification", tmp_path)
        (tmp_path / "veridic_form.json").write_text(form)
        with pytest.raises(UnknownModel, match="no form"):
            form_named(str(tmp_path))

    @pytest.mark.parametrize("labels", [["entailed", "neutral"], [1, 2]])
    def test_labels_that_the_model_lacks_are_refused(self, tmp_path: Path, labels: list[object]) -> None:
        saved("BertForSequenceClassification", tmp_path)
        (tmp_path / "veridic_form.json").write_text(json.dumps({"head": "sequence", "labels": labels}))
        with pytest.raises(UnknownModel, match="has no labels"):
            form_named(str(tmp_path))


def test_the_forms_that_ship_are_forms_and_pinned_ones_name_a_commit() -> None:
    forms = known_forms()
    assert len(forms) == 15
    assert all(len(one.revision) == 40 for one in forms.values() if one.revision is not None)
    guardian = forms["ibm-granite/granite-guardian-4.1-8b"]
    assert guardian.labels == ("no", "yes")
    assert (
        forms["yaxili96/FactCG-DeBERTa-v3-Large"].template.format(premise="P", statement="S").startswith("P\n\nChoose")
    )
    assert all(one.judges == "statements" for one in forms.values())
    assert isinstance(guardian, Form)


@dataclass
class KnowingScorer:
    """Says of the trial's pairs what is true, as sure as it is, and of two labels alone; raises where it is unsure."""

    sure: float
    asked: int = 0
    rank: Rank = "hub"
    heads: Sequence[str] = ()
    fingerprint: str = "0123456789abcdef"
    calibration: Calibration = field(default_factory=lambda: Calibration.identity("0123456789abcdef"))

    def tokens(self, pairs: Pairs, head: str) -> list[int]:
        return [10 for _ in pairs]

    def logits(self, pairs: Pairs, head: str, *, deadline: float) -> list[Scored]:
        if not self.sure:
            raise JudgeFailed("It broke.", "Mend it.")
        self.asked += len(pairs)
        labels = {(in_notation_of(one.second, one.first), one.second): one.label for one in shipped_pairs()}
        labels |= {(one.first, one.second): one.label for one in shipped_pairs()}
        noise = np.random.default_rng(1).normal(size=len(pairs))
        margins = [self.sure * (1 if labels[pair] else -1) + more for pair, more in zip(pairs, noise, strict=True)]
        rows = [np.array([[one, 0, NEVER_SAYS]] if head == "nli" else [one], dtype=np.float32) for one in margins]
        return [Scored([(0, 1)], one) for one in rows]


class TestSelfCalibration:
    @pytest.fixture(autouse=True)
    def nothing_is_open(self) -> None:
        """What another scorer of this fingerprint found is not this one's."""
        HUB.clear()

    def test_it_is_done_once_on_the_half_that_is_for_it_and_kept(self, tmp_path: Path) -> None:
        scorer = KnowingScorer(2.0)
        found = self_calibrated(scorer, "critic", Kept(tmp_path))
        assert found.gates("nli")
        assert scorer.asked == len(fitting_pairs("critic")) == 80
        HUB.clear()
        assert self_calibrated(scorer, "critic", Kept(tmp_path)) == found
        assert scorer.asked == 80
        [file] = tmp_path.iterdir()
        file.write_text('{"thresholds": 1}', encoding="utf-8")
        HUB.clear()
        assert self_calibrated(scorer, "critic", Kept(tmp_path)) == found
        assert scorer.asked == 160
        reported = {one.first for one in shipped_pairs() if one.half == "report"}
        assert not reported & {one.first for one in fitting_pairs("critic")}

    def test_what_it_fits_is_used_and_contradicts_nothing(self, tmp_path: Path) -> None:
        scorer = KnowingScorer(2.0)
        scorer.calibration = self_calibrated(scorer, "critic", Kept(tmp_path))
        pairs = [(one.first, one.second) for one in fitting_pairs("critic")]
        judged = TrainedCritic(scorer).judge(pairs, deadline=NEVER)
        held = [one.positive for one in fitting_pairs("critic")]
        support = scorer.calibration.thresholds["normal"].support
        assert np.mean([(one.entailment >= support) == true for one, true in zip(judged, held, strict=True)]) > 0.9
        assert all(one.contradiction < 0.01 for one in judged)

    def test_an_evaluator_learns_what_helps_and_what_answers(self, tmp_path: Path) -> None:
        found = self_calibrated(KnowingScorer(2.0), "evaluator", Kept(tmp_path))
        assert found.gates("relevance")
        assert found.gates("usefulness")
        assert 0 < found.thresholds["normal"].lower <= found.thresholds["normal"].upper < 1

    def test_one_that_ranks_badly_does_not_gate(self, tmp_path: Path) -> None:
        assert not self_calibrated(KnowingScorer(-2.0), "critic", Kept(tmp_path)).gates("nli")

    def test_one_that_raises_keeps_nothing(self, tmp_path: Path) -> None:
        with pytest.raises(JudgeFailed):
            self_calibrated(KnowingScorer(0.0), "critic", Kept(tmp_path))
        assert not list(tmp_path.iterdir())


def test_a_model_that_cannot_be_had_decides_nothing(tmp_path: Path) -> None:
    """Whether the extra is missing or the model: no error where it is asked whether it gates."""
    _, critic = open_judges(Settings(critic=f"hf:{tmp_path / 'nowhere'}", cache=tmp_path))
    assert not critic.gates


@with_extra
def test_a_setting_alone_takes_a_checker_and_a_trial_tries_it(tmp_path: Path) -> None:
    saved("BertForSequenceClassification", tmp_path / "model")
    (tmp_path / "model" / "veridic_form.json").write_text('{"head": "sequence", "labels": [1, 0]}')
    name = f"hf:{tmp_path / 'model'}"
    settings = Settings(critic=name, cache=tmp_path / "cache")
    _, critic = open_judges(settings)
    assert len(list((tmp_path / "cache" / "calibrations").iterdir())) == 1, "it is calibrated before it is asked"
    assert critic.gates is (critic.calibration.auc["nli"] >= 0.65)
    tried = judge_named(name, settings)
    assert tried.evaluator is None
    assert isinstance(tried.critic, TrainedCritic)
    assert tried.critic.calibration == critic.calibration


def test_two_way_rows_are_fitted_without_their_third_column() -> None:
    rng = np.random.default_rng(0)
    margin = rng.normal(size=2000) * 3
    truth = rng.random(2000) < 1 / (1 + np.exp(-margin / 2))
    rows = np.column_stack([margin, np.zeros(2000), np.full(2000, NEVER_SAYS)])
    scale, offsets = fit_three(rows, np.where(truth, 0, 3))
    assert scale == pytest.approx(0.5, abs=0.06)
    assert offsets[2] == 0
    assert fit_three(rows, np.where(truth, 0, 2)) == (scale, offsets)
