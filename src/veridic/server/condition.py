"""How the server is: whether it serves, what it holds, what may be chosen."""

from collections import Counter
from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import Response

from veridic import __version__
from veridic.api.documents import base_status
from veridic.api.remembered import list_records
from veridic.context import Context
from veridic.errors import StoreMissing
from veridic.graph.systems import SYSTEMS
from veridic.resources import default_resources
from veridic.server.callers import callers
from veridic.server.requests import caller_of, settings_of, told, told_to
from veridic.settings import Settings


def health(_request: Request) -> Response:
    """GET, for everybody: the server serves, and whether it asks for a key."""
    return told({"status": "ok", "version": __version__, "keys": callers().asked})


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
