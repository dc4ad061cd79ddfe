"""How relevant texts are to questions, told under their headings: one batch for all.

A heading tells what "it" is, and so a text is judged under it. But one that repeats the question lifts whatever stands
beneath, also what answers nothing; there the text is judged alone too, and alone must be of some use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from veridic.evidence.evidence import headed, place_of
from veridic.ports.judging import RetrievalEvaluator
from veridic.ports.shapes import Passage
from veridic.text.answers import tokens

REPEATED = 0.8
"""Share of a question's words from which a heading repeats it."""


@dataclass(frozen=True)
class Told:
    """A text and what is asked of it."""

    question: str
    passage: Passage | None
    """Whose title and headings it stands under; None: it stands alone."""
    text: str

    @property
    def pair(self) -> tuple[str, str]:
        """As it is judged."""
        return self.question, headed(self.passage, self.text) if self.passage else self.text

    @property
    def repeated(self) -> bool:
        """Whether title and headings repeat the question."""
        asked, above = tokens(self.question), set(tokens(place_of(self.passage))) if self.passage else set()
        return bool(asked) and sum(word in above for word in asked) >= REPEATED * len(asked)


def relevance(
    told: Sequence[Told], judge: Callable[[list[tuple[str, str]]], Sequence[float]], *, least: float
) -> tuple[list[float], int]:
    """The score of each text in [0, 1], and the number of pairs judged.

    It is the one under its heading, unless the heading repeats the question and the text alone is under `least`: then
    it is that of the text alone.
    """
    led = [one.repeated for one in told]
    alone = [(one.question, one.text) for one, again in zip(told, led, strict=True) if again]
    pairs = [*(one.pair for one in told), *alone]
    scores = list(judge(pairs)) if pairs else []
    bare = iter(scores[len(told) :])
    fair = [next(bare) if again else least for again in led]
    found = [score if one >= least else min(score, one) for score, one in zip(scores, fair, strict=False)]
    return found, len(pairs)


def probabilities(judge: RetrievalEvaluator, deadline: float) -> Callable[[list[tuple[str, str]]], list[float]]:
    """A judge's probabilities; the function raises what `RetrievalEvaluator.score` raises."""
    return lambda pairs: [verdict.probability for verdict in judge.score(pairs, deadline=deadline)]
