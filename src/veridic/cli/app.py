"""The commands, by name. Each lives in a module of its own and imports what it needs when it runs."""

from typing import Annotated

import typer

from veridic import __version__
from veridic.cli.ask import OneQuestion, ask
from veridic.cli.chat import chat
from veridic.cli.check import check
from veridic.cli.doctor import doctor
from veridic.cli.documents import ingest, show
from veridic.cli.holdings import list_held, remove, status
from veridic.cli.laboratory import add_commands
from veridic.cli.log import app as log
from veridic.cli.log import feedback
from veridic.cli.mcp import mcp
from veridic.cli.options import OneRun
from veridic.cli.remembered import app as memory
from veridic.cli.serving import keys, serve
from veridic.cli.systems import systems
from veridic.cli.verify import verify

app = typer.Typer(
    name="veridic",
    help="Answers from your documents, checks every sentence, and says when it does not know.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
app.command(cls=OneQuestion)(ask)
app.command(cls=OneRun)(chat)
app.command(cls=OneRun)(check)
app.command()(verify)
app.command()(ingest)
app.command("list")(list_held)
app.command()(show)
app.command()(systems)
app.command()(remove)
app.command()(status)
app.command()(doctor)
app.command()(serve)
app.command()(feedback)
app.command()(mcp)
app.add_typer(log)
app.add_typer(memory)
app.add_typer(keys)
add_commands(app)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options of the program itself."""
