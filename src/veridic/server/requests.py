"""What every route does with a request: who asks, what was sent, how it is answered."""

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import TypeVar

from pydantic import BaseModel, ValidationError
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from veridic import errors
from veridic.exporting.outgoing import for_a_line, for_json
from veridic.resources import own_settings
from veridic.server.callers import Caller, callers
from veridic.settings import Settings, in_postgres

STATUS: Mapping[type[errors.VeridicError], int] = {
    errors.NotAuthenticated: 401,
    errors.NotAllowed: 403,
    errors.DocumentMissing: 404,
    errors.RunMissing: 404,
    errors.StoreMissing: 404,
    errors.RequestTooLarge: 413,
    errors.StoreUnavailable: 503,
    errors.TooManyRequests: 429,
    errors.UsageError: 400,
}
"""Of HTTP, for what went wrong; 500 for the rest."""

PLACES = frozenset({"url", "scope", "docs"})
"""Keys of answers beneath which addresses of documents stand."""
METHOD_NOT_TAKEN = 405

Sent = TypeVar("Sent", bound=BaseModel)


def caller_of(connection: HTTPConnection) -> Caller:
    """Who asks. Raises `NotAuthenticated`, `NotAllowed`."""
    return callers().caller(connection.headers, connection.client.host if connection.client else None)


def manager_of(connection: HTTPConnection) -> Caller:
    """Who asks, where it is somebody who manages. Raises `NotAuthenticated`, `NotAllowed`."""
    caller = caller_of(connection)
    if not caller.manages:
        raise errors.NotAllowed(
            "This key may ask and not manage.", "Use one made with `veridic keys add NAME --role manages`."
        )
    return caller


def settings_of(caller: Caller) -> Settings:
    """The process's settings, with the caller's namespace."""
    return own_settings().model_copy(update={"namespace": caller.namespace})


def uploads_of(caller: Caller) -> Path:
    """Where a caller's uploaded documents are kept."""
    settings = settings_of(caller)
    own = Settings.model_fields["kb"].get_default(call_default_factory=True)
    kb = Path(own if in_postgres(settings.kb) else settings.kb).expanduser().absolute()
    return (settings.uploads or kb.with_name(f"{kb.stem}.uploads")) / caller.namespace


async def sent(request: Request, kind: type[Sent]) -> Sent:
    """What was sent as JSON. Raises `InvalidInput` naming the first thing that is wrong."""
    try:
        return kind.model_validate_json(await request.body() or b"{}")
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the request"
        known = f"Send JSON with: {', '.join(kind.model_fields)}."
        misspelt = first["type"] == "extra_forbidden"
        mend = errors.nearest_of(where, kind.model_fields, known) if misspelt else known
        raise errors.InvalidInput(f"{where}: {first['msg']}.", mend) from error


def told(content: object, status: int = 200) -> Response:
    """An answer as JSON, its texts without control and invisible characters."""
    return Response(for_json(content), status, media_type="application/json")


def told_to(caller: Caller, content: object) -> Response:
    """An answer with addresses of documents, as the caller may see them."""
    return told(seen_by(caller, content))


def seen_by(caller: Caller, content: object) -> object:
    """Content of an answer as the caller may see it, which is all of it for who manages."""
    return content if caller.manages else _without_folders(content)


def _without_folders(content: object, *, place: bool = False) -> object:
    """The content with absolute paths cut down to their last name, where `place` says that they are addresses."""
    match content:
        case str():
            return PurePath(content).name if place and PurePath(content).is_absolute() else content
        case Mapping():
            return {name: _without_folders(value, place=name in PLACES) for name, value in content.items()}
        case Sequence():
            return [_without_folders(value, place=place) for value in content]
    return content


def status_of(error: errors.VeridicError, known: Mapping[type[errors.VeridicError], int] = STATUS) -> int:
    """The status of HTTP for what went wrong."""
    return next((known[kind] for kind in type(error).__mro__ if kind in known), 500)


def told_error(error: errors.VeridicError) -> dict[str, object]:
    """An error as a client gets it."""
    return {"error": type(error).__name__, "problem": error.problem, "mend": error.mend, "retryable": error.retryable}


def not_routed(request: Request, error: Exception) -> Response:
    """The answer to a request for which there is no route, or none that takes its method."""
    if not isinstance(error, HTTPException):
        raise error
    path, allowed = for_a_line(request.url.path), (error.headers or {}).get("Allow")
    if error.status_code == METHOD_NOT_TAKEN and allowed:
        told_of = errors.UsageError(f"{path} takes no {request.method}.", f"It takes {allowed}.")
    else:
        told_of = errors.UsageError(
            f"There is nothing at {path} ({error.detail}).", "docs/reference/routes.md lists what there is."
        )
    response = told(told_error(told_of), error.status_code)
    response.headers.update(error.headers or {})
    return response


def failed(_request: Request, error: Exception) -> Response:
    """The answer to a request that went wrong in one of our ways."""
    if not isinstance(error, errors.VeridicError):
        raise error
    status = status_of(error)
    response = told(told_error(error), status)
    if status == STATUS[errors.NotAuthenticated]:
        response.headers["www-authenticate"] = "Bearer"
    return response
