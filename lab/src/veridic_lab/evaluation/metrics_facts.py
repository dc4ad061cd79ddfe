"""The metrics of claim validation (Hybrid Self-RAG): what the claims scored at once, and in the answers given."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from veridic_lab.evaluation.metric import Better, Metric, mean
from veridic_lab.evaluation.metrics_outside import SOURCES
from veridic_lab.evaluation.outward import Facts
from veridic_lab.evaluation.scores import Score

SUFFICIENT = 0.5
"""FactScore from which an answer passes (section 4.4 of the paper)."""

Which = Callable[[Score], Facts | None]


def _before(score: Score) -> Facts | None:
    return score.outward.before


def _after(score: Score) -> Facts | None:
    return score.outward.after


def _mean(
    better: Better,
    which: Which,
    part: Callable[[Facts], float],
    meaning: str,
    over: Callable[[Facts], bool] = lambda _: True,
) -> Metric:
    """The mean of `part` over the questions whose claims were checked."""

    def of(score: Score) -> float:
        facts = which(score)
        return part(facts) if facts else 0.0

    def counts(score: Score) -> bool:
        facts = which(score)
        return facts is not None and over(facts)

    return mean(better, of, meaning, counts)


def _of_source(source: str) -> Mapping[str, Metric]:
    def part(facts: Facts) -> float:
        return facts.by_source[source]

    def asked(facts: Facts) -> bool:
        return source in facts.by_source

    return {
        f"fact_score_{source}_before": _mean("neither", _before, part, f"FactScore against {source} at once", asked),
        f"fact_score_{source}_after": _mean("more", _after, part, f"FactScore against {source}, of answers", asked),
    }


def _score(facts: Facts) -> float:
    return facts.fact_score or 0.0


def _passes(facts: Facts) -> float:
    return _score(facts) >= SUFFICIENT


def _outside(facts: Facts) -> bool:
    return facts.fact_score is not None


FACTS: Mapping[str, Metric] = {
    "fact_score_before": _mean("neither", _before, _score, "FactScore at once, where checked outside", _outside),
    "fact_score_after": _mean("more", _after, _score, "FactScore of answers, where checked outside", _outside),
    "fact_entailment_before": _mean("neither", _before, lambda f: f.entailment, "claims' entailment at once"),
    "fact_entailment_after": _mean("more", _after, lambda f: f.entailment, "claims' entailment, of answers"),
    "passed_before": _mean("neither", _before, _passes, "FactScore at least 0.5 at once", _outside),
    "passed_after": _mean("more", _after, _passes, "FactScore at least 0.5, of answers", _outside),
    "claims_missing": _mean("less", _before, lambda f: f.missing / f.claims, "without evidence, of claims"),
    "claims_contradicted": _mean("neither", _before, lambda f: f.contradicted / f.claims, "contradicted, of claims"),
    **{name: metric for source in ("corpus", *SOURCES) for name, metric in _of_source(source).items()},
}
"""The paper's external validation success rate is `passed_before`."""
