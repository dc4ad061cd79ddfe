"""The step that runs, while it runs: a line that goes away where a terminal is."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.markup import escape

from veridic.cli.terminal import Terminal
from veridic.evidence.wording import step
from veridic.state import Event


@contextmanager
def steps_shown(console: Terminal) -> Iterator[Callable[[Event], None]]:
    """Shows which step runs, until a draft is written, whose words stand in its place; nothing without a terminal."""
    if not console.is_terminal:
        yield lambda _: None
        return
    with console.status(told_step("analyze")) as status:

        def show(event: Event) -> None:
            if event["event"] == "step":
                status.update(told_step(event["node"]))
                status.start()
            elif event["event"] == "token":
                status.stop()

        yield show


def told_step(node: str) -> str:
    """A step that begins: the node by which the documents of the graph call it, and what it does."""
    return f"[dim]→ {escape(node)}: {step(node)}[/]"
