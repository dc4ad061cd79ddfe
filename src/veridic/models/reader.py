"""The reader that ships: where in a text the answer stands, yes, no or undecided, or that it is not there."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridic.errors import judging
from veridic.models.fitting import sigmoid, softmax
from veridic.models.onnx_encoder import SHIPPED, OnnxEncoder, check_time, in_time
from veridic.models.reader_calibration import Calibrated, ReaderCalibration
from veridic.models.scorers import Pairs
from veridic.models.windows import PairWindows, Window
from veridic.ports.judgements import Reading, ReadSpan
from veridic.text.sentences import sentences

OUTPUTS = ("start", "end", "null", "decision")
LONGEST_SPAN = 24
"""Tokens of an answer."""
SPANS = 3
"""Places told of one text."""


class ExportedReader(Calibrated):
    """A reader as the card and the calibration of its folder tell of it; where it reads is a subclass's matter."""

    def __init__(
        self,
        folder: Path = SHIPPED / "reader",
        *,
        threads: int = 0,
        calibration: ReaderCalibration | Path | None = None,
        cache: Path | None = None,
        self_testing: bool = True,
    ) -> None:
        """Card and calibration are read now; `threads` 0 means all.

        `calibration` is another file than the folder's own, or one already read. Raises `CalibrationMismatch` when
        it is for other weights. Where it reads here the first reading checks the stored answers, unless `self_testing`
        is false; what was passed is kept in `cache`.
        """
        self._encoder = OnnxEncoder(folder, threads=threads, cache=cache)
        self.fingerprint = self._encoder.fingerprint
        """Names the weights; a calibration belongs to one fingerprint."""
        if not isinstance(calibration, ReaderCalibration):
            calibration = ReaderCalibration.read(calibration or folder / "calibration.json", self.fingerprint)
        self.calibration = calibration
        self._self_testing = self_testing

    def tokens(self, pairs: Pairs) -> list[int]:
        """How many tokens reading each pair takes; none where they are remembered."""
        raise NotImplementedError

    def read(self, pairs: Pairs, *, deadline: float) -> list[Reading]:
        """Read (question, text) pairs in one batch. Raises `JudgeFailed` or `DeadlineExceeded`."""
        if not pairs:
            return []
        check_time(deadline)
        with judging("The reader"):
            return self._read(pairs, deadline)

    def _read(self, pairs: Pairs, deadline: float) -> list[Reading]:
        """One reading a pair, in order."""
        raise NotImplementedError


class OnnxReader(ExportedReader):
    """Session and windows in this process; weights are loaded when first used."""

    def tokens(self, pairs: Pairs) -> list[int]:
        """How many tokens reading each pair takes; none where they are remembered."""
        return [self._encoder.unread([window.tokens for window in group]) for group in self._windows(pairs)]

    def _read(self, pairs: Pairs, deadline: float) -> list[Reading]:
        if self._self_testing:
            self.self_test()
            self._self_testing = False
        return [one for batch in in_time(pairs, deadline) for one in self._judged(batch, deadline)]

    def self_test(self) -> float:
        """The mean difference from the stored probabilities. Raises `JudgeFailed` beyond tolerance."""
        return self._encoder.pass_self_test("reader", self._difference)

    def _difference(self, stored: Sequence[Mapping[str, Any]] | Mapping[str, Any]) -> float:
        rows = stored["reading"] if isinstance(stored, Mapping) else stored
        found = np.array([numbers_of(one) for one in self._judged([(row["first"], row["second"]) for row in rows])])
        return float(np.abs(found - np.array([row["expected"] for row in rows])).mean())

    def _judged(self, pairs: Pairs, deadline: float = float("inf")) -> list[Reading]:
        groups = self._windows(pairs)
        windows = [window for group in groups for window in group]
        columns = self._encoder.columns([window.tokens for window in windows], OUTPUTS, deadline=deadline)
        said = iter(zip(*columns, strict=True))
        return [
            joined([_of_window(text, window, *next(said)) for window in group])
            for (_, text), group in zip(pairs, groups, strict=True)
        ]

    def _windows(self, pairs: Pairs) -> list[list[Window]]:
        tokenizer, _ = self._encoder.load()
        return PairWindows(tokenizer, "second").of(pairs)


def numbers_of(reading: Reading) -> list[float]:
    """A reading in four probabilities: that there is an answer, yes, no, undecided."""
    margin = reading.spans[0].margin if reading.spans else -40.0
    return [float(sigmoid(margin)), reading.yes, reading.no, reading.undecided]


def _of_window(
    text: str,
    window: Window,
    start: NDArray[np.float32],
    end: NDArray[np.float32],
    null: NDArray[np.float32],
    decision: NDArray[np.float32],
) -> Reading:
    skip = text.find("\n") + 1
    first = sum(right <= skip for _, right in window.offsets)
    offsets = window.offsets[first:]
    places = slice(window.first + first, window.first + len(window.offsets))
    yes, no, undecided = softmax(decision).tolist()
    spans = best_spans(start[places], end[places], 2 * float(null), offsets, text)
    return Reading(spans, yes, no, undecided, window.span)


def best_spans(
    start: NDArray[np.float32], end: NDArray[np.float32], null: float, offsets: Sequence[tuple[int, int]], text: str
) -> list[ReadSpan]:
    """The likeliest spans, none of which overlaps a likelier one or runs on into another sentence."""
    if not len(offsets):
        return []
    both = np.full((len(start), len(start)), -np.inf)
    upper = np.triu_indices(len(start))
    begins = [start for start, _ in offsets]
    sentence = np.searchsorted([one.start for one in sentences(text)], begins, side="right")
    fits = (upper[1] - upper[0] < LONGEST_SPAN) & (sentence[upper[0]] == sentence[upper[1]])
    rows, columns = upper[0][fits], upper[1][fits]
    both[rows, columns] = start[rows] + end[columns]
    found: list[ReadSpan] = []
    while len(found) < SPANS and np.isfinite(both).any():
        first, last = (int(place) for place in np.unravel_index(int(both.argmax()), both.shape))
        found.append(ReadSpan(offsets[first][0], offsets[last][1], float(both[first, last]) - null))
        both[: last + 1, first:] = -np.inf
    return found


def joined(readings: Sequence[Reading]) -> Reading:
    """The windows of one text as one reading: the best spans of all, the decision of the window that decides most."""
    if len(readings) == 1:
        return readings[0]
    decisive = min(readings, key=lambda one: one.undecided)
    found: list[ReadSpan] = []
    for span in sorted((span for one in readings for span in one.spans), key=lambda span: -span.margin):
        if all(span.end <= other.start or other.end <= span.start for other in found):
            found.append(span)
    return Reading(found[:SPANS], decisive.yes, decisive.no, decisive.undecided, decisive.decided_in)
