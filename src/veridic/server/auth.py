"""Who may do what on a LangGraph server: `auth` of `langgraph.json`.

A caller's threads are the caller's own. A client changes no assistant, keeps nothing in the server's store and makes no
schedule: what a run may choose it sends with the run.
"""

from collections.abc import Mapping
from typing import Any

from anyio import to_thread
from langgraph_sdk import Auth

from veridic.errors import AccessError, StoreUnavailable
from veridic.server.callers import ANYBODY, callers
from veridic.server.requests import status_of

auth = Auth()

OWNER = "owner"
"""The entry of a thread's metadata that says whose it is."""
UNKNOWN = "unknown"
"""The host of whom a server does not say where from they ask."""


@auth.authenticate
async def authenticate(
    headers: Mapping[bytes, bytes] | Mapping[str, str], scope: Mapping[str, Any] | None = None
) -> Auth.types.MinimalUserDict:
    """Who asks, with the namespace that `veridic.graph.serving` reads. Raises an HTTP error of 401, 403 or 503.

    Aegra gives the headers alone, as text: from where it is asked is not known, so it is not from this machine.
    """
    host, _ = (scope.get("client") or (None, 0)) if scope is not None else (UNKNOWN, 0)
    given = {_text(name).lower(): _text(value) for name, value in headers.items()}
    try:
        caller = await to_thread.run_sync(lambda: callers().caller(given, host))  # a file may be read
    except (AccessError, StoreUnavailable) as error:
        raise Auth.exceptions.HTTPException(status_code=status_of(error), detail=str(error)) from error
    return {  # type: ignore[typeddict-unknown-key]
        "identity": caller.identity,
        "display_name": caller.identity,
        "is_authenticated": True,
        "permissions": [caller.role],
        "namespace": caller.namespace,
    }


@auth.on
async def refuse(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> bool:  # noqa: ARG001 - the names are LangGraph's
    """What is not allowed below is refused, but on a server that asks nobody who it is."""
    return ctx.user.identity == ANYBODY


@auth.on.threads
async def own_threads(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> dict[str, str]:
    """A thread belongs to who made it; nobody else sees it, lists it or runs on it."""
    metadata = value.get("metadata")
    if metadata is None:
        metadata = value["metadata"] = {}
    metadata[OWNER] = ctx.user.identity  # in place: the server goes on with this one
    return {OWNER: ctx.user.identity}


@auth.on(resources="assistants", actions=["read", "search"])
async def read_assistants(ctx: Auth.types.AuthContext, value: dict[str, Any]) -> bool:  # noqa: ARG001 - as above
    """Everybody may see the assistants: they are the systems of the papers."""
    return True


def _text(given: bytes | str) -> str:
    return given if isinstance(given, str) else given.decode("latin-1")
