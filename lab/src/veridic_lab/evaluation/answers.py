"""What an answer is worth, from its words and the accepted answers alone. No judge of ours has a say here."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veridic.text.answers import holds_alias, tokens
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.squad import harmonic

LONGEST_ALIAS_ANSWER = 40
"""Words; an accepted answer always stands somewhere in a pasted passage, so longer answers count as wrong."""

LONGEST_SHORT_ANSWER = 12
"""Words of a short answer that is stated as such; a longer one counts as wrong, whatever stands in it."""

LONG_FORM_RIGHT = 0.4
"""ROUGE-L (F1) from which a long-form answer counts as right."""

_DECISION = re.compile(r"^\W*(yes|no|maybe)\b", re.IGNORECASE)


def rouge_l(answer: str, accepted: Sequence[str]) -> float:
    """ROUGE-L (F1 over the longest common subsequence of tokens) with the nearest accepted answer, in [0, 1]."""
    given = tokens(answer)
    return max(
        (harmonic(_common(given, wanted), len(given), len(wanted)) for wanted in map(tokens, accepted)), default=0.0
    )


def decision(answer: str) -> str:
    """What a text that begins with yes, no or maybe decides; empty when it begins otherwise."""
    found = _DECISION.match(answer)
    return found.group(1).lower() if found else ""


def is_right(answer: str, question: GoldQuestion, *, short: str = "") -> bool:
    """Whether the answer is right by the question's own kind of measure.

    `short` is the short answer that is stated beside the text. Where there is one, it alone is judged, except of a
    question that asks for a long answer.
    """
    if question.kind == "long":
        return rouge_l(answer, question.answers) >= LONG_FORM_RIGHT
    said = short or answer
    if question.kind == "yes/no":
        return decision(said) in decisions(question)
    longest = LONGEST_SHORT_ANSWER if short else LONGEST_ALIAS_ANSWER
    return len(said.split()) <= longest and holds_alias(said, question.answers)


def decisions(question: GoldQuestion) -> list[str]:
    """What a yes/no question may be decided as."""
    return [one.strip().lower() for one in question.answers]


def _common(one: Sequence[str], other: Sequence[str]) -> int:
    """Length of the longest common subsequence."""
    row = [0] * (len(other) + 1)
    for word in one:
        before = 0
        for place, wanted in enumerate(other, start=1):
            before, row[place] = row[place], before + 1 if word == wanted else max(row[place], row[place - 1])
    return row[-1]
