"""The metrics of yes/no questions, none of which one class can carry, beside what always saying yes would score."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from veridic_lab.evaluation.answers import decisions
from veridic_lab.evaluation.bootstrap import Statistic, balanced_accuracy, macro_f1
from veridic_lab.evaluation.metric import Better, Metric, mean
from veridic_lab.evaluation.scores import MAYBE, Score

YES = "yes"


def _counts(score: Score) -> bool:
    return score.question.answerable and score.question.kind == "yes/no"


def _answered(score: Score) -> bool:
    return score.answered and _counts(score)


def _class(score: Score, said: str) -> str:
    """What a question counts as: what was said where that is accepted, else its first decision; empty: not at all."""
    accepted = decisions(score.question) if _counts(score) else []
    return said if said in accepted else next(iter(accepted), "")


def _of_decisions(
    make: Callable[[Sequence[str], Sequence[str]], Statistic],
    better: Better,
    said: Callable[[Score], str],
    meaning: str,
) -> Metric:
    """A statistic of what yes/no questions are decided as and what was said; it is no mean over questions."""

    def of(scores: Sequence[Score]) -> Statistic:
        given = [said(score) for score in scores]
        return make([_class(score, one) for score, one in zip(scores, given, strict=True)], given)

    return Metric(better, meaning, of, _counts)


YES_NO: Mapping[str, Metric] = {
    "yes_no_accuracy": mean("more", lambda s: s.right, "right decision, of yes/no questions", _counts),
    "yes_no_balanced_accuracy": _of_decisions(
        balanced_accuracy, "more", lambda s: s.decision, "mean share of the yes, no and maybe that was found"
    ),
    "yes_no_macro_f1": _of_decisions(macro_f1, "more", lambda s: s.decision, "mean F1 of yes, no and maybe"),
    "always_yes_accuracy": mean(
        "neither", lambda s: YES in decisions(s.question), "`yes_no_accuracy` of saying yes to every question", _counts
    ),
    "always_yes_balanced_accuracy": _of_decisions(
        balanced_accuracy, "neither", lambda _: YES, "`yes_no_balanced_accuracy` of saying yes to every question"
    ),
    "always_yes_macro_f1": _of_decisions(
        macro_f1, "neither", lambda _: YES, "`yes_no_macro_f1` of saying yes to every question"
    ),
    "yes_no_maybe": mean("neither", lambda s: s.decision == MAYBE, "said maybe, of yes/no questions", _counts),
    "no_decision": mean(
        "less", lambda s: not s.decision, "neither yes, no nor maybe, of answers to yes/no questions", _answered
    ),
}
"""What was decided."""
