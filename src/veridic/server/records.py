"""What was learned: listed, shown, approved, rejected."""

from dataclasses import asdict
from typing import cast

from pydantic import BaseModel, ConfigDict
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from veridic.api.remembered import LISTED, Settled, approve, list_records, reject, show_record
from veridic.errors import DocumentMissing
from veridic.server.requests import caller_of, manager_of, sent, settings_of, told, told_to


class Why(BaseModel):
    """Why a record is rejected."""

    model_config = ConfigDict(extra="forbid")

    reason: str = ""


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
