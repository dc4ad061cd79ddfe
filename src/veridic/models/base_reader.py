"""The base judge as reader: of what the evaluator scored no token is read again, and of the rest what is left over."""

from __future__ import annotations

from collections.abc import Sequence

from veridic.models.base_tokens import OnBaseTokens, in_turn
from veridic.models.reader import OnnxReader
from veridic.models.reader_calibration import Calibrated, ReaderCalibration
from veridic.ports.judgements import Reading

OF_READING = 0.7
"""Share of the tokens that passages and what is read beside them may take; the rest is the statements'."""
UNREAD = Reading([], 0.0, 0.0, 1.0, (0, 0))
"""What is said of a text that there were no tokens for: nothing."""


class BaseReader(OnBaseTokens, Calibrated):
    """A `Reader` that reads the first texts of each question, as many as its tokens allow, and one at the least."""

    def __init__(self, reader: OnnxReader, *, tokens: int) -> None:
        """`tokens` of a question are read by base, at most."""
        super().__init__(tokens)
        self._reader = reader

    @property
    def fingerprint(self) -> str:
        """The base judge's."""
        return self._reader.fingerprint

    @property
    def calibration(self) -> ReaderCalibration:
        """The base judge's as reader."""
        return self._reader.calibration

    def read(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Reading]:
        """Read (question, text) pairs, the best of each question first. Raises what `OnnxReader.read` raises."""
        sizes = self._reader.tokens(pairs)
        questions = [question for question, _ in pairs]
        asked = sorted(in_turn(questions), key=lambda at: sizes[at] > 0)
        known = sum(size == 0 for size in sizes)
        least = known or len(set(questions))
        chosen = asked[: self._affordable([sizes[at] for at in asked], OF_READING, least)]
        said = self._reader.read([pairs[at] for at in chosen], deadline=deadline)
        found = dict(zip(chosen, said, strict=True))
        return [found.get(at, UNREAD) for at in range(len(pairs))]
