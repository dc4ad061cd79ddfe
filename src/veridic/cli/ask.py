"""`veridic ask`: one question, from the command line."""

import re
import shlex
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.models import CommandInfo

from veridic.cli.options import CHOICES, DOCS, EXPORT, SETTINGS, SYSTEM, OneRun, with_options
from veridic.cli.saying import say, say_json
from veridic.context import Context
from veridic.errors import InvalidQuestion, UsageError
from veridic.settings import Settings
from veridic.text.outgoing import for_a_line

if TYPE_CHECKING:
    from veridic.ports.shapes import Result
    from veridic.state import Event

_EXPANDED = re.compile(r"[\"$`\\!]")
"""What means something to a shell between double quotation marks."""
EXIT_STATUS = {"accepted": 0, "corrected": 0, "partial": 0, "abstained": 3, "unverified": 4}


class OneQuestion(OneRun):
    """The command with the question as one word: what is wrong with it otherwise is told with the line to type."""

    allow_extra_args = True

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - a context of typer's own click
        """Read the command line. Raises `UsageError` where there is no question, or one without quotation marks."""
        try:
            left = super().parse_args(ctx, args)
        except typer.BadParameter as error:
            if error.param is None or error.param.name != "question":
                raise
            raise UsageError("No question was given.", 'Ask one: veridic ask "When was … founded?".') from error
        if left and not ctx.resilient_parsing:
            question = " ".join([ctx.params["question"], *left])
            quoted = shlex.quote(question) if _EXPANDED.search(question) else f'"{question}"'
            raise UsageError(
                "The question stands in no quotation marks, or not all of it does.",
                f"Put them around it: veridic ask {quoted}",
            )
        return left


@with_options(*SETTINGS, choices=CHOICES)
def ask(
    question: Annotated[str, typer.Argument(help="The question, in quotation marks; - reads it from standard input.")],
    context: Context,
    chosen: Settings,
    docs: DOCS = None,
    system: SYSTEM = "veridic",
    export: EXPORT = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole result as one JSON document.")] = False,
    quiet: Annotated[
        bool,
        typer.Option("--quiet", "-q", help="Print the answer and its sources; to standard error how sure it is."),
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Print what each step found, and why an answer was not learned.")
    ] = False,
) -> None:
    """Ask a question: answered from your documents, each sentence checked and cited.

    Exit status: 0 answered, 3 abstained, 4 unverified, 1 error, 2 usage.
    """
    from veridic.cli.opening import resources_for
    from veridic.models.by_settings import load_ahead

    load_ahead(chosen)
    from veridic.cli.rendering import print_quietly, print_result
    from veridic.cli.running import MODES, ended
    from veridic.cli.steps import StepPrinter, steps_shown
    from veridic.cli.terminal import Terminal
    from veridic.evidence.turns import checked
    from veridic.exporting.files import export_result, free_path
    from veridic.graph.builder import graph_of
    from veridic.graph.opening import settings_for
    from veridic.graph.systems import system_named

    given, silent = {"question": checked(_read(question))}, as_json or quiet
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


COMMAND = CommandInfo("ask", cls=OneQuestion, callback=ask)


def _read(question: str) -> str:
    if question != "-":
        return question
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise InvalidQuestion("The question is not readable text.", "Send it as UTF-8 text.") from error
