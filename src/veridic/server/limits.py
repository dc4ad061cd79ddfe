"""How much and how often: requests that are too large or come too fast are refused before anything reads them."""

from hashlib import sha256

from limits import parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.types import ASGIApp, Receive, Scope, Send

from veridic.errors import RequestTooLarge, TooManyRequests
from veridic.server.requests import failed, too_large

FREE = ("/ok", "/veridic/health", "/veridic/page/")
"""Where no request is counted: signs of life, and the page's own files."""


class Limits:
    """ASGI middleware: holds each caller to a rate, each request to a size in bytes."""

    def __init__(self, app: ASGIApp, rate: str, most: int) -> None:
        self._app = RequestBodyLimitMiddleware(app, max_body_size=most)
        self._rate = parse(rate)
        self._most = most
        self._counted = MovingWindowRateLimiter(MemoryStorage())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer with 413 or 429; one that grows too large ends as Starlette ends it."""
        try:
            if scope["type"] == "http":
                self._look_at(HTTPConnection(scope))
        except (TooManyRequests, RequestTooLarge) as error:
            await failed(Request(scope), error)(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    def _look_at(self, connection: HTTPConnection) -> None:
        """Count a request and look at how large it says it is. Raises `TooManyRequests`, `RequestTooLarge`."""
        given = connection.headers.get("authorization") or connection.headers.get("x-api-key")
        host = connection.client.host if connection.client else ""
        sender = sha256(given.encode()).hexdigest() if given else host  # the key itself is kept nowhere
        if not connection.url.path.startswith(FREE) and not self._counted.hit(self._rate, sender):
            raise TooManyRequests(f"More than {self._rate} are not served.", "Wait a little, then send it again.")
        length = connection.headers.get("content-length", "0")
        if length.isdecimal() and int(length) > self._most:
            raise too_large(self._most)
