"""Checks of the data before anything is measured with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from veridic.errors import UsageError
from veridic.models.fitting import auc
from veridic.text.facts import words
from veridic.text.questions import keywords
from veridic.text.sentences import windows
from veridic_lab.evaluation.questions import GoldQuestion

LEAST = 5
"""Questions with gold passages from which chance can be told from sense."""

CHANCE = 0.6
"""AUC of own over other questions' evidence up to which the two cannot be told apart."""

SHIFTS = (1, 2, 3)
MOST = 300
"""Questions looked at."""


def check_evidence(questions: Sequence[GoldQuestion], texts: Mapping[str, str]) -> float:
    """How well questions and their gold passages fit: the AUC of own evidence over other questions', by shared words.

    Raises `UsageError` when it is at chance, as when rows of evidence are shifted against
    their questions. 1.0 where too few questions have gold passages.
    """
    with_gold = [one for one in questions if one.gold and all(address in texts for address in one.gold)][:MOST]
    pieces = [[words(span.text) for a in one.gold for span in windows(texts[a], words=80)] for one in with_gold]
    own, other = [], []
    for place, question in enumerate(with_gold):
        own.append(_shared(question, pieces[place]))
        for shift in SHIFTS:
            away = (place + shift) % len(with_gold)
            if not set(with_gold[away].gold) & set(question.gold):
                other.append(_shared(question, pieces[away]))
    if len(own) < LEAST or not other:
        return 1.0
    found = auc([*(1 for _ in own), *(0 for _ in other)], [*own, *other])
    if found <= CHANCE:
        raise UsageError(
            f"The gold passages share no more words with their own questions than with others (AUC {found:.2f}).",
            "See that `gold` names the right passage for each question; rows may be shifted.",
        )
    return found


def _shared(question: GoldQuestion, pieces: Sequence[Sequence[str]]) -> float:
    """The largest share of the question's keywords that one piece of the evidence holds."""
    asked = set(keywords(question.text))
    return max((len(asked & set(piece)) / len(asked) for piece in pieces), default=0.0) if asked else 0.0
