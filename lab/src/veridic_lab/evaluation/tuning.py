"""Plain RAG at its best: its number of passages chosen on questions that are not measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from veridic.context import Context
from veridic.runtime.run import Resources
from veridic_lab.evaluation.journal import Journal, rows_in
from veridic_lab.evaluation.measuring import Told, measure
from veridic_lab.evaluation.plan import DEVELOPMENT, Choice
from veridic_lab.evaluation.presets import STANDARD_RAG
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.scores import handled, scored
from veridic_lab.evaluation.systems import open_systems

KS = (1, 2, 3, 5)
USUAL = 3
"""Taken where there are too few development questions to choose."""
LEAST = 8


def given(k: int, reason: str) -> Choice:
    """A k that was not chosen here."""
    return Choice(k=k, handled={}, questions=0, reason=reason)


def choose_k(
    resources: Resources, questions: Sequence[GoldQuestion], context: Context, out: Path, told: Told = lambda *_: None
) -> Choice:
    """The k with the largest share of questions handled well; of equals the smallest. Goes on where it was stopped."""
    journal = Journal(out / DEVELOPMENT)
    systems = [
        replace(open_systems([STANDARD_RAG], resources, context, k=k)[0], name=f"{STANDARD_RAG} k={k}") for k in KS
    ]
    measure(systems, questions, journal, resources.chat, told)
    found = [scored(row) for row in rows_in(out / DEVELOPMENT)]
    shares = {}
    for k, system in zip(KS, systems, strict=True):
        own = [handled(score) for score in found if score.system == system.name]
        shares[str(k)] = round(sum(own) / len(own), 4)
    best = max(KS, key=lambda k: (shares[str(k)], -k))
    return Choice(k=best, handled=shares, questions=len(questions), reason="best on the development questions")
