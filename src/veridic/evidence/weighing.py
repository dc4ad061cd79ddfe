"""What else speaks for the places that answers were read in: the word of the evaluator of strips, and a later date."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from veridic.evidence.dating import Dating, dating, is_later
from veridic.evidence.reading import Considered, Place, sentence_around
from veridic.evidence.relevance import Told, relevance
from veridic.runtime.run import Run

WEIGHED = 3
"""Places of answers to a question that are weighed, the clearest."""


@dataclass
class Weighing:
    """Asks of the sentence that an answer stands in whether it answers the question, of each once."""

    run: Run
    deadline: float
    pairs: int = 0
    """How many were judged."""
    _known: dict[tuple[str, str], float] = field(default_factory=dict)

    def weighed(self, question: str, found: Sequence[Considered]) -> list[Considered]:
        """The clearest of the answers, each with that word on its sentence. Raises `JudgeFailed`."""
        clearest = found[:WEIGHED]
        useful = self.usefulness(question, [one.answer.best for one in clearest])
        return [
            replace(one, signs=replace(one.signs, usefulness=said)) for one, said in zip(clearest, useful, strict=True)
        ]

    def usefulness(self, question: str, places: Sequence[Place]) -> list[float]:
        """P(the sentence around it answers the question) of each place. Raises `JudgeFailed`."""
        told = [Told(question, place.source.passage, sentence_around(place)["quote"]) for place in places]
        new = {one.pair: one for one in told if one.pair not in self._known}
        judge = partial(self.run.sifter.usefulness, deadline=self.deadline)
        found, pairs = relevance(list(new.values()), judge, least=self.run.thresholds().strip)
        self._known |= dict(zip(new, found, strict=True))
        self.pairs += pairs
        return [self._known[one.pair] for one in told]

    def earlier(self, one: Place, other: Place) -> Place | None:
        """The one of two places whose document is the earlier; None where neither is, as far as they say.

        What somebody else wrote outside never counts before a document of one's own, however late.
        """
        if any(place.source.passage["kind"] != "human" for place in (one, other)):
            return None
        dates = self._dated(one), self._dated(other)
        if is_later(*dates):
            return other
        return one if is_later(*reversed(dates)) else None

    def _dated(self, place: Place) -> Dating:
        passage = place.source.passage
        text = self.run.knowledge.text_of(place.document)
        return dating(passage["title"], passage["url"], text, now=self.run.resources.clock.now())
