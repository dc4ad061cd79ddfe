"""`veridic migrate`: a knowledge base from one store to another."""

from typing import Annotated

import typer

from veridic.cli.saying import say
from veridic.exporting.outgoing import for_a_line
from veridic.exporting.wording import counted
from veridic.settings import shown_kb

PLACE = "A SQLite file, or postgresql://USER@HOST/DATABASE."


def migrate(
    source: Annotated[str, typer.Argument(metavar="FROM", help=PLACE)],
    target: Annotated[str, typer.Argument(metavar="TO", help=f"{PLACE} It is empty, or a copy that was begun.")],
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but what goes wrong.")] = False,
) -> None:
    """Copy all namespaces of a knowledge base to another one, every row and vector as it is.

    The source stays as it is, and should not be written to meanwhile. A copy that was broken off is gone on with by the
    same command. In the end the rows of each table are counted on both sides.
    """
    from veridic.cli.opening import progress_bar
    from veridic.knowledge.migrating import migrate as copy

    with progress_bar("Copying", silent=quiet) as tell:
        counts = copy(source, target, progress=tell)
    if not quiet:
        told = ", ".join(f"{count:,} {name}" for name, count in counts.items() if count)
        say(f"{counted(sum(counts.values()), 'row')} in {for_a_line(shown_kb(target))}: {told or 'nothing to copy'}")
