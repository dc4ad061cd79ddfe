"""What the world can do wrong when told to."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Behaviour = Literal[
    "bot_wall",
    "bot_wall_200",
    "rate_limited",
    "server_error",
    "redirect",
    "odd_json",
    "api_error",
    "truncated",
    "bomb",
    "huge",
    "drip",
    "drip_headers",
]

_BLANKS = b" " * 65536
_HEAD = b"HTTP/1.1 200 OK\r\nConnection: close\r\n"
_WALL = b"<html><title>Just a moment...</title>Checking your browser before you enter. Verify you are human.</html>"


@dataclass(frozen=True)
class Canned:
    """An answer that does not depend on the request."""

    status: int
    body: bytes
    kind: str = "text/plain"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Endless:
    """An answer without an end: `first`, then `piece` again and again, `pause` seconds between."""

    first: bytes
    piece: bytes
    pause: float


def behave(behaviour: Behaviour, redirect_to: str) -> Canned | Endless:
    """What every request meets under a behaviour."""
    if behaviour == "redirect":
        return Canned(302, b"", headers={"Location": redirect_to})
    return _BEHAVIOURS[behaviour]


_BEHAVIOURS: Mapping[Behaviour, Canned | Endless] = {
    "bot_wall": Canned(403, _WALL, "text/html"),
    "bot_wall_200": Canned(200, _WALL, "text/html"),
    "rate_limited": Canned(429, b"Too many requests"),
    "server_error": Canned(500, b"Internal server error"),
    "odd_json": Canned(200, b'{"results": 3, "query": []}', "application/json"),
    "api_error": Canned(200, b'{"error": {"code": "busy", "info": "Pool queue is full"}}', "application/json"),
    "truncated": Canned(200, b'{"query"', "application/json", {"Content-Length": "4096", "Connection": "close"}),
    "bomb": Canned(200, zlib.compress(_BLANKS * 256), headers={"Content-Encoding": "deflate"}),
    "huge": Endless(_HEAD + b"\r\n", _BLANKS, 0.0),
    "drip": Endless(_HEAD + b"\r\n", b" ", 0.05),
    "drip_headers": Endless(_HEAD + b"X-Slow: ", b"x", 0.05),
}
