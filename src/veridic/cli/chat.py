"""`veridic chat`: questions and their follow-ups, in the terminal."""

from dataclasses import asdict
from typing import Annotated

import typer

import veridic
from veridic.cli.options import CHOICES, DOCS, SETTINGS, SYSTEM, with_options
from veridic.cli.saying import say, say_json, say_rows, shortened, warn, when
from veridic.context import Context
from veridic.exporting.wording import counted
from veridic.settings import Settings

WIDTH = 60
"""Terminal cells of a question that are shown."""
HEAD = ("THREAD", "QUESTIONS", "LAST", "LAST QUESTION")


@with_options(*SETTINGS, choices=CHOICES)
def chat(
    context: Context,
    chosen: Settings,
    thread: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Go on with this conversation, or begin one that can be."),
    ] = None,
    list_all: Annotated[bool, typer.Option("--list", help="List the threads, and ask nothing.")] = False,
    forget: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Take a thread's runs out of the log, with what was said of them."),
    ] = None,
    docs: DOCS = None,
    system: SYSTEM = "veridic",
    as_json: Annotated[bool, typer.Option("--json", help="With --list: print it as one JSON document.")] = False,
) -> None:
    """Talk with your documents: questions and follow-ups, each answer checked and cited; /help names more.

    Lines that are piped in are asked one by one.

    A thread is kept as runs of the decision log (see `veridic log`). A document that is removed takes its words along.

    Exit status: 0, or 1 where --forget finds no thread; 2 usage.
    """
    from veridic.api.conversations import thread_named
    from veridic.cli.conversation import Conversation, talk
    from veridic.cli.opening import resources_for
    from veridic.cli.terminal import Terminal
    from veridic.graph.builder import graph_of
    from veridic.graph.opening import settings_for
    from veridic.graph.systems import system_named

    method = system_named(system)
    chosen = settings_for(method, chosen)
    if list_all:
        _list(chosen, as_json=as_json)
        return
    if forget is not None:
        _forget(forget, chosen)
        return
    named = thread if thread is None else thread_named(thread)
    resources = resources_for(chosen, docs, silent=False)
    talk(Conversation(graph_of(method, lambda: resources), context, chosen, Terminal(), named))


def _list(chosen: Settings, *, as_json: bool) -> None:
    found = veridic.list_threads(settings=chosen)
    if as_json:
        say_json([asdict(one) for one in found])
    elif found:
        rows = ((one.name, str(one.runs), when(one.last_at), shortened(one.last_question, WIDTH)) for one in found)
        say_rows([HEAD, *rows])
    else:
        say("There is no thread here; `veridic chat --thread NAME` begins one.")


def _forget(name: str, chosen: Settings) -> None:
    gone = veridic.forget_thread(name, settings=chosen)
    if not gone:
        warn(f"{name}: no such thread. List them with `veridic chat --list`.")
        raise typer.Exit(1)
    say(f"{counted(len(gone), 'run')} forgotten; lessons and answers that were learned of them stay")
