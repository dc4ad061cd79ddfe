"""How the server is: whether it serves, what it holds, what may be chosen."""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from veridic import __version__
from veridic.api.documents import base_status
from veridic.api.remembered import list_records
from veridic.context import Context
from veridic.errors import StoreMissing, VeridicError
from veridic.graph.systems import SYSTEMS
from veridic.knowledge.base import is_held
from veridic.knowledge.connection import last_sequence
from veridic.models.placed import judge_service
from veridic.resources import default_resources, own_settings, own_store
from veridic.server.callers import callers
from veridic.server.requests import caller_of, settings_of, told, told_to
from veridic.settings import Settings, in_postgres

SOON = 2.0
"""Seconds in which a part answers, or counts as out of reach."""
_log = logging.getLogger(__name__)


async def health(_request: Request) -> Response:
    """GET, for everybody: the server lives, and whether it asks for a key; nothing else is asked."""
    return told({"status": "ok", "version": __version__, "keys": callers().asked})


async def ready(_request: Request) -> Response:
    """GET, for everybody: 200 where a question could be answered now; else 503 with what cannot be reached."""
    parts = {"knowledge base": _reached(_read, "knowledge base")}
    if own_settings().judges_at:
        service = judge_service(own_settings())
        parts["judges"] = _reached(lambda: service.get("/health", seconds=SOON), "judges")
    found = dict(zip(parts, await asyncio.gather(*parts.values()), strict=True))
    lost = [name for name, reached in found.items() if not reached]
    return told({"status": "not ready" if lost else "ready", "unreachable": lost}, 503 if lost else 200)


async def _reached(asked: Callable[[], object], name: str) -> bool:
    """Whether a part answers; the log says why it does not."""
    try:
        await run_in_threadpool(asked)
    except VeridicError as error:
        _log.warning("Not ready, for the %s: %s", name, error)
        return False
    return True


def _read() -> None:
    """Read a row of the knowledge base; a file that is not there yet is made by who asks first.

    Raises `StoreUnavailable`, `DeadlineExceeded`.
    """
    kb = own_settings().kb
    if not in_postgres(kb) and not is_held(kb):
        return
    with own_store().reading(time.time() + SOON) as connection:
        last_sequence(connection)


def condition(request: Request) -> Response:
    """GET: who asks, what the knowledge base holds, and what this server allows."""
    caller = caller_of(request)
    settings = settings_of(caller)
    resources = default_resources()
    return told_to(
        caller,
        {
            "caller": asdict(caller),
            "holds": _holds(settings),
            "model": resources.chat.name if resources.chat else "extractive",
            "sources": list(resources.sources),
            "unusable": dict(resources.unusable),
            "write_back": settings.write_back,
        },
    )


def choices(request: Request) -> Response:
    """GET: the systems, and what a run may choose, as a JSON schema."""
    caller_of(request)
    return told({"systems": {one.name: one.title for one in SYSTEMS.values()}, "context": Context.model_json_schema()})


def _holds(settings: Settings) -> dict[str, object] | None:
    """What the knowledge base holds, without where it lies; None before anything was taken in."""
    try:
        status = asdict(base_status(settings=settings))
    except StoreMissing:
        return None
    del status["path"]
    records = Counter(one.record.status for one in list_records(settings=settings) if one.record)
    return {**status, "records": dict(records)}
