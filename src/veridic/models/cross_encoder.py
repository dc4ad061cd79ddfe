"""The judge that ships: one encoder whose heads tell what a text says to a question, and evidence of a sentence."""

import hashlib
from collections.abc import Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from veridic.errors import judging
from veridic.models.calibration import Calibration
from veridic.models.embedder import OnnxEmbedder, cosines
from veridic.models.onnx_encoder import SHIPPED, OnnxEncoder, check_time, in_time
from veridic.models.scorers import LONG_SIDE, Pairs, Place, Scored
from veridic.models.windows import PairWindows, Window
from veridic.ports.judgements import Rank
from veridic.runtime.kept import Recent

ASKING = ("relevance", "usefulness")
"""Heads whose first text is a question."""
REMEMBERED = 2048
"""Pairs whose logits are kept: most of what a further attempt finds was judged in the one before."""


def judge_fingerprint(encoder: OnnxEncoder, embedder: OnnxEmbedder) -> str:
    """Names the weights, and together with them the embedder's where the judge hears how near a text is.

    The weight of nearness stands in the judge's file; judges whose card does not tell of it are named by their files.
    """
    if not encoder.card.get("nearness"):
        return encoder.fingerprint
    return hashlib.sha256(f"{encoder.fingerprint}{embedder.fingerprint}".encode()).hexdigest()[:16]


class ExportedJudge:
    """A judge as card and calibration of its folder tell of it; where its passes are made is a subclass's matter.

    What was judged lately is remembered. Safe in several threads.
    """

    def __init__(
        self,
        folder: Path = SHIPPED / "judge",
        *,
        threads: int = 0,
        calibration: Calibration | Path | None = None,
        cache: Path | None = None,
        embedder: OnnxEmbedder | None = None,
        self_testing: bool = True,
    ) -> None:
        """Card and calibration are read now; `threads` 0 means all.

        `embedder` is the shipped one, where it is open already: a judge whose file says so adds to its
        logits how near a text is to its question. `calibration` is another file than the folder's own,
        or one already read. Raises `CalibrationMismatch` when it is for other weights. Where passes are made here the
        first score checks the stored answers, unless `self_testing` is false; what was passed is kept in `cache`.
        """
        self.folder = folder
        """Where card and calibration are."""
        self._encoder = OnnxEncoder(folder, threads=threads, cache=cache)
        self._embedder = embedder or OnnxEmbedder(threads=threads)
        self.fingerprint = judge_fingerprint(self._encoder, self._embedder)
        """Names all that a score depends on; thresholds belong to one fingerprint."""
        self.rank: Rank = "base" if self._encoder.is_base else "small"
        """The small judge, or the base one, as its card says."""
        self.heads: Sequence[str] = tuple(self._encoder.card.get("heads", ("relevance", "nli")))
        """What it judges; judges from before there was usefulness do not say."""
        if not isinstance(calibration, Calibration):
            calibration = Calibration.read(calibration or folder / "calibration.json", self.fingerprint)
        self.calibration = calibration
        self._self_testing = self_testing
        self._recent = Recent[tuple[str, str, str, str], Scored](REMEMBERED)
        self._question = ""

    def hearing(self, question: str) -> Self:
        """The same judge, which reads the question that statements answer before their premise, if it learned to."""
        heard = copy(self)
        heard._question = question if self.rank == "base" else ""
        return heard

    def tokens(self, pairs: Pairs, head: str) -> list[int]:
        """How many tokens judging each pair takes; none where it was judged lately."""
        new = [pair for pair in dict.fromkeys(pairs) if self._recent.known((head, self._question, *pair)) is None]
        found = dict(zip(new, self._sizes(new, head), strict=True))
        return [found.get(pair, 0) for pair in pairs]

    def logits(self, pairs: Pairs, head: str, *, deadline: float) -> list[Scored]:
        """What a head says of each pair, in order. Raises `JudgeFailed` or `DeadlineExceeded`."""
        if not pairs:
            return []
        check_time(deadline)
        keys = [(head, self._question, *pair) for pair in pairs]
        return self._recent.of(
            keys, lambda new: self._judged([(first, second) for *_, first, second in new], head, deadline)
        )

    def _sizes(self, pairs: Pairs, head: str) -> list[int]:
        """How many tokens judging each pair takes that is not remembered here."""
        raise NotImplementedError

    def _judged(self, pairs: Pairs, head: str, deadline: float) -> list[Scored]:
        """What a head says of pairs that are not remembered here."""
        raise NotImplementedError


class OnnxJudge(ExportedJudge):
    """A judge whose passes are made in this process; weights are read when first used."""

    def self_test(self) -> float:
        """The mean difference from the stored probabilities. Raises `JudgeFailed` beyond tolerance."""
        return self._encoder.pass_self_test("judge", self._difference)

    def _difference(self, stored: Mapping[str, Sequence[Mapping[str, Any]]]) -> float:
        return max(
            float(np.abs(self.raw_probabilities(head, rows) - [row["expected"] for row in rows]).mean())
            for head, rows in stored.items()
            if head in LONG_SIDE
        )

    def raw_probabilities(self, head: str, rows: Sequence[Mapping[str, Any]]) -> NDArray[np.float64]:
        """Probabilities before calibration of rows with `first` and `second`, which fit one pass, no question heard."""
        windows = self.hearing("")._windows([(row["first"], row["second"]) for row in rows], head)
        (logits,) = self._encoder.columns([group[0].tokens for group in windows], [head], deadline=float("inf"))
        return Calibration.identity(self.fingerprint).of(head, np.asarray(logits, dtype=np.float32))

    def _sizes(self, pairs: Pairs, head: str) -> list[int]:
        return [self._encoder.unread([window.tokens for window in group]) for group in self._windows(pairs, head)]

    def _judged(self, pairs: Pairs, head: str, deadline: float) -> list[Scored]:
        with judging("The judge"):
            if self._self_testing:
                self.self_test()
                self._self_testing = False
            return [one for batch in in_time(pairs, deadline) for one in self._batch(batch, head, deadline)]

    def _batch(self, pairs: Pairs, head: str, deadline: float) -> list[Scored]:
        groups = self._windows(pairs, head)
        windows = [window for group in groups for window in group]
        marking = head == "nli" and "words" in self.heads
        asked = [head, "words"] if marking else [head]
        rows, *words = self._encoder.columns([window.tokens for window in windows], asked, deadline=deadline)
        logits = np.asarray(rows, dtype=np.float32)
        if head in ASKING and (weight := self._nearness()):
            seen = [(one, text[slice(*w.span)]) for (one, text), g in zip(pairs, groups, strict=True) for w in g]
            logits += weight * cosines(self._embedder, seen)
        marks = [_marked(*one) for one in zip(windows, words[0], strict=True)] if marking else []
        ends = np.cumsum([len(group) for group in groups])
        return [
            Scored([window.span for window in group], logits[end - len(group) : end], marks[end - len(group) : end])
            for group, end in zip(groups, ends, strict=True)
        ]

    def _nearness(self) -> float:
        """What a cosine of 1 adds to its logits; nothing where the judge was exported before there was any."""
        return float(self._encoder.metadata().get("nearness", 0.0))

    def _windows(self, pairs: Pairs, head: str) -> list[list[Window]]:
        tokenizer, _ = self._encoder.load()
        lead = self._question if head == "nli" else ""
        return PairWindows(tokenizer, LONG_SIDE[head], lead).of(pairs)


def _marked(window: Window, words: NDArray[np.float32]) -> tuple[Place, ...]:
    """The characters of the short text whose tokens are rather not supported, the most doubtful first."""
    own = words[window.short_first : window.short_first + len(window.short)]
    return tuple(window.short[at] for at in np.argsort(-own, kind="stable") if own[at] >= 0)
