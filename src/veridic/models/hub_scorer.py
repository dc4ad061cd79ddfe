"""Any checker, NLI model or reranker of the hub as a `Scorer` (`pip install 'veridic[hf]'`)."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path

import numpy as np

from veridic.errors import UnknownModel, judging
from veridic.models.calibrating import self_calibrated
from veridic.models.calibration import Calibration
from veridic.models.hf import HubModel
from veridic.models.hub_adapters import SequenceAdapter, Told, load_adapter
from veridic.models.hub_forms import Form, form_named
from veridic.models.onnx_encoder import check_time
from veridic.models.scorers import LONG_SIDE, Pairs, Place, Scored
from veridic.ports.file_limits import CHARACTERS_PER_TOKEN
from veridic.ports.judgements import Rank
from veridic.runtime.kept import Kept

_log = logging.getLogger(__name__)


class HubScorer:
    """A model in its form. One that knows two labels says "supported" or not; it contradicts nothing."""

    rank: Rank = "hub"
    heads: Sequence[str] = ()

    def __init__(self, name: str, *, calibrations: Sequence[Path] = (), kept: Kept | None = None) -> None:
        """`name` is a hub name or a local folder; nothing is loaded yet.

        One of the calibrations, if there are any, must be for this model. Without them it calibrates itself when
        first used, and what it finds is kept; without a place for that it does not gate.
        """
        self._hub = HubModel(name, load_adapter)
        self._paths = calibrations
        self._kept = kept

    @property
    def form(self) -> Form:
        """How it is asked. Raises `UnknownModel`, `MissingExtra`."""
        form: Form = self._hub.opened(form_named)
        return form

    @property
    def entails(self) -> bool:
        """Whether it judges statements, as a critic does; an evaluator judges passages."""
        return self.form.judges == "statements"

    @property
    def fingerprint(self) -> str:
        """Names weights and form; thresholds belong to one fingerprint."""
        if self._hub.is_local:
            return self._hub.fingerprint
        return hashlib.sha256(f"{self._hub.name}{self.form}".encode()).hexdigest()[:16]

    @cached_property
    def calibration(self) -> Calibration:
        """The user's own (raises `CalibrationMismatch`), else what it found of itself.

        Where that fails, whatever raises, it is the identity, which does not gate.
        """
        if self._paths:
            return Calibration.among(self._paths, self.fingerprint) or Calibration.read(
                self._paths[0], self.fingerprint
            )
        if self._kept is None:
            return Calibration.identity(self.fingerprint)
        try:
            return self_calibrated(self, "critic" if self.entails else "evaluator", self._kept)
        except Exception as error:  # noqa: BLE001 - whatever it is, nothing is decided by this model
            _log.warning("%s cannot calibrate itself, and decides nothing: %s", self._hub.name, error)
            return Calibration.identity("")

    def tokens(self, pairs: Pairs, head: str) -> list[int]:  # noqa: ARG002 - the protocol's
        """About so many: its own tokenizer would have to be loaded to know."""
        return [(len(first) + len(second)) // CHARACTERS_PER_TOKEN for first, second in pairs]

    def logits(self, pairs: Pairs, head: str, *, deadline: float) -> list[Scored]:
        """See `Scorer`. Raises `UnknownModel` besides, of a head that it is not for."""
        if not pairs:
            return []
        check_time(deadline)
        if self.entails != (head == "nli"):
            told = (
                "statements: a critic needs an NLI model or a checker" if head == "nli" else "passages: name a reranker"
            )
            raise UnknownModel(f"{self._hub.name} does not judge {told}.", "Give it to the other judge.")
        turned = pairs if LONG_SIDE[head] == "first" else [(second, first) for first, second in pairs]
        with judging(self._hub.name):
            return self._scored(self._hub.model, turned, deadline)

    def _scored(self, adapter: SequenceAdapter, pairs: Pairs, deadline: float) -> list[Scored]:
        with adapter.lock:
            texts = [adapter.prepared(long, short) for long, short in pairs]
            cut = [adapter.windows(long, short) for long, short in texts]
        flat = [(long[slice(*at)], short) for (long, short), places in zip(texts, cut, strict=True) for at in places]
        told: list[Told] = []
        for at in range(0, len(flat), adapter.batch):
            with adapter.lock:
                check_time(deadline)
                told += adapter.told(flat[at : at + adapter.batch])
        left = iter(told)
        return [_one(places, list(islice(left, len(places))), adapter.form) for places in cut]


def _one(places: Sequence[Place], told: Sequence[Told], form: Form) -> Scored:
    """What was said of one pair, in the columns that the heads have."""
    rows = np.array([one.row for one in told], dtype=np.float32)
    if rows.shape[1] < 3:
        margin = rows[:, 0] - rows[:, 1] if rows.shape[1] == 2 else rows[:, 0]
        never = np.full_like(margin, -np.inf)
        rows = np.column_stack([margin, np.zeros_like(margin), never]) if form.judges == "statements" else margin
    return Scored(places, rows, [one.doubtful for one in told] if form.head == "tokens" else ())
