"""`veridic mcp`: the documents for agents that speak the Model Context Protocol."""

from typing import Annotated

import typer

from veridic.cli.options import BASE_URL, JUDGE, KB, MODEL, NAMESPACE, SOURCES, settings
from veridic.cli.saying import say
from veridic.errors import MissingExtra


def mcp(
    http: Annotated[bool, typer.Option("--http", help="Serve streamable HTTP instead of standard streams.")] = False,
    host: Annotated[str, typer.Option(help="Where to listen; beyond this machine VERIDIC_MCP_KEY is needed.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: a free one.")] = 8766,
    allow_host: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Another name by which clients reach it; may be repeated.")
    ] = None,
    kb: KB = None,
    model: MODEL = None,
    base_url: BASE_URL = None,
    judge: JUDGE = None,
    sources: SOURCES = None,
    namespace: NAMESPACE = None,
) -> None:
    """Serve the tools ask, check, search and list to agents, over standard streams or HTTP."""
    try:
        from veridic.server.mcp.transports import over_http, over_stdio
    except ModuleNotFoundError as error:
        raise MissingExtra(
            "The protocol's package mcp is not installed.", "Run `pip install 'veridic[mcp]'`."
        ) from error
    from veridic.server.mcp.desk import Desk
    from veridic.server.mcp.serving import server_over

    chosen = settings(kb=kb, model=model, base_url=base_url, judge=judge, sources=sources, namespace=namespace)
    server = server_over(Desk(chosen))
    if not http:
        over_stdio(server)
        return
    key = chosen.mcp_key.get_secret_value() if chosen.mcp_key else None
    over_http(
        server,
        host=host,
        port=port,
        key=key,
        names=allow_host or [],
        ready=lambda address: say(f"Serving the tools at {address}", err=True),
    )
