"""What a provider's error means, in our words.

Of a request that it refuses, and of a model that was handed in, the error is told beside them, with what may be a key
masked: nobody else knows it.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from veridic import errors

_TOO_LONG = ("context_length_exceeded", "exceed_context_size", "context window", "context size", "maximum context")
_NO_CREDIT = ("insufficient_quota", "insufficient balance", "insufficient credit", "credit balance")
_NO_STREAM = "no generation chunks"
"""What LangChain says where nothing came of a stream."""

# By name: the providers' libraries bring their own HTTP clients, of several makes and versions.
_OUTAGES = frozenset({"TransportError", "APIError", "OSError"})
_CONNECTED = frozenset({"ReadError", "WriteError", "RemoteProtocolError", "ConnectionResetError", "BrokenPipeError"})
"""Outages of which only someone who was there is capable."""


@dataclass(frozen=True)
class Origin:
    """Whom an error came from, and what to do about it. No field holds a credential."""

    name: str
    """The model, as the user gave it."""
    endpoint: str
    absent: str
    """What to do when nothing answers."""
    unknown: str
    """What to do when the model is not known there."""
    key: str
    """What to do about a key."""
    otherwise: str = "Check that the base_url and the model's name belong together."
    """What to do about an error that means none of these."""
    handed_in: bool = False
    """Whether it is an object of the caller's, whose errors are told."""


def translated(error: Exception, origin: Origin) -> errors.ModelError:
    """The `ModelError` that says what a library's error means and what to do.

    Unreachable, timed out, 429 and 5xx are `ModelUnavailable`; a connection or a stream that broke is
    `ModelBrokeOff`; 401 and 403 `MissingKey`; 404 `UnknownModel`; a prompt over the window `PromptTooLong`; 402,
    what else says that no credit is left, and the rest a `ModelError`.
    """
    status = _status_of(error)
    shown = f" ({errors.told_of(error)})" if origin.handed_in else f" ({status})" if status and status > 0 else ""
    if status in {401, 403}:
        return errors.MissingKey(f"{origin.endpoint} refuses the key for {origin.name}{shown}.", origin.key)
    if status == 404:
        return errors.UnknownModel(f"{origin.endpoint} has no {origin.name}{shown}.", origin.unknown)
    if any(mark in str(error).lower() for mark in _TOO_LONG):
        return errors.PromptTooLong(f"The prompt is longer than the window of {origin.name}.", "Lower evidence_tokens.")
    if status == 402 or any(mark in str(error).lower() for mark in _NO_CREDIT):
        mend = "Add credit at its provider, or choose another model."
        return errors.ModelError(f"{origin.endpoint} has no credit left for {origin.name}{shown}.", mend)
    if status == 429:
        return errors.ModelUnavailable(f"{origin.endpoint} has had too many requests{shown}.", "Wait, then try again.")
    if _broke_off(error, status):
        log = origin.otherwise if origin.handed_in else "Look at its server's log."
        return errors.ModelBrokeOff(f"{origin.endpoint} broke off its reply for {origin.name}{shown}.", log)
    if status >= 500 if status else not _OUTAGES.isdisjoint(_kinds(error)):
        return errors.ModelUnavailable(f"{origin.endpoint} does not answer for {origin.name}{shown}.", origin.absent)
    if origin.handed_in:
        return errors.ModelError(f"{origin.endpoint} failed{shown}.", origin.otherwise)
    if _NO_STREAM in str(error).lower():
        return errors.ModelError(
            f"{origin.endpoint} sent no stream for {origin.name}.",
            "Its server is to answer `stream: true` with server-sent events.",
        )
    return errors.ModelError(
        f"{origin.endpoint} did not take the request for {origin.name}{shown}: {errors.told_of(error)}.",
        origin.otherwise,
    )


def _status_of(error: Exception) -> int | None:
    """The HTTP status that an error tells of; -1 is what ollama's library says of a stream that failed."""
    status = getattr(error, "status_code", None) or getattr(getattr(error, "response", None), "status_code", None)
    return status if isinstance(status, int) else None


def _broke_off(error: Exception, status: int | None) -> bool:
    """Whether the request was taken: what a stream tells of itself has no status of HTTP."""
    if status is not None:
        return status < 0
    return type(error).__name__ == "APIError" or not _CONNECTED.isdisjoint(_kinds(error))


def _kinds(error: BaseException | None) -> Iterator[str]:
    """The names of an error's classes and of those of its causes."""
    while error is not None:
        yield from (kind.__name__ for kind in type(error).__mro__)
        error = error.__cause__
