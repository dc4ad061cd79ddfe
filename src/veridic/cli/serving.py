"""`veridic serve` and `veridic keys`: the server for people without LangGraph's, and who may ask it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from veridic.cli.columns import aligned
from veridic.cli.options import KB, MODEL, NAMESPACE, SOURCES, settings
from veridic.cli.saying import say
from veridic.errors import InvalidSetting, UsageError

if TYPE_CHECKING:
    from veridic.server.keys import KeyFile

LOOPBACK = "127.0.0.1"
LOOPBACKS = (LOOPBACK, "localhost", "::1")
NAME = Annotated[str, typer.Argument(help="Who has the key.")]
FILE = Annotated[Path | None, typer.Option("--file", metavar="PATH", help="The file of keys; else VERIDIC_API_KEYS.")]

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
) -> None:
    """Serve the page and its routes until Ctrl-C; the address is printed."""
    from veridic.cli.hosting import hosted

    given = {"kb": kb, "docs": docs, "model": model, "sources": sources, "namespace": namespace}
    chosen = settings(**given)
    asked = chosen.api_keys or chosen.jwt_key or chosen.jwt_keys_url
    if host not in LOOPBACKS and not asked and chosen.open_to != "all":
        raise UsageError(
            f"At {host} everybody could ask, and there are no keys.",
            "Make one with `veridic keys add NAME` and set VERIDIC_API_KEYS, or set VERIDIC_OPEN_TO=all.",
        )
    hosted(given, host, port)


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
    say(_file(file).add(name, namespace, role))


@keys.command("list")
def listed(file: FILE = None) -> None:
    """Name who has a key, whose documents it is for, and since when."""
    rows = [(one.name, one.namespace, one.role, one.created) for one in _file(file).held()]
    for line in aligned([HEAD, *rows]) if rows else ["There are no keys yet: `veridic keys add NAME` makes one."]:
        say(line)


@keys.command("remove")
def remove(name: NAME, file: FILE = None) -> None:
    """Take somebody's key back; a running server knows at once."""
    if not _file(file).remove(name):
        raise UsageError(f"{name} has no key.", "`veridic keys list` names who has one.")


def _file(path: Path | None) -> "KeyFile":
    from veridic.server.keys import KeyFile

    named = path or settings().api_keys
    if named is None:
        raise InvalidSetting("No file of keys is named.", "Name one with --file or VERIDIC_API_KEYS.")
    return KeyFile(named)
