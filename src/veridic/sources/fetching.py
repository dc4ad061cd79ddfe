"""A page or a file at an address that the user names, through the guard."""

from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from veridic.errors import AddressForbidden
from veridic.ports.sources import FetchedPage
from veridic.settings import Settings
from veridic.sources.border import border
from veridic.sources.transport import guarded_session

if TYPE_CHECKING:
    import requests

SCHEMES = ("http://", "https://")


def is_address(reference: str) -> bool:
    """Whether a reference is an address of the web."""
    return reference.lower().startswith(SCHEMES)


def fetch(url: str, settings: Settings, *, deadline: float) -> FetchedPage:
    """What stands at an address.

    Text is in UTF-8 where the server says in what it is written.

    Raises `AddressForbidden`, also for an address with a password, which would be stored, and `SourceUnavailable`,
    `SourceRefused` and `DeadlineExceeded`.
    """
    parts = urlsplit(url)
    if parts.username or parts.password:
        raise AddressForbidden(
            "The address holds a name or password, which would be kept with the document.",
            "Fetch it with another program and ingest the file.",
        )
    place = parts.hostname or "the address"
    with guarded_session(settings, deadline, most=settings.file_bytes) as session, border(place, deadline):
        return _fetched(session.get(url))


def _fetched(response: "requests.Response") -> FetchedPage:
    from requests.utils import get_encoding_from_headers

    said, content = response.headers.get("Content-Type", ""), response.content
    if "charset" in said.lower():
        with suppress(LookupError, UnicodeDecodeError):
            content = content.decode(get_encoding_from_headers(response.headers) or "").encode()
    return FetchedPage(content=content, media_type=said.partition(";")[0].strip().lower())
