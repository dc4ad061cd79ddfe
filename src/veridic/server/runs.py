"""Earlier runs: listed, shown, spoken of."""

from dataclasses import asdict
from typing import Literal

from pydantic import BaseModel, ConfigDict
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from veridic.api.history import feedback, list_runs, logged_run
from veridic.errors import UsageError
from veridic.server.requests import caller_of, manager_of, sent, settings_of, told, told_to

MOST = 1000
"""Runs that are listed at once."""


class Said(BaseModel):
    """What somebody says of an answer."""

    model_config = ConfigDict(extra="forbid")

    run_id: str
    verdict: Literal["up", "down", "correction"]
    correction: str = ""


def runs(request: Request) -> Response:
    """GET `?outcome=&limit=`: the newest runs of the caller's namespace, for who manages it."""
    settings = settings_of(manager_of(request))
    found = list_runs(outcome=request.query_params.get("outcome"), limit=_limit(request), settings=settings)
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


def _limit(request: Request) -> int:
    """How many are asked for. Raises `UsageError`."""
    given = request.query_params.get("limit", "50")
    if not given.isdecimal() or not 1 <= int(given) <= MOST:
        raise UsageError(f"limit: {given!r} is no number from 1 to {MOST:,}.", "Send one, or leave it out.")
    return int(given)
