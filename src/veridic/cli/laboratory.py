"""The laboratory's commands, which join ours where `veridic-lab` is installed."""

from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Annotated

import typer

from veridic.errors import MissingExtra

GROUP = "veridic.commands"
"""The entry points of commands: a function, or a `typer.Typer` of several."""
NAMES = ("score", "fit", "train", "export", "teach", "promote", "rollback", "eval")
"""The commands that are named where they are not installed."""


def add_commands(app: typer.Typer) -> None:
    """Add each command of the group; one of `NAMES` that is not there says what installs it."""
    found = {point.name: point for point in entry_points(group=GROUP)}
    for name, point in found.items():
        command = point.load()
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    for name in NAMES:
        if name not in found:
            app.command(name, hidden=True, context_settings={"ignore_unknown_options": True})(_missing(name))


def _missing(name: str) -> Callable[..., None]:
    def command(_rest: Annotated[list[str] | None, typer.Argument(hidden=True)] = None) -> None:
        raise MissingExtra(f"`veridic {name}` belongs to the laboratory.", "pip install veridic-lab")

    return command
