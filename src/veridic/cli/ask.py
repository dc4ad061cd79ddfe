"""`veridic ask`: one question, from the command line."""

import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veridic.cli.options import CHOICES, DOCS, EXPORT, SETTINGS, SYSTEM, with_options
from veridic.cli.saying import say, say_json
from veridic.context import Context
from veridic.errors import InvalidQuestion, UsageError
from veridic.exporting.outgoing import for_a_line
from veridic.settings import Settings

if TYPE_CHECKING:
    from veridic.ports.shapes import Result
    from veridic.state import Event

QUIET = Annotated[
    bool, typer.Option("--quiet", "-q", help="Print the answer and its sources; to standard error how sure it is.")
]
VERBOSE = Annotated[
    bool, typer.Option("--verbose", "-v", help="Print what each step found, and why an answer was not learned.")
]
EXIT_STATUS = {"accepted": 0, "corrected": 0, "partial": 0, "abstained": 3, "unverified": 4}


@with_options(*SETTINGS, choices=CHOICES)
def ask(
    context: Context,
    chosen: Settings,
    question: Annotated[
        list[str] | None,
        typer.Argument(metavar="QUESTION", help="The question; - reads it from standard input.", show_default=False),
    ] = None,
    docs: DOCS = None,
    system: SYSTEM = "veridic",
    export: EXPORT = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole result as one JSON document.")] = False,
    quiet: QUIET = False,
    verbose: VERBOSE = False,
) -> None:
    """Ask a question: answered from your documents, each sentence checked and cited.

    Exit status: 0 answered, 3 abstained, 4 unverified, 1 error, 2 usage.
    """
    from veridic.cli.opening import resources_for
    from veridic.models.by_settings import load_ahead

    load_ahead(chosen)
    from veridic.cli.rendering import print_quietly, print_result
    from veridic.cli.steps import StepPrinter, steps_shown
    from veridic.cli.terminal import MODES, Terminal, ended
    from veridic.exporting.files import export_result, free_path
    from veridic.graph.builder import graph_of
    from veridic.graph.opening import settings_for
    from veridic.graph.systems import system_named
    from veridic.runtime.turns import checked

    given, silent = {"question": checked(_read(question or []))}, as_json or quiet
    if export is not None:
        free_path(export)
    method = system_named(system)
    resources = resources_for(settings_for(method, chosen), docs, silent=silent)
    console = Terminal(stderr=True)
    printer = StepPrinter(console)
    with nullcontext() if silent else steps_shown(console) as show:

        def told(event: "Event") -> None:
            if show:
                show(event)
            if show and verbose:
                printer.event(event)

        graph: Any = graph_of(method, lambda: resources)
        result: Result = ended(graph.stream(given, context=context, stream_mode=MODES), told)
    if as_json:
        say_json(result)
    elif quiet:
        print_quietly(result)
    else:
        print_result(Terminal(), result, verbose=verbose)
    if export is not None:
        path = export_result(result, export)
        if not silent:
            say(f"written to {for_a_line(str(path))}")
    raise typer.Exit(EXIT_STATUS[result["outcome"]])


def _read(words: list[str]) -> str:
    """The question, as one word or as several. Raises `UsageError` where there is none, and `InvalidQuestion`."""
    if not words:
        raise UsageError("No question was given.", 'Ask one: veridic ask "When was … founded?".')
    if words != ["-"]:
        return " ".join(words)
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise InvalidQuestion("The question is not readable text.", "Send it as UTF-8 text.") from error
