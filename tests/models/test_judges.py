from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from tests.models.judge_conformance import NEVER, PASSAGE, CriticConformance, EvaluatorConformance
from veridic.errors import CalibrationMismatch, JudgeFailed
from veridic.models.calibration import Calibration
from veridic.models.cross_encoder import OnnxJudge, judge_fingerprint
from veridic.models.embedder import OnnxEmbedder
from veridic.models.onnx_encoder import SHIPPED, OnnxEncoder
from veridic.models.scorers import Scored, TrainedCritic, TrainedEvaluator
from veridic.ports.judgements import Rank
from veridic.ports.judging import Critic, RetrievalEvaluator

FILLER = " ".join(f"The harbour of town number {n} was built of grey stone by local workers." for n in range(40))


@pytest.fixture(scope="module")
def judge() -> OnnxJudge:
    return OnnxJudge(threads=1)


class TestEvaluator(EvaluatorConformance):
    @pytest.fixture
    def subject(self, judge: OnnxJudge) -> RetrievalEvaluator:
        return TrainedEvaluator(judge)

    def test_a_passage_that_answers_outranks_one_that_does_not(self, judge: OnnxJudge) -> None:
        question = "Where was Marie Curie born?"
        others = ["Tomatoes are grown in many gardens.", "Warsaw\nWarsaw has a large airport and two stadiums."]
        best, *rest = TrainedEvaluator(judge).score([(question, p) for p in (PASSAGE, *others)], deadline=NEVER)
        assert all(best.probability > other.probability for other in rest)

    def test_the_answer_is_found_deep_in_a_long_passage(self, judge: OnnxJudge) -> None:
        passage = f"{FILLER} Marie Curie was born in Warsaw in 1867."
        (found,) = TrainedEvaluator(judge).score([("Where was Marie Curie born?", passage)], deadline=NEVER)
        assert "Warsaw" in passage[slice(*found.window)]

    def test_a_text_near_to_its_question_scores_higher_by_the_weight_in_the_file(
        self, judge: OnnxJudge, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        weight = float(OnnxEncoder(SHIPPED / "judge").metadata()["nearness"])
        alone = OnnxJudge(threads=1)
        monkeypatch.setattr(alone, "_nearness", float)
        asked = [("Where was Marie Curie born?", PASSAGE), ("Where was Marie Curie born?", "Tomatoes are grown.")]
        vectors = OnnxEmbedder(threads=1).embed([asked[0][0], *(text for _, text in asked)])
        for head in ("relevance", "usefulness"):
            ours, theirs = (each.logits(asked, head, deadline=NEVER) for each in (judge, alone))
            found = [float(our.rows[0] - their.rows[0]) for our, their in zip(ours, theirs, strict=True)]
            added = [weight * float(vectors[0] @ vector) for vector in vectors[1:]]
            assert found == pytest.approx(added, abs=1e-5)
        premises = [(text, question) for question, text in asked]
        critic = [each.logits(premises, "nli", deadline=NEVER) for each in (judge, alone)]
        assert all((ours.rows == theirs.rows).all() for ours, theirs in zip(*critic, strict=True))

    def test_a_pair_has_the_same_score_in_any_company(self, judge: OnnxJudge) -> None:
        pairs = [("Where was Marie Curie born?", text) for text in (PASSAGE, FILLER, "Tomatoes are grown.", "x")]
        together = TrainedEvaluator(judge).score(pairs, deadline=NEVER)
        alone = TrainedEvaluator(OnnxJudge(threads=3))
        assert [alone.score([pair], deadline=NEVER)[0] for pair in reversed(pairs)] == together[::-1]

    def test_what_was_judged_lately_is_not_judged_again(self, monkeypatch: pytest.MonkeyPatch) -> None:
        judge = OnnxJudge(threads=1)
        pairs = [("Where was Marie Curie born?", PASSAGE), ("Who won?", "Nobody won.")]
        first = TrainedEvaluator(judge).score(pairs, deadline=NEVER)
        monkeypatch.setattr(judge, "_batch", lambda *_: pytest.fail("judged again"))
        assert TrainedEvaluator(judge).score(pairs[::-1], deadline=NEVER) == first[::-1]


class TestCritic(CriticConformance):
    @pytest.fixture
    def subject(self, judge: OnnxJudge) -> Critic:
        return TrainedCritic(judge)

    @pytest.mark.parametrize(
        "sentence",
        [
            "Marie Curie was born in Warsaw in 1867.",
            "She won the Nobel Prize in Chemistry in 1911.",
            "She won the Nobel Prize in Physics in 1903 with Pierre Curie and Henri Becquerel.",
        ],
    )
    def test_a_copied_sentence_is_supported(self, judge: OnnxJudge, sentence: str) -> None:
        critic = TrainedCritic(judge)
        support = critic.thresholds("normal").support
        assert all(
            f.entailment >= support for f in critic.judge([(PASSAGE, sentence), (sentence, sentence)], deadline=NEVER)
        )

    def test_what_the_premise_does_not_say_is_not_supported(self, judge: OnnxJudge) -> None:
        critic = TrainedCritic(judge)
        pairs = [(PASSAGE, "The airport of Berlin opened late."), (PASSAGE, "Marie Curie was born in Lyon in 1867.")]
        assert all(f.entailment < critic.thresholds("normal").support for f in critic.judge(pairs, deadline=NEVER))

    @pytest.mark.parametrize("sentence", ["Marie Curie was born in Warsaw in 1867.", "Marie Curie was born in Warsaw."])
    def test_support_is_found_deep_in_a_long_premise(self, judge: OnnxJudge, sentence: str) -> None:
        premise = f"{FILLER} Marie Curie was born in Warsaw in 1867."
        (found,) = TrainedCritic(judge).judge([(premise, sentence)], deadline=NEVER)
        assert "born in Warsaw" in premise[slice(*found.window)]


@dataclass(frozen=True)
class TwoWindows:
    """A scorer that saw a premise in two windows, of which the second entails."""

    calibration: Calibration = field(default_factory=lambda: Calibration.identity("two windows"))
    rank: Rank = "small"
    heads: Sequence[str] = ("nli",)

    def logits(self, pairs: Sequence[tuple[str, str]], head: str, *, deadline: float) -> list[Scored]:
        rows = np.array([[-4.0, 0.0, 4.0], [4.0, 0.0, -4.0]], dtype=np.float32)
        return [Scored([(0, 10), (5, 15)], rows) for _ in pairs]


def test_a_long_premise_counts_by_the_window_that_entails_most() -> None:
    [found] = TrainedCritic(TwoWindows()).judge([("a long premise", "reworded")], deadline=NEVER)  # type: ignore[arg-type]
    assert found.window == (5, 15)
    assert found.entailment > 0.9 > 0.1 > found.contradiction


def test_the_stored_answers_agree(judge: OnnxJudge) -> None:
    stored = json.loads((SHIPPED / "judge" / "selftest.json").read_text())
    assert sum(map(len, stored.values())) == 51
    assert judge.self_test() < 0.02


def test_weights_that_answer_differently_are_not_used(tmp_path: Path) -> None:
    folder = shutil.copytree(SHIPPED / "judge", tmp_path / "judge")
    stored = json.loads((folder / "selftest.json").read_text())
    for row in stored["relevance"]:
        row["expected"] = 1 - row["expected"]
    (folder / "selftest.json").write_text(json.dumps(stored))
    with pytest.raises(JudgeFailed, match="differs"):
        TrainedEvaluator(OnnxJudge(folder, threads=1)).score([("a", "b")], deadline=NEVER)


def test_a_judge_that_hears_another_embedder_is_another_judge(judge: OnnxJudge, tmp_path: Path) -> None:
    shutil.copytree(SHIPPED / "embedder", tmp_path / "embedder")
    card = json.loads((tmp_path / "embedder" / "card.json").read_text())
    (tmp_path / "embedder" / "card.json").write_text(json.dumps({**card, "fingerprint": "0123456789abcdef"}))
    encoder = OnnxEncoder(SHIPPED / "judge")
    assert judge_fingerprint(encoder, OnnxEmbedder()) == judge.fingerprint
    assert judge_fingerprint(encoder, OnnxEmbedder(tmp_path / "embedder")) != judge.fingerprint
    with pytest.raises(CalibrationMismatch):
        OnnxJudge(embedder=OnnxEmbedder(tmp_path / "embedder"))
