"""Open the resources of a command, with a progress bar where something is fetched or embedded."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from rich.markup import escape

import veridic
from veridic.cli.ingest import tell_report
from veridic.cli.saying import warn
from veridic.cli.terminal import Terminal
from veridic.errors import ModelUnavailable, WeightsUnavailable
from veridic.exporting.outgoing import for_a_line
from veridic.exporting.wording import counted
from veridic.models.chat.by_name import starts_later
from veridic.ports.chat import ChatModel
from veridic.resources import open_resources, require_held
from veridic.runtime.run import Resources
from veridic.settings import Settings

Tell = Callable[[int, int, str], None]
"""How much is done, of how much, and what is being done."""


@contextmanager
def progress_bar(title: str, *, silent: bool = False) -> Iterator[Tell]:
    """A bar on standard error that appears with the first news; nothing when silent or when no terminal is there."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

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


def resources_for(settings: Settings, docs: str | None, *, silent: bool) -> Resources:
    """What a question or a text is held against; the documents that it names are taken in first.

    Unless silent it is said that they stay. A knowledge base is made only where something comes into it, or is asked
    besides it. Raises `StoreMissing`, and what `ingest` and `opened` raise.
    """
    if docs:
        with progress_bar("Ingesting", silent=silent) as tell:
            report = veridic.ingest(docs, settings=settings, progress=tell)
        tell_report(report, quiet=True)
        taken = len(report.added) + len(report.replaced)
        if taken and not silent:
            told = (
                f"{counted(taken, 'document')} of {docs} taken into {settings.kb_shown}: what is there stays for later"
            )
            warn(f"{told} questions (`veridic remove {docs}` takes it out).")
    elif not (settings.docs or settings.begin_with or settings.sources):
        require_held(settings)
    return opened(settings, silent=silent)


def opened(settings: Settings, *, silent: bool) -> Resources:
    """The resources, the chat models ready; extractive, with one warning, when the writer's weights cannot be had.

    The embedded one starts only when it is to write. Where the writer does not answer it is said at once, and what
    needs it will fail.

    Raises what `ChatModel.prepare` raises, for a model that grades `WeightsUnavailable` too.
    """
    resources = open_resources(settings)
    if resources.grader:
        _prepare(resources.grader, silent=silent)
    if resources.chat is None or resources.chat is resources.grader or starts_later(settings):
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
