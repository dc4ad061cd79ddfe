"""The judges as a service of their own: passes for runs of other processes and machines, which decide themselves.

Weights are asked for by their fingerprint. What is asked at the same time is judged together.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict
from functools import partial
from hmac import compare_digest
from math import inf
from typing import Any, Literal, TypeVar

import orjson
from pydantic import BaseModel, ConfigDict, Field
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from veridic import __version__, errors
from veridic.models.by_settings import base_folder, judge_folder
from veridic.models.cross_encoder import OnnxJudge
from veridic.models.judges_by_name import trial_of
from veridic.models.onnx_encoder import SHIPPED, remember
from veridic.models.reader import OnnxReader
from veridic.models.remote import READING, told_files, told_scored
from veridic.models.scorers import Pairs, TrainedCritic, TrainedEvaluator
from veridic.models.trial import NamedJudge
from veridic.server.batching import Batcher
from veridic.server.callers import Callers, credential_of
from veridic.server.limits import Limits
from veridic.server.metrics import Metrics
from veridic.server.requests import STATUS, sent, status_of, told_error
from veridic.settings import Settings

OWN_STATUS: Mapping[type[errors.VeridicError], int] = {
    errors.JudgeBusy: 503,
    errors.DeadlineExceeded: 504,
    errors.CalibrationMismatch: 409,
    **STATUS,
}
"""Of HTTP, for what went wrong; 500 for the rest."""
AGAIN = {"retry-after": "1"}
"""Seconds, for who met a full queue."""
MOST = 2048
"""Pairs of one request."""
REMEMBERED = 4096
"""Passes of the base judge whose outputs are kept: what a run's evaluator asked its reader asks, too."""
FIRST = [("Who?", "Nobody.")]
"""What is judged before anybody asks, so that weights are read and tested."""
Answer = Callable[[Request], Awaitable[Response]]
Weights = TypeVar("Weights")


class Asked(BaseModel):
    """What is asked of one set of weights."""

    model_config = ConfigDict(extra="forbid")

    fingerprint: str
    head: Literal["relevance", "usefulness", "nli", "reading"]
    question: str = ""
    """What the statements answer; the base judge hears it."""
    pairs: list[tuple[str, str]] = Field(max_length=MOST)
    seconds: float | None = Field(default=None, gt=0)
    """What is left of the time from now on; None: no bound."""


class JudgeService:
    """The weights that settings name, and the answers to what is asked of them."""

    def __init__(self, settings: Settings, batcher: Batcher) -> None:
        """The batcher reads the weights from now on. Raises `UsageError` where the settings' judges are elsewhere."""
        if settings.judges_at:
            raise errors.UsageError("The judges are elsewhere, by VERIDIC_JUDGES.", "Set it to base or small here.")
        self._batcher = batcher
        self._trial = trial_of(settings)
        how: dict[str, Any] = {"threads": settings.threads, "cache": settings.cache}
        base = None if settings.judges == "small" else base_folder()
        if base:
            remember(base, REMEMBERED)
        judges = [OnnxJudge(folder, **how) for folder in (judge_folder(settings), base) if folder]
        readers = [OnnxReader(SHIPPED / "reader", **how)]
        if base:
            readers.append(OnnxReader(base, calibration=base / "reader_calibration.json", **how))
        self._judges = {one.fingerprint: one for one in judges}
        self._readers = {one.fingerprint: one for one in readers}
        self._first = batcher.submit("first", self._opened, FIRST, deadline=inf)

    async def judge(self, request: Request) -> Response:
        """POST: what weights say of pairs, window by window, before any calibration."""
        asked = await sent(request, Asked)
        found = await asyncio.wrap_future(self._submitted(asked))
        told: Callable[[Any], object] = asdict if asked.head == READING else told_scored
        return _told({"fingerprint": asked.fingerprint, "told": [told(one) for one in found]})

    async def tokens(self, request: Request) -> Response:
        """POST: how many tokens judging each pair takes; none where it was judged lately."""
        asked = await sent(request, Asked)
        return _told({"fingerprint": asked.fingerprint, "told": await run_in_threadpool(self._counted, asked)})

    async def info(self, _request: Request) -> Response:
        """GET: the weights by their fingerprints, what a trial found of them, and what is fitted to them."""
        judges = await run_in_threadpool(lambda: [self._described(one) for one in self._judges.values()])
        return _told({"version": __version__, "judges": judges, "readers": list(self._readers)})

    async def health(self, _request: Request) -> Response:
        """GET, for everybody: 200 when all weights are read and agree with their stored answers, 503 before."""
        ready = self._batcher.runs and self._first.done() and not self._first.exception()
        return _told({"live": True, "ready": ready, "version": __version__}, 200 if ready else 503)

    def _opened(self, pairs: Pairs, deadline: float) -> Sequence[Any]:
        """Judge and read with all weights, which opens and tests them."""
        for judge in self._judges.values():
            judge.logits(pairs, "relevance", deadline=deadline)
        return [one.read(pairs, deadline=deadline) for one in self._readers.values()]

    def _submitted(self, asked: Asked) -> Future[list[Any]]:
        deadline = inf if asked.seconds is None else time.time() + asked.seconds
        key = (asked.fingerprint, asked.head, asked.question)
        return self._batcher.submit(key, partial(self._judged, asked), asked.pairs, deadline=deadline)

    def _judged(self, asked: Asked, pairs: Pairs, deadline: float) -> Sequence[Any]:
        if asked.head == READING:
            return _of(self._readers, asked).read(pairs, deadline=deadline)
        judge = _of(self._judges, asked).hearing(asked.question)
        return judge.logits(pairs, asked.head, deadline=deadline)

    def _counted(self, asked: Asked) -> list[int]:
        if asked.head == READING:
            return _of(self._readers, asked).tokens(asked.pairs)
        return _of(self._judges, asked).hearing(asked.question).tokens(asked.pairs, asked.head)

    def _described(self, judge: OnnxJudge) -> dict[str, object]:
        found = self._trial.known(NamedJudge(judge.rank, TrainedEvaluator(judge), TrainedCritic(judge)))
        figure = found.figure if found else None
        return {
            "fingerprint": judge.fingerprint,
            "rank": judge.rank,
            "trial": figure,
            "files": told_files(judge.folder),
        }


class Door:
    """Lets in who has the key; without a key this machine alone, or everybody where the settings say so."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        """Requests are counted."""
        self._key = settings.judges_key.get_secret_value().encode() if settings.judges_key else None
        mend = "Set VERIDIC_JUDGES_KEY, here and where the runs are, or VERIDIC_OPEN_TO=all here."
        self._callers = Callers(settings.model_copy(update={"api_keys": None}), mend=mend)
        self._metrics = metrics

    def before(self, answer: Answer, *, free: bool = False) -> Answer:
        """The answer for who may ask, which is everybody where it is free; what goes wrong is told with a status."""

        async def answered(request: Request) -> Response:
            """As `answer`; a failure of ours as its status."""
            try:
                if not free:
                    self._admit(request)
                response = await answer(request)
            except errors.VeridicError as error:
                response = _refused(error)
            self._metrics.requests.labels(response.status_code).inc()
            return response

        return answered

    def _admit(self, request: Request) -> None:
        """Raises `NotAuthenticated`, `NotAllowed`."""
        if self._key is None:
            self._callers.caller(request.headers, request.client.host if request.client else None)
        elif not compare_digest(credential_of(request.headers).encode(), self._key):
            raise errors.NotAuthenticated(
                "The key is not this service's.", "Set VERIDIC_JUDGES_KEY to the same as here."
            )


def judges_app(settings: Settings, batcher: Batcher, metrics: Metrics) -> Starlette:
    """The service as an application. Raises `UsageError` where the settings' judges are elsewhere."""
    service, door = JudgeService(settings, batcher), Door(settings, metrics)

    async def counts(_request: Request) -> Response:
        return Response(metrics.told(), media_type="text/plain; version=0.0.4")

    return Starlette(
        routes=[
            Route("/judge", door.before(service.judge), methods=["POST"]),
            Route("/tokens", door.before(service.tokens), methods=["POST"]),
            Route("/info", door.before(service.info)),
            Route("/metrics", door.before(counts)),
            Route("/health", door.before(service.health, free=True)),
        ],
        middleware=[Middleware(Limits, rate=None, most=settings.request_bytes)],
    )


def _of(held: Mapping[str, Weights], asked: Asked) -> Weights:
    """The weights that are meant. Raises `CalibrationMismatch` where there are others."""
    if found := held.get(asked.fingerprint):
        return found
    raise errors.CalibrationMismatch(
        f"Here are {', '.join(held)}, and no {asked.fingerprint[:16]!a}.",
        "Serve and ask with the same version of veridic, and the same VERIDIC_JUDGE.",
    )


def _told(content: object, status: int = 200) -> Response:
    return Response(orjson.dumps(content), status, media_type="application/json")


def _refused(error: errors.VeridicError) -> Response:
    response = _told(told_error(error), status_of(error, OWN_STATUS))
    response.headers.update(AGAIN if isinstance(error, errors.JudgeBusy) else {})
    return response
