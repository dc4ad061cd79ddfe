"""Open the resources of a command, with a progress bar where something is fetched or embedded."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from veridic.cli.terminal import Terminal
from veridic.errors import ModelUnavailable, WeightsUnavailable
from veridic.ports.chat import ChatModel
from veridic.resources import open_resources, require_held
from veridic.runtime.run import Resources
from veridic.settings import Settings
from veridic.text.outgoing import for_a_line

if TYPE_CHECKING:
    from veridic.knowledge.intake import IngestReport

Tell = Callable[[int, int, str], None]
"""How much is done, of how much, and what is being done."""


@contextmanager
def progress_bar(title: str, *, silent: bool = False) -> Iterator[Tell]:
    """A bar on standard error that appears with the first news; nothing when silent or when no terminal is there."""
    console = Terminal(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TextColumn("{task.percentage:>3.0f}%"))
    bar = Progress(
        *columns, TimeRemainingColumn(), console=console, disable=silent or not console.is_terminal, transient=True
    )
    with bar:
        tasks: list[int] = []

        def tell(done: int, total: int, name: str) -> None:
            if not tasks:
                tasks.append(bar.add_task(title, total=total or None))
            told = for_a_line(f"{title} {name}").strip()[:60]
            bar.update(tasks[0], completed=done, total=total or None, description=told)  # type: ignore[arg-type]

        yield tell


def held(settings: Settings, *, silent: bool) -> Resources:
    """As `opened`, for who asks: a knowledge base is made only where something comes into it, or is asked besides it.

    Raises `StoreMissing`.
    """
    if not (settings.docs or settings.begin_with or settings.sources):
        require_held(settings)
    return opened(settings, silent=silent)


def opened(settings: Settings, *, silent: bool) -> Resources:
    """The resources, the chat models ready; extractive, with one warning, when the writer's weights cannot be had.

    Where the writer does not answer it is said at once, and what needs it will fail.

    Raises what `ChatModel.prepare` raises, for a model that grades `WeightsUnavailable` too.
    """
    resources = open_resources(settings)
    if resources.grader:
        _prepare(resources.grader, silent=silent)
    if resources.chat is None or resources.chat is resources.grader:
        return resources
    try:
        _prepare(resources.chat, silent=silent)
    except ModelUnavailable as error:  # what the documents answer by themselves needs no model
        Terminal(stderr=True).print(f"[yellow]{escape(str(error))}[/]", soft_wrap=True)
    except WeightsUnavailable as error:
        told = f"{error.problem} Answers are extractive until then. {error.mend}"
        Terminal(stderr=True).print(f"[yellow]{escape(told)}[/]")
        return replace(resources, chat=None)
    return resources


def _prepare(chat: ChatModel, *, silent: bool) -> None:
    """Make the model ready; where no terminal shows a bar, one line tells that it is fetched."""
    console, heard = Terminal(stderr=True), list[int]()

    def told(done: int, total: int) -> None:
        if not heard and not silent and not console.is_terminal:
            console.print(f"The chat model is fetched once, {total / 1e6:.0f} MB with its unpacking.", soft_wrap=True)
        heard.append(done)
        tell(done, total, "")

    with progress_bar("Preparing the chat model", silent=silent) as tell:
        chat.prepare(told)


def ingest_shown(
    settings: Settings, paths: Sequence[str], *, prune: bool = False, silent: bool = False
) -> "IngestReport":
    """Ingest into the settings' knowledge base, with a progress bar."""
    from veridic.api.documents import ingest

    with progress_bar("Ingesting", silent=silent) as tell:
        return ingest(*paths, settings=settings, prune=prune, progress=tell)
