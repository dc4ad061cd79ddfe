"""Yes or no questions made of labelled statements: what entails or contradicts one answers whether it is so.

The sets of questions ask who, when and where; of whether something is so they have nothing to learn from.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from veridic_lab.training.pairs import NLI_LABELS, Pair
from veridic_lab.training.tables import table
from veridic_lab.training.wording import Rng, inside

ASKED_OF: Mapping[str, int] = table(__package__, "weights")["polar"]
"""Sets of statements, and how many of each are looked through."""
DECIDED = ("entailment", "contradiction")
MORE = 1.5
"""How many answered questions of a set there are for each that is not, at most."""
LONGEST_SUBJECT = 6
"""Words before the verb, at most; of more the verb may belong to a clause of the subject."""
WHOLE = 0.25
"""How often a statement whose verb cannot be moved is asked about whole."""
_SENTENCE = re.compile(
    r"(?P<subject>[^,;:()\"“”]+?) (?P<verb>is|are|was|were|can|could|will|would|must|should|"
    r"(?:has|have|had)(?= (?:not )?(?:been|\w+ed)\b)) (?P<rest>[^?]+?)\.?$"
)
_CLAUSE = re.compile(r"\b(?:that|which|who|what|how|why|when|where|if|while|because|and|or|to|there)\b", re.IGNORECASE)


def polar_pairs(sets: Mapping[str, Sequence[Pair]], rng: Rng) -> list[Pair]:
    """Pairs of relevance from the sets of statements named in `ASKED_OF`."""
    made: list[Pair] = []
    for name, count in ASKED_OF.items():
        pairs = [pair for pair in sets.get(name, ()) if NLI_LABELS[pair.label] != "not_entailment"]
        found = list(_asked([pairs[i] for i in rng.permutation(len(pairs))[:count]], rng))
        answered = [pair for pair in found if pair.label]
        made += [pair for pair in found if not pair.label]
        made += answered[: int(MORE * (len(found) - len(answered)))]
    return made


def asked(statement: str) -> str | None:
    """The question whether a statement is so, its verb in front; None where it has no auxiliary that can be moved."""
    found = _SENTENCE.match(statement)
    if not found or _CLAUSE.search(found["subject"]) or len(found["subject"].split()) > LONGEST_SUBJECT:
        return None
    subject = inside(f"{found['subject']}.")
    return f"{found['verb'].capitalize()} {subject} {found['rest']}?" if subject else None


def _asked(pairs: Sequence[Pair], rng: Rng) -> Iterator[Pair]:
    for pair in pairs:
        if question := asked_of(pair.second, rng, WHOLE):
            label = int(NLI_LABELS[pair.label] in DECIDED)
            yield replace(pair, task="relevance", first=question, second=pair.first, label=label, part="polar")


def asked_of(statement: str, rng: Rng, whole: float) -> str | None:
    """The question whether a statement is so; of one whose verb cannot be moved now and then, at `whole`, as it is."""
    question = asked(statement)
    if question is None and rng.random() < whole and "(" not in statement and (clause := inside(statement)):
        question = f"Is it true that {clause}?"
    return question
