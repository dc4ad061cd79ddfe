"""Judges and readers whose passes are made by `veridic judges serve`: card, calibration and decisions stay here.

A request names the weights that it expects by their fingerprint, and a service that has others refuses it. How much
time is left travels as seconds, since two machines' clocks differ.
"""

import hashlib
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import TypeAdapter, ValidationError

from veridic.errors import JudgeFailed, VeridicError, judging
from veridic.models.cross_encoder import ExportedJudge
from veridic.models.endpoint import BRIEF, Endpoint
from veridic.models.reader import ExportedReader
from veridic.models.scorers import Pairs, Place, Scored
from veridic.ports.judgements import Reading
from veridic.ports.shapes import TrialFigure
from veridic.runtime.kept import Kept

READING = "reading"
"""The head of a reader."""
PER_REQUEST = 128
"""Pairs of one request; so many more are several, and let others in between."""
FILES = ("card", "calibration", "reader_calibration", "decision")
"""What of a judge's folder decides beside its weights, as JSON: it travels to who has no such folder."""
Rows = list[float] | list[tuple[float, float, float]]
JUDGEMENTS = TypeAdapter(list[tuple[list[Place], Rows, list[tuple[Place, ...]]]])
FIGURE = TypeAdapter(TrialFigure)
READINGS = TypeAdapter(list[Reading])
SIZES = TypeAdapter(list[int])


def told_scored(one: Scored) -> tuple[list[Place], list[Any], list[tuple[Place, ...]]]:
    """What a scorer said of a pair, as it travels: places, rows, doubtful places."""
    return list(one.places), one.rows.tolist(), list(one.doubtful)


def told_files(folder: Path) -> dict[str, Any]:
    """What of a judge's folder travels to who has none, by the files' names."""
    found = ((name, folder / f"{name}.json") for name in FILES)
    return {name: json.loads(path.read_bytes()) for name, path in found if path.is_file()}


def told_folder(service: Endpoint, cache: Path) -> Path | None:
    """A folder with what the service tells of its base judge, and no weights; None where it has no base judge.

    What it told last is kept in `cache`, for when it does not answer. Raises `JudgeFailed` where it never did.
    """
    folder = cache / hashlib.sha256(service.name.encode()).hexdigest()[:16]
    try:
        with judging(service.name):
            told = [one["files"] for one in service.get("/info")["judges"] if one["rank"] == "base"]
            for name in FILES if told else ():
                Kept(folder).keep(name, told[0][name])
    except JudgeFailed:
        if not (folder / f"{FILES[-1]}.json").is_file():
            raise
        return folder
    return folder if told else None


def told_figures(service: Endpoint) -> dict[str, TrialFigure]:
    """What trials found of the service's judges, by fingerprint; nothing where it does not tell."""
    with suppress(VeridicError), judging(service.name):
        return {
            one["fingerprint"]: FIGURE.validate_python(one["trial"])
            for one in service.get("/info")["judges"]
            if one["trial"]
        }
    return {}


class _Remote:
    """How a service is asked for the passes of one set of weights."""

    def __init__(self, service: Endpoint, fingerprint: str) -> None:
        self._service = service
        self._fingerprint = fingerprint

    def asked(self, pairs: Pairs, head: str, deadline: float, question: str = "") -> list[Any]:
        """What it says of each pair, in order. Raises what `Endpoint.post` raises."""
        return [one for some in _in_parts(pairs) for one in self._part("/judge", some, head, question, deadline)]

    def sizes(self, pairs: Pairs, head: str, question: str = "") -> list[int]:
        """How many tokens judging each pair takes there."""
        deadline = time.time() + BRIEF
        return [one for some in _in_parts(pairs) for one in self._part("/tokens", some, head, question, deadline)]

    def _part(self, path: str, pairs: Pairs, head: str, question: str, deadline: float) -> list[Any]:
        left = deadline - time.time()
        asked = {"fingerprint": self._fingerprint, "head": head, "question": question, "pairs": pairs}
        told = self._service.post(path, {**asked, "seconds": left if isfinite(left) else None}, deadline=deadline)
        kind: TypeAdapter[list[Any]] = SIZES if path == "/tokens" else READINGS if head == READING else JUDGEMENTS
        try:
            found = kind.validate_python(told["told"])
        except (ValidationError, LookupError, TypeError) as error:
            raise self.unreadable() from error
        if len(found) != len(pairs) or told.get("fingerprint") != self._fingerprint:
            raise self.unreadable()
        return found

    def unreadable(self) -> JudgeFailed:
        """The error for an answer that is none."""
        return JudgeFailed(
            f"What {self._service.name} answered is no judgement.", "Serve and ask with the same version of veridic."
        )


class RemoteJudge(ExportedJudge):
    """A judge whose passes a service makes."""

    def __init__(self, folder: Path, service: Endpoint, **how: Any) -> None:  # noqa: ANN401 - as `ExportedJudge`
        """`folder` needs no weights; for the rest see `ExportedJudge`."""
        super().__init__(folder, **how)
        self._remote = _Remote(service, self.fingerprint)

    def _sizes(self, pairs: Pairs, head: str) -> list[int]:
        return self._remote.sizes(pairs, head, self._question)

    def _judged(self, pairs: Pairs, head: str, deadline: float) -> list[Scored]:
        said = self._remote.asked(pairs, head, deadline, self._question)
        found = [Scored(places, np.array(rows, dtype=np.float32), doubtful) for places, rows, doubtful in said]
        if not all(_fits(one, head) for one in found):
            raise self._remote.unreadable()
        return found


class RemoteReader(ExportedReader):
    """A reader that reads at a service."""

    def __init__(self, folder: Path, service: Endpoint, **how: Any) -> None:  # noqa: ANN401 - as `ExportedReader`
        """`folder` needs no weights; for the rest see `ExportedReader`."""
        super().__init__(folder, **how)
        self._remote = _Remote(service, self.fingerprint)

    def tokens(self, pairs: Sequence[tuple[str, str]]) -> list[int]:
        """How many tokens reading each pair takes there; none where they are remembered."""
        return self._remote.sizes(pairs, READING)

    def _read(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[Reading]:
        return self._remote.asked(pairs, READING, deadline)


def _in_parts(pairs: Pairs) -> Iterator[Pairs]:
    yield from (pairs[at : at + PER_REQUEST] for at in range(0, len(pairs), PER_REQUEST))


def _fits(one: Scored, head: str) -> bool:
    """Whether there is one row a window, of as many numbers as the head says, all finite."""
    shape = (len(one.places), 3) if head == "nli" else (len(one.places),)
    marks = len(one.doubtful) in (0, len(one.places))
    return bool(one.places) and one.rows.shape == shape and marks and bool(np.isfinite(one.rows).all())
