"""`veridic systems`: the methods that can answer, by name."""

from typing import Annotated

import typer


def systems(
    name: Annotated[str | None, typer.Argument(help="One of them, with its numbers and what differs.")] = None,
) -> None:
    """List the systems of the papers that can be run, or tell one with its numbers and their source."""
    from veridic.cli.terminal import Terminal
    from veridic.graph.systems import SYSTEMS, system_named

    console = Terminal(markup=False, soft_wrap=True)
    if name is None:
        width = max(map(len, SYSTEMS))
        for one in SYSTEMS.values():
            console.print(f"{one.name:{width}}  {one.title}")
        return
    one = system_named(name)
    console.print(f"{one.title}\nFrom: {one.source}")
    for number in one.numbers:
        console.print(f"  {number.name}: {number.value} ({number.source}); here: {number.here}")
    for line in one.differs:
        console.print(f"  differs: {line}")
