"""The sentence-transformers adapters; with the extra installed, over tiny models made here."""

import importlib.util
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.models.judge_conformance import NEVER, EvaluatorConformance, JudgeConformance
from tests.models.tokenizers import shipped_tokenizer
from veridic.errors import CalibrationMismatch, DeadlineExceeded, MissingExtra, UnknownModel, UsageError
from veridic.models.by_settings import calibrate, open_judges
from veridic.models.calibrating import labelled_pairs
from veridic.models.cross_encoder import OnnxJudge
from veridic.models.hf import SentenceTransformerEmbedder
from veridic.models.hub_scorer import HubScorer
from veridic.models.onnx_encoder import SHIPPED
from veridic.models.scorers import TrainedCritic, TrainedEvaluator
from veridic.ports.judging import Judge
from veridic.settings import Settings

INSTALLED = importlib.util.find_spec("sentence_transformers") is not None
LONG = " ".join(f"The harbour of town number {n} was built of grey stone by local workers." for n in range(60))

with_extra = pytest.mark.skipif(not INSTALLED, reason="needs the extra hf")


@pytest.mark.skipif(INSTALLED, reason="the extra hf is installed")
def test_without_the_extra_the_error_names_it() -> None:
    with pytest.raises(MissingExtra, match="hf"):
        SentenceTransformerEmbedder("any").embed(["text"])


def tiny(folder: Path, labels: list[str]) -> Path:
    """A cross-encoder with random weights."""
    from transformers import BertConfig, BertForSequenceClassification

    config = BertConfig(
        vocab_size=30522,
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        num_labels=len(labels),
        id2label=dict(enumerate(labels)),
        label2id={label: number for number, label in enumerate(labels)},
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    shipped_tokenizer(256).save_pretrained(folder)
    return folder


@with_extra
def test_a_reranker_scores_pairs_in_order_and_gates_only_when_calibrated(tmp_path: Path) -> None:
    evaluator = TrainedEvaluator(HubScorer(str(tiny(tmp_path / "ranker", ["relevance"]))))
    found = evaluator.score([("q", "short"), ("q", LONG), ("", "")], deadline=NEVER)
    assert len(found) == 3
    assert all(0 <= one.probability <= 1 for one in found)
    start, end = found[1].window
    assert 0 <= start < end <= len(LONG)
    assert end - start < len(LONG)
    assert not evaluator.gates
    assert evaluator.score([], deadline=NEVER) == []
    with pytest.raises(DeadlineExceeded):
        evaluator.score([("q", "p")], deadline=1.0)


@with_extra
def test_an_nli_model_is_read_by_its_own_labels(tmp_path: Path) -> None:
    critic = TrainedCritic(HubScorer(str(tiny(tmp_path / "nli", ["contradiction", "entailment", "neutral"]))))
    found = critic.judge([("premise", "hypothesis"), (LONG, "h")], deadline=NEVER)
    assert all(one.entailment + one.neutral + one.contradiction == pytest.approx(1) for one in found)
    assert len(critic.fingerprint) == 16
    with pytest.raises(UnknownModel, match="NLI"):
        TrainedCritic(HubScorer(str(tiny(tmp_path / "other", ["x", "y", "z"])))).judge([("a", "b")], deadline=NEVER)


@with_extra
@pytest.mark.filterwarnings("ignore:Importing from:DeprecationWarning")
def test_an_embedder_gives_unit_vectors(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.models import Pooling, Transformer

    words = Transformer(str(tiny(tmp_path / "base", ["x"])))
    SentenceTransformer(modules=[words, Pooling(16)]).save(str(tmp_path / "embedder"))
    embedder = SentenceTransformerEmbedder(str(tmp_path / "embedder"))
    vectors = embedder.embed(["one", "two"])
    assert vectors.shape == (2, embedder.dimension) == (2, 16)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx([1, 1], abs=1e-5)
    assert embedder.embed([]).shape == (0, 16)


@with_extra
def test_a_name_that_cannot_be_loaded_is_told(tmp_path: Path) -> None:
    with pytest.raises(UnknownModel, match="nowhere"):
        SentenceTransformerEmbedder(str(tmp_path / "nowhere")).embed(["text"])


def calibrated(folder: Path, labels: list[str]) -> Path:
    """The file of a calibration that would gate, for the tiny model that is made here."""
    tiny(folder / "model", labels)
    name = TrainedEvaluator(HubScorer(str(folder / "model"))).fingerprint
    shipped = OnnxJudge().calibration
    replace(shipped, fingerprint=name).write(folder / "calibration.json")
    return folder / "calibration.json"


@with_extra
class TestCrossEncoderEvaluator(EvaluatorConformance):
    @pytest.fixture
    def subject(self, tmp_path: Path) -> Judge:
        file = calibrated(tmp_path, ["relevance"])
        return TrainedEvaluator(HubScorer(str(tmp_path / "model"), calibrations=(file,)))


@with_extra
class TestCrossEncoderCritic(JudgeConformance):
    @pytest.fixture
    def subject(self, tmp_path: Path) -> Judge:
        file = calibrated(tmp_path, ["contradiction", "entailment", "neutral"])
        return TrainedCritic(HubScorer(str(tmp_path / "model"), calibrations=(file,)))

    def scores(self, subject: Judge, pairs: list[tuple[str, str]], deadline: float = NEVER) -> list[object]:
        assert isinstance(subject, TrainedCritic)
        return list(subject.judge(pairs, deadline=deadline))


@with_extra
def test_a_cross_encoder_is_calibrated_like_any_judge_and_gates_by_its_own_file(tmp_path: Path) -> None:
    name = str(tiny(tmp_path / "model", ["relevance"]))
    rows = [
        {"query": f"q {n}", "passage": "stone tower" if n % 2 else "bread", "label": n % 2, "group": f"{n}"}
        for n in range(60)
    ]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    pairs = labelled_pairs(tmp_path / "pairs.jsonl")
    settings = Settings(evaluator=name, threads=1)
    with pytest.raises(UsageError, match="two models"):
        calibrate(pairs, settings)
    fitted = calibrate(pairs, settings, "evaluator")
    fitted.write(tmp_path / "mine.json")
    evaluator, critic = open_judges(Settings(evaluator=name, calibration=(tmp_path / "mine.json",)))
    assert evaluator.fingerprint == fitted.fingerprint != critic.fingerprint
    assert evaluator.thresholds("normal") == fitted.thresholds["normal"]
    assert evaluator.gates is (fitted.auc["relevance"] >= 0.65)
    with pytest.raises(CalibrationMismatch):
        _ = TrainedEvaluator(HubScorer(name, calibrations=(SHIPPED / "judge" / "calibration.json",))).gates
