"""Commands and options that were, refused with what took their place."""

from collections.abc import Mapping
from typing import Any

from typer.core import TyperGroup

from veridic.errors import UsageError

GONE: Mapping[str, str] = {
    "ingest --watch": "Run `veridic ingest --prune` again when something changed, from cron or a tool that watches.",
    "log grades": "`veridic log list` and `veridic log show` tell the runs, `veridic trial` tries the judges.",
    "log export": "The laboratory writes the rows: `python -m veridic_lab.training.labels FILE`.",
    "memory rollback": "`veridic memory reject RUN` ends what a run learned; a copy of the file goes back in time.",
    "memory rebuild": "`veridic memory verify` makes an index of words anew; the dense index lives in memory.",
    "verify": "`veridic check FILE` holds a text, an answer too, against the documents as they are today.",
    **dict.fromkeys(
        ("mcp --http", "mcp --host", "mcp --port", "mcp --allow-host"),
        "`veridic mcp` serves standard streams; over HTTP `veridic serve` answers POST /veridic/ask.",
    ),
}
"""Commands and options that were, each with what took its place."""


def refuse_gone(ctx: Any, word: str) -> None:  # noqa: ANN401 - a context of typer's own click
    """Raise `UsageError` for a word of the command line that was a command or an option."""
    told = f"{ctx.command_path.partition(' ')[2]} {word.partition('=')[0]}".strip()
    if told in GONE:
        raise UsageError(f"`veridic {told}` is gone.", GONE[told])


class Group(TyperGroup):
    """Commands; one that is none any more is told with what took its place."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:  # noqa: ANN401 - as above
        """The command that is meant. Raises `UsageError` for one that is gone."""
        refuse_gone(ctx, args[0])
        return super().resolve_command(ctx, args)
