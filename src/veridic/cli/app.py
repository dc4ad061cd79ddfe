"""The commands, by name. Each lives in a module of its own, which is imported when it is called."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Annotated, Any

import typer
from typer.core import TyperCommand
from typer.main import get_command_from_info, get_group_from_info
from typer.models import CommandInfo, TyperInfo

from veridic import __version__
from veridic.cli.gone import Group
from veridic.errors import MissingExtra

COMMANDS: Mapping[str, tuple[str, str]] = {
    "ask": ("ask:ask", "Ask a question; each sentence of the answer is checked and cited."),
    "chat": ("chat:chat", "Talk with your documents: questions and follow-ups."),
    "check": ("check:check", "Check a text claim by claim against your documents."),
    "ingest": ("ingest:ingest", "Take documents into the knowledge base."),
    "worker": ("jobs:worker", "Take in what was queued, until Ctrl-C."),
    "jobs": ("jobs:app", "Files that were queued, and what became of them."),
    "list": ("holdings:list_held", "List the documents that are held."),
    "show": ("ingest:show", "Print a document's stored text."),
    "systems": ("systems:systems", "List the systems of the papers, or tell one with its numbers."),
    "remove": ("holdings:remove", "Remove documents, and with them what was learned from them."),
    "status": ("holdings:status", "Say what the knowledge base holds."),
    "migrate": ("migrating:migrate", "Copy a knowledge base: from a SQLite file to PostgreSQL, or back."),
    "doctor": ("doctor:doctor", "Say what is installed, what can be used, and why not."),
    "calibrate": ("calibrating:calibrate", "Fit the judges to labelled pairs, or P(right) to what people said."),
    "trial": ("trial:trial", "Try judges on labelled pairs: who tells true from nearly true."),
    "serve": ("serve:serve", "Serve the page and its routes until Ctrl-C."),
    "judges": ("judges:app", "Serve the judges to runs of other processes and machines."),
    "feedback": ("log:feedback", "Say whether a run's answer was right, or what is right."),
    "mcp": ("serve:mcp", "Serve the tools ask, check, search and list to agents."),
    "log": ("log:app", "What earlier runs came to."),
    "memory": ("learned:app", "See to what was learned: answers that were verified."),
    "keys": ("serve:keys", "API keys: who may ask a server, and whose documents."),
}
"""Where each is in this package, and what the list of commands says of it."""
GROUP = "veridic.commands"
"""The entry points of commands of others: a function, or a `typer.Typer` of several."""
LABORATORY = ("score", "fit", "train", "export", "promote", "rollback", "eval")
"""The commands of `veridic-lab` that are known where it is not installed: they say what installs them."""


class Commands(Mapping[str, Any]):
    """The commands of this program and of others, each loaded when it is looked up."""

    def __init__(self) -> None:
        self._made = dict[str, Any]()

    @cached_property
    def _others(self) -> dict[str, EntryPoint]:
        """Those of other packages; to look for them takes a while."""
        return {one.name: one for one in entry_points(group=GROUP)}

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - typer brings a click of its own
        """The whole command: of a function, or of several. Raises `KeyError`."""
        if name not in self._made:
            from veridic.cli.options import OneRun

            how: dict[str, Any] = {"pretty_exceptions_short": False, "rich_markup_mode": "rich"}
            found = self._load(name)
            if isinstance(found, typer.Typer):
                self._made[name] = get_group_from_info(TyperInfo(found, name=name), suggest_commands=True, **how)
            else:
                self._made[name] = get_command_from_info(CommandInfo(name, cls=OneRun, callback=found), **how)
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        return name in COMMANDS or name in self._others

    def __iter__(self) -> Iterator[str]:
        return iter([*COMMANDS, *self._others])

    def __len__(self) -> int:
        return len(COMMANDS) + len(self._others)

    def _load(self, name: str) -> Any:  # noqa: ANN401 - as above
        if name in COMMANDS:
            module, _, attribute = COMMANDS[name][0].partition(":")
            return getattr(import_module(f"veridic.cli.{module}"), attribute)
        if name in self._others:
            return self._others[name].load()
        if name in LABORATORY:
            raise MissingExtra(f"`veridic {name}` belongs to the laboratory.", "pip install veridic-lab")
        raise KeyError(name)


class Program(Group):
    """The program; it is listed without a command being loaded."""

    def __init__(self, **given: Any) -> None:  # noqa: ANN401 - typer's own
        super().__init__(**given)
        self.commands = Commands()  # type: ignore[assignment] # nobody adds to it

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002 - typer's own
        """Their names, in the order in which they are told."""
        return list(self.commands)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401, ARG002 - typer's own
        """A command as it is listed; `resolve_command` has the whole."""
        if cmd_name not in self.commands and cmd_name not in LABORATORY:
            return None
        told = COMMANDS[cmd_name][1] if cmd_name in COMMANDS else "A command of the laboratory."
        return TyperCommand(cmd_name, help=told, rich_markup_mode="rich")

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:  # noqa: ANN401 - as above
        """The command that is meant, whole. Raises `MissingExtra` for one of the laboratory that is not there."""
        name, found, rest = super().resolve_command(ctx, args)
        return name, found and self.commands[str(name)], rest


app = typer.Typer(
    name="veridic",
    cls=Program,
    help="Answers from your documents, checks every sentence, and says when it does not know.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)


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
