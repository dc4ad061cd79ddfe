"""`veridic chat`: questions and their follow-ups, in the terminal."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from veridic.cli import completion
from veridic.cli.columns import aligned, counted, shortened
from veridic.cli.holdings import when
from veridic.cli.options import (
    BASE_URL,
    DOCS,
    JUDGE,
    KB,
    MODEL,
    NAMESPACE,
    SOURCES,
    SYSTEM,
    settings,
    with_context_options,
)
from veridic.cli.saying import say, say_json
from veridic.context import Context
from veridic.settings import Settings
from veridic.text.outgoing import for_a_line

if TYPE_CHECKING:
    from veridic.graph.systems import System

WIDTH = 60
"""Terminal cells of a question that are shown."""
HEAD = ("THREAD", "QUESTIONS", "LAST", "LAST QUESTION")


@with_context_options
def chat(
    context: Context,
    thread: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Go on with this conversation, or begin one that can be.",
            autocompletion=completion.threads,
        ),
    ] = None,
    list_all: Annotated[bool, typer.Option("--list", help="List the threads, and ask nothing.")] = False,
    forget: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Take a thread's runs out of the log, with what was said of them.",
            autocompletion=completion.threads,
        ),
    ] = None,
    kb: KB = None,
    docs: DOCS = None,
    system: SYSTEM = "veridic",
    model: MODEL = None,
    base_url: BASE_URL = None,
    judge: JUDGE = None,
    sources: SOURCES = None,
    namespace: NAMESPACE = None,
    as_json: Annotated[bool, typer.Option("--json", help="With --list: print it as one JSON document.")] = False,
) -> None:
    """Talk with your documents: questions and follow-ups, each answer checked and cited; /help names more.

    Lines that are piped in are asked one by one.

    A thread is kept as runs of the decision log (see `veridic log`). A document that is removed takes its words along.

    Exit status: 0, or 1 where --forget finds no thread; 2 usage.
    """
    from veridic.api.threads import thread_named
    from veridic.cli.documents import take_in
    from veridic.graph.opening import settings_for
    from veridic.graph.systems import system_named

    chosen = settings(
        kb=kb, docs=docs, model=model, base_url=base_url, judge=judge, sources=sources, namespace=namespace
    )
    method = system_named(system)
    chosen = settings_for(method, chosen)
    if list_all:
        _list(chosen, as_json=as_json)
    elif forget is not None:
        _forget(forget, chosen)
    else:
        if docs:
            take_in(chosen, docs, silent=False)
        _talk(chosen, method, context, thread if thread is None else thread_named(thread))


def _talk(chosen: Settings, method: "System", context: Context, thread: str | None) -> None:
    from veridic.cli.conversation import Conversation
    from veridic.cli.opening import held
    from veridic.cli.talking import talk
    from veridic.cli.terminal import Terminal
    from veridic.graph.builder import graph_of

    resources = held(chosen, silent=False)
    graph = graph_of(method, lambda: resources)
    talk(Conversation(graph, context, chosen, Terminal(), thread))


def _list(chosen: Settings, *, as_json: bool) -> None:
    from veridic.api.threads import list_threads

    found = list_threads(settings=chosen)
    if as_json:
        say_json([asdict(one) for one in found])
    elif found:
        rows = ((one.name, str(one.runs), when(one.last_at), shortened(one.last_question, WIDTH)) for one in found)
        say("\n".join(aligned([HEAD, *rows])))
    else:
        say("There is no thread here; `veridic chat --thread NAME` begins one.")


def _forget(name: str, chosen: Settings) -> None:
    from veridic.api.threads import forget_thread

    gone = forget_thread(name, settings=chosen)
    if not gone:
        say(f"veridic: {for_a_line(name)}: no such thread. List them with `veridic chat --list`.", err=True)
        raise typer.Exit(1)
    say(f"{counted(len(gone), 'run')} forgotten; lessons and answers that were learned of them stay")
