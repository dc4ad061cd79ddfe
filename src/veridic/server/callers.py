"""Who asks: found by an API key, and with it whose documents are asked and what may be done with them."""

import socket
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from ipaddress import ip_address
from urllib.parse import urlsplit

from veridic.errors import InvalidSetting, NotAllowed, NotAuthenticated
from veridic.ports.access import Role
from veridic.resources import own_settings
from veridic.server.keys import keys_of
from veridic.settings import Settings

FORWARDED = ("forwarded", "x-forwarded-for", "x-real-ip")
"""Headers by which a proxy says that somebody else asks."""
ANYBODY = "anybody"
"""The identity of all callers of a server that asks for no key."""
IPV6 = ":"
MEND = "Make a key with `veridic keys add NAME` and set VERIDIC_API_KEYS, or set VERIDIC_OPEN_TO=all."


@dataclass(frozen=True)
class Caller:
    """Who asks."""

    identity: str
    namespace: str
    """Whose documents, records and runs there are for this caller; there are no others."""
    role: Role
    """`asks`: ask, check, read, say what an answer was worth. `manages`: also documents and the review queue."""

    @property
    def manages(self) -> bool:
        """Whether documents and the review queue are the caller's to change."""
        return self.role == "manages"


class Callers:
    """Finds out who asks, as the settings say: by API keys; without them this machine alone."""

    def __init__(self, settings: Settings, mend: str = MEND) -> None:
        """`mend` says to who is refused from elsewhere how a server is opened."""
        self._mend = mend
        self._keys = keys_of(settings)
        self._own = Caller(ANYBODY, settings.namespace, "manages")
        self._open_to_all = settings.open_to == "all"
        self._origins = settings.origins

    @property
    def asked(self) -> bool:
        """Whether callers are asked who they are."""
        return self._keys is not None

    def caller(self, headers: Mapping[str, str], host: str | None) -> Caller:
        """Who sent a request with these headers, their names in small letters, from this host.

        Raises `NotAuthenticated`, for a caller of an open server from elsewhere `NotAllowed`.
        """
        if self._keys is None:
            return self._somebody(headers, host)
        key = self._keys.holder(credential_of(headers))
        if key is None:
            raise NotAuthenticated(
                "The key is not known here, or counts no more.", "Ask who runs this server for another."
            )
        return Caller(f"key:{key.name}", key.namespace, key.role)

    def _somebody(self, headers: Mapping[str, str], host: str | None) -> Caller:
        if self._open_to_all:
            return self._own
        # a request without a host came through no network
        if (host is not None and not is_this_machine(host)) or any(name in headers for name in FORWARDED):
            raise NotAllowed(
                "This server has no keys, so it serves its own machine alone.",
                self._mend,
            )
        self._hold_browser(headers)
        return self._own

    def _hold_browser(self, headers: Mapping[str, str]) -> None:
        """Let no page of another site ask through the browser of who sits at this machine.

        Such a page says where it is from; or it had its own name point here, and asks for the server by that name.
        """
        origin = headers.get("origin")
        if origin is not None and origin not in self._origins and not is_this_machine(_host_of(origin)):
            raise NotAllowed(f"Pages of {origin!a} may not ask here.", "Name the site in VERIDIC_ORIGINS if they may.")
        name = headers.get("host")
        if name is not None and not is_this_machine(_host_of(f"//{name}")):
            raise NotAllowed(
                f"This server is not called {name!a}.", "Ask for it as localhost or 127.0.0.1, or give it API keys."
            )


@cache
def callers() -> Callers:
    """As the process's own settings say. Finding out who asks may read a file: not in a server's loop."""
    return Callers(own_settings())


def credential_of(headers: Mapping[str, str]) -> str:
    """What a request brings to say who sends it. Raises `NotAuthenticated` where that is nothing."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    credential = given.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "").strip()
    if not credential:
        raise NotAuthenticated(
            "This server asks for a key.", "Send it as `Authorization: Bearer KEY` or `X-Api-Key: KEY`."
        )
    return credential


def _host_of(address: str) -> str:
    """The host that an address names; empty where it is none."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def listening_at(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0: at a free one. Raises `InvalidSetting` where nothing can."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if IPV6 in host else socket.AF_INET)
    except OSError as error:
        why, _, _ = (error.strerror or "").partition(" (")
        raise InvalidSetting(f"{host}:{port} cannot be listened at: {why}.", "Choose another --port.") from error


def address_of(listening: socket.socket, host: str) -> str:
    """`http://127.0.0.1:8765`."""
    named = f"[{host}]" if IPV6 in host else host
    return f"http://{named}:{listening.getsockname()[1]}"


def is_this_machine(host: str) -> bool:
    """Whether an address, or a name, is of the loopback."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
