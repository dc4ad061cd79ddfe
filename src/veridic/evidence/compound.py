"""Questions that take several readings: parts, and descriptions that are read first.

Pure functions over readings; what each question was answered by, the node reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from veridic.evidence.details import missing_names
from veridic.evidence.reading import Text, standing_in, strip_of
from veridic.ports.shapes import Hop, ReadAnswer
from veridic.text.links import Link, link_of


@dataclass(frozen=True)
class Asked:
    """A question and what is asked beside it."""

    parts: list[str]
    link: Link | None
    """The description in a question of one part, while a further hop is allowed."""

    @property
    def questions(self) -> list[str]:
        """Everything that is read for."""
        return [*self.parts, *([self.link.first] if self.link else [])]


def asked_of(parts: list[str], *, hops_left: int) -> Asked:
    """The parts of a question, and the description it rests on."""
    return Asked(parts, link_of(parts[0]) if len(parts) == 1 and hops_left > 0 else None)


def resting_on(hops: Sequence[Hop], reading: ReadAnswer) -> ReadAnswer:
    """A reading after hops: as probable as all of them together, which has to be enough; told with their sentences."""
    if not hops:
        return reading
    probability = reading["probability"] * prod(hop["reading"]["probability"] for hop in hops)
    also = [hop["reading"]["sentence"] for hop in hops if hop["reading"]["sentence"]]
    return {
        **reading,
        "probability": probability,
        "holds": reading["holds"] and probability >= reading["needed"],
        "also": [*reading["also"], *also],
    }


def hop_of(reading: ReadAnswer, link: Link, question: str, texts: Sequence[Text]) -> Hop | None:
    """What a description was surely read as, where that is a name that the question does not have."""
    sentence, stated = reading["sentence"], f"It is {reading['text']}"
    if not reading["holds"] or sentence is None or not missing_names(stated, question):
        return None
    source = next(text for text in texts if standing_in(sentence, text))
    return Hop(reading=reading, strip=strip_of(sentence, source), asks=link.second(reading["text"]))
