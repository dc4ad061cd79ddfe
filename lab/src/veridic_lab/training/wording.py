"""What the rules read in a sentence: names, and passives that can be told actively."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

T = TypeVar("T")
Rng = np.random.Generator

_NAME = re.compile(r"\b[A-Z][\w'’.-]*[\w](?:\s+(?:(?:of|de|the|von|van|and)\s+)?[A-Z][\w'’-]*\w)*")
_CAPITAL_WORDS = frozenset(
    "The A An In On At It He She They This That These Those His Her Its Their For From By As But And When While "
    "After Before Although However There With Since During If Some Many Most All To Of I We You Another Each Both "
    "One Two".split()
)
_VERB = re.compile(r" (?:is|was|has|had|became|began|won|led|wrote|\w+ed)\b")
_ARTICLES = frozenset(("The", "A", "An"))
IRREGULAR = {
    "written": "wrote", "built": "built", "made": "made", "won": "won", "led": "led", "sung": "sang", "held": "held",
    "taken": "took", "given": "gave", "chosen": "chose", "drawn": "drew", "shot": "shot", "sold": "sold",
    "bought": "bought", "beaten": "beat", "found": "found", "taught": "taught", "brought": "brought", "sent": "sent",
    "fought": "fought", "driven": "drove", "overthrown": "overthrew", "lost": "lost", "known": "knew",
}  # fmt: skip
"""Past participles with the simple past."""
_PASSIVE = re.compile(
    r"(?P<subject>\S+(?: \S+){0,7}?) (?:was|were) (?:\w+ly )?(?P<verb>\w+ed|" + "|".join(IRREGULAR) + r") by (?=[A-Z])"
)


def names(sentence: str) -> list[re.Match[str]]:
    """Capitalised names; one word that begins the sentence is taken for one only before a verb."""
    return [m for m in _NAME.finditer(sentence) if not _only_begins(m)]


def _only_begins(match: re.Match[str]) -> bool:
    first, *more = match.group().split()
    acts = _VERB.match(match.string, match.end()) or "'s" in first
    return first in _CAPITAL_WORDS or (match.start() == 0 and not more and not acts)


def inside(sentence: str) -> str | None:
    """A sentence as it stands within another; None for one that is quoted, asked or unfinished."""
    if not sentence.endswith(".") or any(mark in sentence for mark in '"“”?!:;'):
        return None
    first, _, rest = sentence.rstrip(".").partition(" ")
    return f"{first.lower() if first in _CAPITAL_WORDS - {'I'} else first} {rest}".strip()


def put(sentence: str, match: re.Match[str], new: str) -> str:
    """The sentence with another text in place of the match."""
    return sentence[: match.start()] + new + sentence[match.end() :]


def pick(rng: Rng, options: Sequence[T]) -> T:
    """One of the options, each as likely."""
    return options[int(rng.integers(len(options)))]


@dataclass(frozen=True)
class Passive:
    """Who was done what by whom; the verb is in its past tense."""

    subject: str
    verb: str
    agent: str

    @property
    def actively(self) -> str:
        """What the passive says: the agent did it to the subject."""
        article, _, rest = self.subject.partition(" ")
        subject = f"{article.lower()} {rest}" if article in _ARTICLES else self.subject
        return f"{self.agent} {self.verb} {subject}."

    @property
    def exchanged(self) -> str:
        """What it does not say: the subject did it to the agent."""
        return f"{self.subject} {self.verb} {self.agent}."


def passive(sentence: str) -> Passive | None:
    """The passive that a sentence begins with, where its agent is named and its subject is no pronoun."""
    match = _PASSIVE.match(sentence)
    agent = _NAME.match(sentence, match.end()) if match else None
    if not match or not agent or match["subject"].split()[0] in _CAPITAL_WORDS - _ARTICLES:
        return None
    verb = match["verb"]
    return Passive(match["subject"], IRREGULAR.get(verb, verb), agent.group())
