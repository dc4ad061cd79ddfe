"""`veridic serve`, `veridic mcp` and `veridic keys`: the server for people, the one for agents, and who may ask."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from veridic.cli.options import KB, MODEL, MODELS, NAMESPACE, SOURCES, with_options
from veridic.cli.saying import say, say_rows
from veridic.errors import InvalidSetting, MissingExtra, UsageError
from veridic.settings import EXTRACTIVE, PREFIX, Settings

if TYPE_CHECKING:
    from veridic.server.keys import Keys

LOOPBACK = "127.0.0.1"
NAME = Annotated[str, typer.Argument(help="Who has the key.")]
FILE = Annotated[
    Path | None, typer.Option("--file", metavar="PATH", help="The file of keys; else what VERIDIC_API_KEYS names.")
]
HEAD = ("NAME", "NAMESPACE", "ROLE", "SINCE")
keys = typer.Typer(name="keys", help="API keys: who may ask a server, and whose documents.", no_args_is_help=True)


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen at; another than this machine's needs keys.")
    ] = LOOPBACK,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0: a free one.")] = 8765,
    kb: KB = None,
    docs: Annotated[str | None, typer.Option(metavar="PATH", help="Ask the documents at this path alone.")] = None,
    model: MODEL = None,
    sources: SOURCES = None,
    namespace: NAMESPACE = None,
    grace: Annotated[int, typer.Option(min=0, max=3600, help="Seconds for what is being answered at the end.")] = 5,
) -> None:
    """Serve the page and its routes until Ctrl-C; the address is printed."""
    import uvicorn
    from sse_starlette.sse import AppStatus

    from veridic.cli.opening import opened
    from veridic.server.callers import address_of, is_this_machine, listening_at

    given = {"kb": kb, "docs": docs, "model": model, "sources": sources, "namespace": namespace}
    chosen = Settings.load(**given)
    if not is_this_machine(host) and not chosen.api_keys and chosen.open_to != "all":
        raise UsageError(
            f"At {host} everybody could ask, and there are no keys.",
            "Make one with `veridic keys add NAME` and set VERIDIC_API_KEYS, or set VERIDIC_OPEN_TO=all.",
        )
    listening = listening_at(host, port)
    os.environ |= {f"{PREFIX}{name.upper()}": value for name, value in given.items() if value is not None}
    if opened(chosen, silent=False).chat is None:
        os.environ[f"{PREFIX}MODEL"] = EXTRACTIVE
    from veridic.server import static_page  # the application reads the settings when it is imported
    from veridic.server.app import app

    app.add_route("/", static_page.moved)
    say(f"Veridic serves at {address_of(listening, host)}/veridic/ (Ctrl-C ends it).")
    AppStatus.enable_automatic_graceful_drain = False  # a stream goes on to its result, as other answers do
    uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=grace)).run(sockets=[listening])


@with_options(*MODELS)
def mcp(
    chosen: Settings,
) -> None:
    """Serve the tools ask, check, search and list to agents, over standard streams."""
    try:
        from veridic.server.mcp.protocol import over_stdio, server_over
    except ModuleNotFoundError as error:
        raise MissingExtra(
            "The protocol's package mcp is not installed.", "Run `pip install 'veridic[mcp]'`."
        ) from error
    from veridic.server.mcp.tools import Desk

    over_stdio(server_over(Desk(chosen)))


@keys.command("add")
def add(
    name: NAME,
    namespace: Annotated[str, typer.Option(help="Whose documents, records and runs it is for.")] = "default",
    role: Annotated[
        Literal["asks", "manages"], typer.Option(help="asks: ask and say what an answer was worth; manages: all.")
    ] = "asks",
    file: FILE = None,
) -> None:
    """Make a key and print it, once: the file keeps its digest alone."""
    say(_keys(file).add(name, namespace, role))


@keys.command("list")
def listed(file: FILE = None) -> None:
    """Name who has a key, whose documents it is for, and since when."""
    rows = [(one.name, one.namespace, one.role, one.created) for one in _keys(file).held()]
    if rows:
        say_rows([HEAD, *rows])
    else:
        say("There are no keys yet: `veridic keys add NAME` makes one.")


@keys.command("remove")
def remove(name: NAME, file: FILE = None) -> None:
    """Take somebody's key back; a running server knows at once."""
    if not _keys(file).remove(name):
        raise UsageError(f"{name} has no key.", "`veridic keys list` names who has one.")


def _keys(path: Path | None) -> "Keys":
    from veridic.server.keys import keys_of

    held = keys_of(Settings.load(api_keys=path))
    if held is None:
        raise InvalidSetting("No file of keys is named.", "Name one with --file or VERIDIC_API_KEYS.")
    return held
