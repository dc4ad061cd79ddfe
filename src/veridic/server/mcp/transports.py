"""How clients reach the server: the standard streams of a process, or HTTP."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Sequence
from hmac import compare_digest
from typing import Any

import anyio
import uvicorn
from mcp.server import Server
from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend
from mcp.server.auth.provider import AccessToken
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.middleware.authentication import AuthenticationMiddleware

from veridic.errors import InvalidSetting
from veridic.server.listening import address_of, listening_at, named

PATH = "/mcp"
LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""Names of this machine as they stand in a Host header."""
SCHEMES = ("http", "https")
SECONDS_TO_END = 5
"""For what is being answered when the server is told to end."""


def over_stdio(server: Server[Any]) -> None:
    """Serve one client over standard input and output until it closes them.

    The package turns what else is printed to standard output away to standard error meanwhile.
    """

    async def serve() -> None:
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(serve)


def over_http(
    server: Server[Any], *, host: str, port: int, key: str | None, names: Sequence[str], ready: Callable[[str], None]
) -> None:
    """Serve any number of clients over streamable HTTP at `/mcp`; `ready` is told the address, port 0 takes a free one.

    Raises `InvalidSetting` where others than this machine could ask without a key, or by no name.
    """
    app = http_app(server, host=host, key=key, names=names)
    listening = listening_at(host, port)
    ready(f"{address_of(listening, host)}{PATH}")
    config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=SECONDS_TO_END)
    uvicorn.Server(config).run(sockets=[listening])


def http_app(server: Server[Any], *, host: str, key: str | None, names: Sequence[str]) -> Starlette:
    """The ASGI application. Hosts and origins by other names than these and the loopback's are refused (DNS rebinding).

    With a key a request without it is refused. Raises `InvalidSetting`.
    """
    if not _is_loopback(host) and not key:
        raise InvalidSetting(
            f"Others than this machine can ask at {host}, and there is no key.",
            "Set VERIDIC_MCP_KEY, which clients send as bearer token, or serve at 127.0.0.1.",
        )
    verifier = _OneKey(key) if key else None
    app: Starlette = server.streamable_http_app(
        streamable_http_path=PATH, transport_security=_names(host, names), host=host, token_verifier=verifier
    )
    if verifier:
        app.add_middleware(AuthenticationMiddleware, backend=BearerAuthBackend(verifier))
    return app


class _OneKey:
    """The package's `TokenVerifier`: one key, for everybody who has it."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()

    async def verify_token(self, token: str) -> AccessToken | None:
        if not compare_digest(token.encode(), self._key):
            return None
        return AccessToken(token=token, client_id="key", scopes=[])


def _names(host: str, names: Sequence[str]) -> TransportSecuritySettings:
    """By which names the server may be asked, at any port."""
    if _is_any(host) and not names:
        raise InvalidSetting(
            f"At {host} the server has no name of its own.", "Say by which names clients reach it: --allow-host NAME."
        )
    own = [] if _is_any(host) else [named(host)]
    known = list(dict.fromkeys([*LOOPBACK, *own, *names]))
    return TransportSecuritySettings(
        allowed_hosts=[form for name in known for form in (name, f"{name}:*")],
        allowed_origins=[f"{scheme}://{form}" for name in known for form in (name, f"{name}:*") for scheme in SCHEMES],
    )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _is_any(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False
