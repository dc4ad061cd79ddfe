"""The metrics by name: what each counts, over which questions, and which way is better."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from veridic.evaluation.answers import LONGEST_ALIAS_ANSWER, harmonic, holds_alias
from veridic.evaluation.bootstrap import Statistic, calibration_error, risk_coverage_area
from veridic.evaluation.metric import Counts, Metric, answered, at, mean
from veridic.evaluation.metrics_facts import FACTS
from veridic.evaluation.metrics_outside import OUTSIDE, PLANTED
from veridic.evaluation.scores import Score, handled


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


def _planted(score: Score) -> bool:
    return bool(score.planted)


def _planted_before_a_critic(score: Score) -> bool:
    return bool(score.planted) and score.held is not None


def _truth_before_a_critic(score: Score) -> bool:
    return bool(score.scripted) and not score.planted and score.question.answerable and score.held is not None


def _of_confidence(make: Callable[..., Statistic], meaning: str) -> Metric:
    def of(scores: Sequence[Score]) -> Statistic:
        sure = [np.nan if score.confidence is None else score.confidence for score in scores]
        return make([score.right for score in scores], sure)

    return Metric("less", meaning, of, lambda score: score.confidence is not None)


def _alias(score: Score) -> bool:
    short = score.words <= LONGEST_ALIAS_ANSWER
    return score.answered and short and holds_alias(score.answer, score.question.answers)


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
    "alias_accuracy": mean(
        "more", _alias, f"an accepted answer in at most {LONGEST_ALIAS_ANSWER} words, of short ones", _kind("short")
    ),
    "token_f1": mean("more", lambda s: s.f1, "SQuAD's token F1, short answers", _kind("short")),
    "exact_match": mean("more", lambda s: s.exact, "SQuAD's exact match, short answers", _kind("short")),
    "yes_no_accuracy": mean("more", lambda s: s.right, "right decision, of yes/no questions", _kind("yes/no")),
    "undecided": mean(
        "less",
        lambda s: not s.decided,
        "neither yes, no nor maybe, of answers to yes/no questions",
        lambda s: s.answered and _kind("yes/no")(s),
    ),
    "rouge_l": mean("more", lambda s: s.rouge, "ROUGE-L, long-form answers", _kind("long")),
    "answer_words": mean("neither", lambda s: s.words, "mean length of answers", answered),
    "long_answers": mean(
        "less", lambda s: s.words > LONGEST_ALIAS_ANSWER, f"over {LONGEST_ALIAS_ANSWER} words, of answers", answered
    ),
    "extractive": mean("neither", lambda s: s.extractive, "a passage's own words, of answers", answered),
    "corrected": mean("neither", lambda s: s.corrected, "asked or written again, of all questions"),
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
    "recall_at_1": mean(
        "more", lambda s: s.found(1), "gold among the first 1 passages; who asks for fewer has no more", _with_gold
    ),
    "recall_at_3": mean(
        "more", lambda s: s.found(3), "gold among the first 3 passages; who asks for fewer has no more", _with_gold
    ),
    "recall_at_5": mean(
        "more", lambda s: s.found(5), "gold among the first 5 passages; who asks for fewer has no more", _with_gold
    ),
    "recall_at_8": mean(
        "more", lambda s: s.found(8), "gold among the first 8 passages; who asks for fewer has no more", _with_gold
    ),
    "ece": _of_confidence(calibration_error, "calibration error of support times usefulness"),
    "risk_coverage": _of_confidence(risk_coverage_area, "area under the risk-coverage curve of the answers"),
    "planted_passed": mean(
        "less", lambda s: bool(s.held), "let through by the critic, of planted falsehoods", _planted_before_a_critic
    ),
    "planted_told": mean("less", lambda s: s.told, "told in the answer, of planted falsehoods", _planted),
    "truths_refused": mean(
        "less", lambda s: not s.held, "not let through by the critic, of scripted truths", _truth_before_a_critic
    ),
}
"""What the answers are worth."""

SPEED: Mapping[str, Metric] = {
    "seconds_p50": at(0.5, lambda s: s.seconds, "the whole run, median"),
    "seconds_p95": at(0.95, lambda s: s.seconds, "the whole run, 95th percentile"),
    "first_token_p50": at(0.5, lambda s: s.first_token, "to the first provisional token, median"),
    "verified_answer_p50": at(0.5, lambda s: s.verified_answer, "to the answer as given, median"),
    "calls": mean("less", lambda s: s.usage["calls"], "chat calls a question"),
    "prompt_tokens": mean("less", lambda s: s.usage["prompt_tokens"], "prompt tokens a question"),
    "completion_tokens": mean("less", lambda s: s.usage["completion_tokens"], "completion tokens a question"),
    "judged_pairs": mean("less", lambda s: s.usage["judged_pairs"], "pairs judged a question"),
}
"""What they cost."""


_CORPUS_ALONE = frozenset(f"recall_at_{k}" for k in (1, 3, 5, 8))


def metrics_of(suite: str) -> Mapping[str, Metric]:
    """The metrics a suite names: `speed` costs alone; one with a world what came from there; every other all else."""
    if suite == "speed":
        return SPEED
    if suite not in ("outside", "planted"):
        return {**QUALITY, **FACTS, **SPEED}
    quality = {name: metric for name, metric in QUALITY.items() if name not in _CORPUS_ALONE}
    return {**quality, **(PLANTED if suite == "planted" else {}), **OUTSIDE, **FACTS, **SPEED}
