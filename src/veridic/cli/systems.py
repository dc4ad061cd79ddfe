"""`veridic systems`: the methods that can answer, by name."""

from typing import Annotated

import typer

from veridic.cli.saying import say, say_rows


def systems(
    name: Annotated[str | None, typer.Argument(help="One of them, with its numbers and what differs.")] = None,
) -> None:
    """List the systems of the papers that can be run, or tell one with its numbers and their source."""
    from veridic.graph.systems import SYSTEMS, system_named

    if name is None:
        say_rows([(one.name, one.title) for one in SYSTEMS.values()])
        return
    one = system_named(name)
    numbers = [f"  {number.name}: {number.value} ({number.source}); here: {number.here}" for number in one.numbers]
    say("\n".join([one.title, f"From: {one.source}", *numbers, *(f"  differs: {line}" for line in one.differs)]))
