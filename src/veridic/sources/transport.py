"""The one way out: a `requests` session that checks where it goes, how much it reads and for how long.

Proxies of the environment, `.netrc` and cookies of earlier sessions are not used: a proxy would
resolve names again, out of the guard's sight.
"""

import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.metadata import version
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from veridic.errors import SourceBusy, SourceNotAsked, SourceRefused, SourceUnavailable
from veridic.runtime.deadline import remaining
from veridic.settings import Settings
from veridic.sources.address import AddressPolicy, Resolver, resolve
from veridic.sources.border import border, check_status
from veridic.sources.pace import NO_PAUSES, PACE, Pace

if TYPE_CHECKING:
    import requests
    from requests.adapters import BaseAdapter
    from urllib3.connection import HTTPConnection
    from urllib3.connectionpool import HTTPConnectionPool

MAX_BODY = 8 * 1024 * 1024
"""Most bytes read of one answer, counted after decompression."""
MAX_REDIRECTS = 5
CONNECT_SECONDS = 10.0
MAX_ADDRESSES = 4
"""Addresses of one name that are tried in turn."""
_PIECE = 64 * 1024
_AFTER = 0.01
"""Seconds."""


def guarded_session(
    settings: Settings,
    deadline: float,
    pauses: Mapping[str, float] = NO_PAUSES,
    *,
    resolver: Resolver = resolve,
    pace: Pace = PACE,
    most: int = MAX_BODY,
) -> "requests.Session":
    """A session for one call; close it (it is a context manager).

    Every request, redirects included, waits for its turn at the host, goes to public addresses or
    `settings.allow_hosts`, ends at `deadline` (seconds since the epoch) and is read whole up to `most` bytes.
    It raises `AddressForbidden`, `SourceUnavailable`, `SourceRefused` and `DeadlineExceeded`; an answer it
    returns has a status under 400.
    """
    import requests

    policy = AddressPolicy(settings.allow_hosts, resolver)
    guarded = GuardedAdapter(policy, deadline, pauses, pace, user_agent(settings.contact), most=most)
    adapter = cast("BaseAdapter", guarded)
    session = requests.Session()
    session.trust_env = False
    session.max_redirects = MAX_REDIRECTS
    session.adapters.clear()
    session.mount("http://", adapter)
    session.mount("https://", adapter)
    return session


def user_agent(contact: str) -> str:
    """Who asks: the program, whom to write to about it, and the library, as Wikimedia's policy wants it."""
    return f"veridic/{version('veridic')} ({contact or 'question answering'}) python-requests/{version('requests')}"


class Cut:
    """Ends a session's connections when its time is over: a read timeout begins anew with every byte, this does not."""

    def __init__(self, deadline: float) -> None:
        """Cut just after `deadline`: whoever meets the end of a cut connection is to find the time over."""
        self._deadline = deadline
        self._lock = threading.Lock()
        self._watched: list[tuple[threading.Timer, socket.socket]] = []

    def watch(self, sock: socket.socket) -> None:
        """Cut this connection too; a duplicate handle is kept, as TLS takes the original one away."""
        handle = sock.dup()
        timer = threading.Timer(max(0.0, self._deadline - time.time()) + _AFTER, self._shut, [handle])
        timer.daemon = True
        with self._lock:
            self._watched.append((timer, handle))
        timer.start()

    def close(self) -> None:
        """Stop watching."""
        with self._lock:
            for timer, handle in self._watched:
                timer.cancel()
                handle.close()
            self._watched.clear()

    def _shut(self, handle: socket.socket) -> None:
        with self._lock, suppress(OSError):
            handle.shutdown(socket.SHUT_RDWR)


class GuardedAdapter:
    """A transport adapter for `requests` (by its methods: the library is imported only when one is made)."""

    def __init__(
        self,
        policy: AddressPolicy,
        deadline: float,
        pauses: Mapping[str, float],
        pace: Pace,
        agent: str,
        *,
        most: int = MAX_BODY,
    ) -> None:
        """Judge addresses by `policy`, stop at `deadline`, keep the `pauses` of the `pace`, ask as `agent`."""
        from requests.adapters import HTTPAdapter

        self._policy = policy
        self._deadline = deadline
        self._pauses = pauses
        self._pace = pace
        self._agent = agent
        self._most = most
        self._asked = False
        self._cut = Cut(deadline)
        self._inner = HTTPAdapter()
        self._inner.poolmanager.pool_classes_by_scheme = _pools(self._connect)

    def send(
        self, request: "requests.PreparedRequest", *, verify: bool | str = True, **_: object
    ) -> "requests.Response":
        """Send one request and read its answer; the session comes back here for each redirect.

        Of the options only `verify` is heard: time, streaming and proxies are the guard's matter.
        """
        host = urlsplit(request.url or "").hostname or "an address without a host"
        place = urlsplit(request.url or "").netloc.rpartition("@")[2].lower()
        remaining(self._deadline, host)
        self._take_turn(place)
        left = remaining(self._deadline, host)
        request.headers["User-Agent"] = self._agent
        timeout = (min(left, CONNECT_SECONDS), left)
        with border(host, self._deadline):
            response = self._inner.send(request, stream=True, timeout=timeout, verify=verify)
            self._read(response, host)
        # A cut connection can look like the regular end of a body without a length.
        remaining(self._deadline, host)
        check_status(host, response.status_code, self._rest(place, response))
        return response

    def _take_turn(self, place: str) -> None:
        """Wait for the turn; only what refuses the session's first request is `SourceNotAsked`: then nothing left."""
        try:
            self._pace.turn(place, self._pauses, deadline=self._deadline)
        except SourceNotAsked as error:
            if self._asked:
                raise SourceBusy(error.problem, error.mend) from error
            raise
        self._asked = True

    def close(self) -> None:
        """Close every connection."""
        self._inner.close()
        self._cut.close()

    def _rest(self, place: str, response: "requests.Response") -> float | None:
        """Seconds for which an overloaded place is left alone; None when it is not overloaded."""
        said = response.headers.get("Retry-After")
        overloaded = response.status_code == 429 or (response.status_code == 503 and said)
        return self._pace.rest(place, said) if overloaded else None

    def _read(self, response: "requests.Response", host: str) -> None:
        """Read the body into the response, so that whoever uses it later reads from memory."""
        body = bytearray()
        for piece in response.iter_content(_PIECE):
            body += piece
            if len(body) > self._most:
                response.close()
                raise SourceRefused(f"{host} sent more than {self._most} bytes.", "Leave this source out.")
        response._content = bytes(body)

    def _connect(self, connection: "HTTPConnection") -> socket.socket:
        """Connect to an address that was judged; the name stays in Host, SNI and the certificate check."""
        from urllib3.util.connection import create_connection

        host, port = connection.host, connection.port
        failure: OSError | None = None
        for address in self._policy.addresses(host, port, deadline=self._deadline)[:MAX_ADDRESSES]:
            timeout = min(remaining(self._deadline, host), CONNECT_SECONDS)
            try:
                sock = create_connection((address, port), timeout, socket_options=connection.socket_options)
            except OSError as error:
                failure = error
            else:
                self._cut.watch(sock)
                return sock
        remaining(self._deadline, host)
        raise SourceUnavailable(f"{host}:{port} takes no connection.", "Check the network.") from failure


def _pools(connect: Callable[["HTTPConnection"], socket.socket]) -> Mapping[str, type["HTTPConnectionPool"]]:
    """Connection pools by scheme whose connections are opened by `connect`."""
    from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
    from urllib3.connection import HTTPConnection, HTTPSConnection

    class PinnedConnection(HTTPConnection):
        def _new_conn(self) -> socket.socket:
            return connect(self)

    class PinnedSecureConnection(HTTPSConnection):
        def _new_conn(self) -> socket.socket:
            return connect(self)

    class PinnedPool(HTTPConnectionPool):
        ConnectionCls = PinnedConnection

    class PinnedSecurePool(HTTPSConnectionPool):
        ConnectionCls = PinnedSecureConnection

    return {"http": PinnedPool, "https": PinnedSecurePool}
