"""The metrics by name: what each counts, over which questions, and which way is better."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from veridic.text.answers import harmonic
from veridic_lab.evaluation.answers import LONGEST_ALIAS_ANSWER, LONGEST_SHORT_ANSWER, holds_alias
from veridic_lab.evaluation.bootstrap import Statistic, calibration_error, harmonic_mean, risk_coverage_area
from veridic_lab.evaluation.metric import Counts, Metric, answered, at, every, mean
from veridic_lab.evaluation.metrics_facts import FACTS
from veridic_lab.evaluation.metrics_outside import OUTSIDE, PLANTED
from veridic_lab.evaluation.metrics_yes_no import YES_NO
from veridic_lab.evaluation.scores import Score, handled


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


def _answered_short(score: Score) -> bool:
    return score.answered and _kind("short")(score)


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


_RIGHT = mean("more", lambda s: s.right, "right, of what can be answered", _answerable)
_SILENT = mean("more", _abstained, "silent, of what cannot be answered", _unanswerable)

QUALITY: Mapping[str, Metric] = {
    "right": mean("more", lambda s: s.right, "answered as gold says, of all questions"),
    "wrong": mean("less", lambda s: s.answered and not s.right, "answered otherwise, of all questions"),
    "abstained": mean("neither", lambda s: not s.answered, "not answered, of all questions"),
    "handled": mean("more", handled, "right where there is an answer, silent where there is none, of all questions"),
    "handled_both": Metric(
        "more",
        "harmonic mean of `right_of_answerable` and `abstention_recall`: 0 for who never answers or never abstains",
        lambda scores: harmonic_mean(_RIGHT.of(scores), _SILENT.of(scores)),
        every,
    ),
    "right_of_answerable": _RIGHT,
    "right_of_answered": mean("more", lambda s: s.right, "right, of the answers given", answered),
    "hallucinated": mean("less", lambda s: s.answered, "answered, of what cannot be answered", _unanswerable),
    "abstention_precision": mean("more", _unanswerable, "rightly silent, of all silences", _abstained),
    "abstention_recall": _SILENT,
    "alias_accuracy": mean(
        "more",
        _alias,
        f"an accepted answer anywhere in a whole text of at most {LONGEST_ALIAS_ANSWER} words, of short ones",
        _kind("short"),
    ),
    "token_f1": mean("more", lambda s: s.f1, "SQuAD's token F1 of the short answer, else of the text", _kind("short")),
    "exact_match": mean(
        "more", lambda s: s.exact, "SQuAD's exact match of the short answer, else of the text", _kind("short")
    ),
    "short_stated": mean(
        "neither",
        lambda s: bool(s.short_answer),
        f"judged by a short answer (right in at most {LONGEST_SHORT_ANSWER} words) and not by the text, of answers to "
        "short questions",
        _answered_short,
    ),
    **YES_NO,
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
    "ece": _of_confidence(calibration_error, "calibration error of the confidence in the answers"),
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
    "seconds_answered": at(
        0.5, lambda s: s.seconds if s.answered else None, "the whole run, median over the questions answered"
    ),
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
