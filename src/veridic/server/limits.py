"""How much and how often: requests that are too large or come too fast are refused before anything reads them."""

from collections.abc import Callable
from hashlib import sha256

from limits import parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veridic.errors import RequestTooLarge, StoreUnavailable, TooManyRequests
from veridic.ports.access import Access
from veridic.resources import own_access
from veridic.server.requests import failed
from veridic.settings import Settings, in_postgres

FREE = ("/ok", "/veridic/health", "/veridic/ready", "/veridic/page/")
"""Where no request is counted: signs of life, and the page's own files."""


class Rate:
    """How often a caller may ask, as `limits` writes it."""

    def __init__(self, rate: str, shared: Callable[[], Access] | None = None) -> None:
        """With `shared` all servers of a database count together, else this process by itself. Nothing is opened yet.

        Counting together raises `StoreUnavailable`.
        """
        self._rate = parse(rate)
        self._shared = shared
        self._own = MovingWindowRateLimiter(MemoryStorage())

    def hit(self, sender: str) -> bool:
        """Count a request, unless it comes too soon; whether it was counted."""
        if self._shared is None:
            return self._own.hit(self._rate, sender)
        return self._shared().hit(f"{self._rate} {sender}", self._rate.amount, self._rate.get_expiry())

    def __str__(self) -> str:
        return str(self._rate)


def rate_of(settings: Settings) -> Rate:
    """What the settings allow, counted where the knowledge base is."""
    return Rate(settings.rate, own_access if in_postgres(settings.kb) else None)


class Limits:
    """ASGI middleware: holds each caller to a rate, unless it is None, and each request to a size in bytes."""

    def __init__(self, app: ASGIApp, rate: Rate | None, most: int) -> None:
        self._app = app
        self._rate = rate
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer with 413 or 429; 503 where the counts cannot be reached."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        try:
            await self._count(connection)
        except (TooManyRequests, StoreUnavailable) as error:
            await failed(Request(scope), error)(scope, receive, send)
            return
        measured = _Measured(receive, send, self._most)
        try:
            measured.announced(connection.headers.get("content-length", "0"))
            await self._app(scope, measured.receive, measured.send)
        except Exception:
            if measured.over is None:
                raise
        if measured.over is not None and not measured.answered:
            await failed(Request(scope), measured.over)(scope, receive, send)

    async def _count(self, connection: HTTPConnection) -> None:
        if self._rate is None or connection.url.path.startswith(FREE):
            return
        if not await run_in_threadpool(self._rate.hit, _sender(connection)):
            raise TooManyRequests(f"More than {self._rate} are not served.", "Wait a little, then send it again.")


class _Measured:
    """One request and its answer: once the request is too large, whatever is answered to it goes nowhere."""

    def __init__(self, receive: Receive, send: Send, most: int) -> None:
        self._receive = receive
        self._send = send
        self._most = most
        self._got = 0
        self.over: RequestTooLarge | None = None
        """Set when it turned out too large."""
        self.answered = False

    async def receive(self) -> Message:
        """What comes next of the request. Raises `RequestTooLarge`."""
        message = await self._receive()
        self._got += len(message.get("body", b""))
        self._hold(self._got)
        return message

    async def send(self, message: Message) -> None:
        """Pass an answer on."""
        if self.over is None or self.answered:
            self.answered = True
            await self._send(message)

    def announced(self, length: str) -> None:
        """Hold what a request says of itself to the same. Raises `RequestTooLarge`."""
        self._hold(int(length) if length.isdecimal() else 0)

    def _hold(self, size: int) -> None:
        if size > self._most:
            self.over = RequestTooLarge(
                f"Requests of more than {self._most:,} bytes are not taken.", "Send it in parts, or as a smaller file."
            )
            raise self.over


def _sender(connection: HTTPConnection) -> str:
    """Who is counted together: by key, else by address; the key itself is kept nowhere."""
    given = connection.headers.get("authorization") or connection.headers.get("x-api-key")
    host = connection.client.host if connection.client else ""
    return sha256(given.encode()).hexdigest() if given else host
