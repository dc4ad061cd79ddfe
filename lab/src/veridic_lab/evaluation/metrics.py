"""The metrics by name: what each counts, over which questions, and which way is better."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from veridic_lab.bootstrap import Statistic, calibration_error
from veridic_lab.evaluation.metric import Better, Counts, Metric, answered, at, mean
from veridic_lab.evaluation.outward import Facts
from veridic_lab.evaluation.scores import Score, handled
from veridic_lab.squad import harmonic

SUFFICIENT = 0.5
"""FactScore from which an answer passes (section 4.4 of the paper)."""


def _answerable(score: Score) -> bool:
    return score.question.answerable


def _unanswerable(score: Score) -> bool:
    return not score.question.answerable


def _abstained(score: Score) -> bool:
    return not score.answered


def _with_gold(score: Score) -> bool:
    return score.question.answerable and bool(score.question.gold)


def _kind(kind: str) -> Counts:
    return lambda score: score.question.answerable and score.question.kind == kind


def _of_confidence(make: Callable[..., Statistic], meaning: str) -> Metric:
    def of(scores: Sequence[Score]) -> Statistic:
        sure = [np.nan if score.confidence is None else score.confidence for score in scores]
        return make([score.right for score in scores], sure)

    return Metric("less", meaning, of, lambda score: score.confidence is not None)


def _of_facts(
    better: Better, which: str, part: Callable[[Facts], float], meaning: str, *, outside: bool = False
) -> Metric:
    """The mean of `part` over the questions whose claims were checked, with `outside` there."""

    def facts(score: Score) -> Facts | None:
        found: Facts | None = getattr(score.outward, which)
        return None if found is None or (outside and found.fact_score is None) else found

    def of(score: Score) -> float:
        return part(found) if (found := facts(score)) else 0.0

    return mean(better, of, meaning, lambda score: facts(score) is not None)


def _fact_score(facts: Facts) -> float:
    return facts.fact_score or 0.0


def _passes(facts: Facts) -> float:
    return _fact_score(facts) >= SUFFICIENT


def _asked(source: str) -> Metric:
    return mean("neither", lambda s: source in s.outward.asked, f"a query was put to {source}")


def _recall(k: int) -> Metric:
    meaning = f"gold among the first {k} passages; who asks for fewer has no more"
    return mean("more", lambda s: s.found(k), meaning, _with_gold)


def _citation_f1(score: Score) -> float:
    return harmonic(score.cited_right(), len(score.cited), len(set(score.question.gold)))


QUALITY: Mapping[str, Metric] = {
    "right": mean("more", lambda s: s.right, "answered as gold says, of all questions"),
    "wrong": mean("less", lambda s: s.answered and not s.right, "answered otherwise, of all questions"),
    "abstained": mean("neither", lambda s: not s.answered, "not answered, of all questions"),
    "handled": mean("more", handled, "right where there is an answer, silent where there is none, of all questions"),
    "right_of_answerable": mean("more", lambda s: s.right, "right, of what can be answered", _answerable),
    "right_of_answered": mean("more", lambda s: s.right, "right, of the answers given", answered),
    "hallucinated": mean("less", lambda s: s.answered, "answered, of what cannot be answered", _unanswerable),
    "abstention_precision": mean("more", _unanswerable, "rightly silent, of all silences", _abstained),
    "abstention_recall": mean("more", _abstained, "silent, of what cannot be answered", _unanswerable),
    "token_f1": mean("more", lambda s: s.f1, "SQuAD's token F1 of the short answer, else of the text", _kind("short")),
    "yes_no_accuracy": mean("more", lambda s: s.right, "right decision, of yes/no questions", _kind("yes/no")),
    "rouge_l": mean("more", lambda s: s.rouge, "ROUGE-L, long-form answers", _kind("long")),
    "citation_precision": mean(
        "more",
        lambda s: s.cited_right() / len(s.cited),
        "gold, of cited passages",
        lambda s: _with_gold(s) and bool(s.cited),
    ),
    "citation_recall": mean(
        "more", lambda s: s.cited_right() / len(set(s.question.gold)), "cited, of gold passages", _with_gold
    ),
    "citation_f1": mean("more", _citation_f1, "harmonic mean of both by question", _with_gold),
    **{f"recall_at_{k}": _recall(k) for k in (1, 3, 5, 8)},
    "ece": _of_confidence(calibration_error, "calibration error of the confidence in the answers"),
}
"""What the answers are worth."""

SPEED: Mapping[str, Metric] = {
    "seconds_p50": at(0.5, lambda s: s.seconds, "the whole run, median"),
    "seconds_answered": at(
        0.5, lambda s: s.seconds if s.answered else None, "the whole run, median over the questions answered"
    ),
    "seconds_p95": at(0.95, lambda s: s.seconds, "the whole run, 95th percentile"),
    "first_token_p50": at(0.5, lambda s: s.first_token, "to the first provisional token, median"),
    "verified_answer_p50": at(0.5, lambda s: s.verified_answer, "to the answer as given, median"),
    "calls": mean("less", lambda s: s.usage["calls"], "chat calls a question"),
    "prompt_tokens": mean("less", lambda s: s.usage["prompt_tokens"], "prompt tokens a question"),
    "completion_tokens": mean("less", lambda s: s.usage["completion_tokens"], "completion tokens a question"),
}
"""What they cost."""


OUTSIDE: Mapping[str, Metric] = {
    **{f"asked_{source}": _asked(source) for source in ("wikipedia", "arxiv", "web")},
    "queries_sent": mean("less", lambda s: s.outward.queries, "queries that left the machine, a question"),
    "gold_found": mean(
        "more",
        lambda s: len(s.outward.found & set(s.question.gold)) / len(set(s.question.gold)),
        "of the gold pages outside, those that were found",
        lambda s: bool(s.question.gold),
    ),
    "rests_on_outside": mean("neither", lambda s: s.outward.rests, "cite an outside passage, of answers", answered),
    "pages_discarded": mean("neither", lambda s: s.outward.discarded, "pages thrown away as no evidence, a question"),
    "source_out": mean("less", lambda s: bool(s.outward.out), "a source failed"),
}
"""Where the evidence came from."""

FACTS: Mapping[str, Metric] = {
    "fact_score_before": _of_facts("neither", "before", _fact_score, "FactScore at once", outside=True),
    "fact_score_after": _of_facts("more", "after", _fact_score, "FactScore of answers", outside=True),
    "passed_before": _of_facts("neither", "before", _passes, "FactScore at least 0.5 at once", outside=True),
    "passed_after": _of_facts("more", "after", _passes, "FactScore at least 0.5, of answers", outside=True),
    "claims_missing": _of_facts("less", "before", lambda f: f.missing / f.claims, "without evidence, of claims"),
}
"""Claim validation (Hybrid Self-RAG); the paper's external validation success rate is `passed_before`."""


def metrics_of(suite: str) -> Mapping[str, Metric]:
    """The metrics a suite names: `speed` costs alone; `outside` what came from there; every other all else."""
    if suite == "speed":
        return SPEED
    if suite != "outside":
        return {**QUALITY, **FACTS, **SPEED}
    quality = {name: metric for name, metric in QUALITY.items() if not name.startswith("recall_at_")}
    return {**quality, **OUTSIDE, **FACTS, **SPEED}
