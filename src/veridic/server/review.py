"""Earlier runs and what was learned of them: listed, shown, spoken of, approved, rejected."""

from dataclasses import asdict
from typing import Literal, cast

from pydantic import BaseModel, ConfigDict
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from veridic.api.history import feedback, list_runs, logged_run
from veridic.api.remembered import LISTED, Settled, approve, list_records, reject, show_record
from veridic.errors import DocumentMissing, UsageError
from veridic.server.requests import caller_of, manager_of, sent, settings_of, told, told_to

MOST = 1000
"""Runs that are listed at once."""


class Said(BaseModel):
    """What somebody says of an answer."""

    model_config = ConfigDict(extra="forbid")

    run_id: str
    verdict: Literal["up", "down", "correction"]
    correction: str = ""


class Why(BaseModel):
    """Why a record is rejected."""

    model_config = ConfigDict(extra="forbid")

    reason: str = ""


def runs(request: Request) -> Response:
    """GET `?outcome=&limit=`: the newest runs of the caller's namespace, for who manages it."""
    settings = settings_of(manager_of(request))
    found = list_runs(outcome=request.query_params.get("outcome"), limit=limit_of(request), settings=settings)
    return told([asdict(one) for one in found])


def run(request: Request) -> Response:
    """GET: the whole result of a run."""
    caller = caller_of(request)
    return told_to(caller, logged_run(request.path_params["run_id"], settings=settings_of(caller)))


async def say(request: Request) -> Response:
    """POST: what the answer of a run was worth."""
    caller, said = await run_in_threadpool(caller_of, request), await sent(request, Said)
    given = await run_in_threadpool(feedback, said.run_id, said.verdict, said.correction, settings=settings_of(caller))
    return told(asdict(given))


def limit_of(request: Request) -> int:
    """How many are asked for. Raises `UsageError`."""
    given = request.query_params.get("limit", "50")
    if not given.isdecimal() or not 1 <= int(given) <= MOST:
        raise UsageError(f"limit: {given!r} is no number from 1 to {MOST:,}.", "Send one, or leave it out.")
    return int(given)


def records(request: Request) -> Response:
    """GET `?status=review,probation`: the records with one of these statuses, newest first."""
    statuses = [one for one in request.query_params.get("status", "").split(",") if one] or LISTED
    caller = caller_of(request)
    return told_to(caller, [asdict(one) for one in list_records(statuses=statuses, settings=settings_of(caller))])


def record(request: Request) -> Response:
    """GET: one record with what became of it."""
    caller = caller_of(request)
    return told_to(caller, asdict(show_record(request.path_params["record_id"], settings=settings_of(caller))))


def approved(request: Request) -> Response:
    """POST: the record counts from now on."""
    return _settled(approve(request.path_params["record_id"], settings=settings_of(manager_of(request))))


async def rejected(request: Request) -> Response:
    """POST: the record counts no more, and the same answer to its question is not learned again."""
    caller, why = await run_in_threadpool(manager_of, request), await sent(request, Why)
    name = cast("str", request.path_params["record_id"])
    return _settled(await run_in_threadpool(reject, name, reason=why.reason, settings=settings_of(caller)))


def _settled(settled: Settled) -> Response:
    for name in settled.unknown:
        raise DocumentMissing(f"There is no record {name}.", "The list of records names those that there are.")
    return told({**settled.done, **settled.unchanged})
