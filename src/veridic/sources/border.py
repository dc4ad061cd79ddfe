"""Where the errors of HTTP libraries become ours. Messages name a host, never an address with its query or a key."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from veridic.errors import AddressForbidden, SourceBusy, SourceError, SourceRefused, SourceUnavailable, VeridicError
from veridic.runtime.deadline import exceeded

if TYPE_CHECKING:
    import requests

_AGAIN_LATER = frozenset((408, 425))
_LATER = "Try again later."


@contextmanager
def border(place: str, deadline: float) -> Iterator[None]:
    """Run calls of an HTTP client; what it raises leaves as an error of ours.

    Raises `AddressForbidden` for a scheme or address that is not http(s), `SourceRefused` for too many
    redirects or a certificate that does not fit, `DeadlineExceeded` when the time was over, and
    `SourceUnavailable` for everything else, an answer of an unexpected shape included.
    """
    import requests

    try:
        yield
    except VeridicError:
        raise
    except requests.exceptions.RequestException as error:
        raise (exceeded(place) if time.time() >= deadline else _translated(place, error)) from error
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise SourceUnavailable(f"{place} sent an answer of an unexpected shape.", _LATER) from error


def check_status(place: str, status: int, rest: float | None = None) -> None:
    """Raise `SourceUnavailable` for 408, 425 and 5xx, `SourceRefused` for any other status from 400.

    With `rest`, seconds for which the place is left alone from now on, it is `SourceBusy`.
    """
    if rest is not None:
        raise SourceBusy(f"{place} answered with status {status} and is left alone for {rest:.0f} s.", _LATER)
    if status in _AGAIN_LATER or status >= 500:
        raise SourceUnavailable(f"{place} answered with status {status}.", _LATER)
    if status >= 400:
        raise SourceRefused(f"{place} answered with status {status}.", "Check the key, the address and the query.")


def _translated(place: str, error: "requests.exceptions.RequestException") -> SourceError:
    from requests import exceptions

    if isinstance(error, exceptions.InvalidSchema | exceptions.MissingSchema | exceptions.InvalidURL):
        return AddressForbidden(f"{place} leads to an address that is not http or https.", "Check the source's URL.")
    if isinstance(error, exceptions.TooManyRedirects):
        return SourceRefused(f"{place} redirects too often.", "Check the source's URL.")
    if isinstance(error, exceptions.SSLError):
        return SourceRefused(f"The certificate of {place} does not fit.", "Check the source's URL and the clock.")
    if isinstance(error, exceptions.JSONDecodeError):
        return SourceUnavailable(f"{place} sent something that is not JSON.", _LATER)
    return SourceUnavailable(f"{place} cannot be reached ({type(error).__name__}).", "Check the network.")
