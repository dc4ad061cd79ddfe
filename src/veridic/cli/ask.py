"""`veridic ask`: one question, from the command line."""

import re
import shlex
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.models import CommandInfo

from veridic.cli.options import DOCS, EXPORT, SETTINGS, SYSTEM, OneRun, with_context_options, with_settings
from veridic.cli.saying import say, say_json, warn
from veridic.context import Context
from veridic.errors import InvalidQuestion, UsageError
from veridic.settings import Settings
from veridic.text.outgoing import for_a_line

if TYPE_CHECKING:
    from veridic.graph.systems import System
    from veridic.ports.shapes import Result
    from veridic.runtime.run import Resources
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


@with_context_options
@with_settings(*SETTINGS)
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
) -> None:
    """Ask a question: answered from your documents, each sentence checked and cited.

    Exit status: 0 answered, 3 abstained, 4 unverified, 1 error, 2 usage.
    """
    from veridic.cli.ingest import take_in
    from veridic.cli.opening import held
    from veridic.evidence.turns import checked
    from veridic.exporting.files import export_result, free_path
    from veridic.graph.opening import settings_for
    from veridic.graph.systems import system_named

    asked, silent, method = checked(_read(question)), as_json or quiet, system_named(system)
    if export is not None:
        free_path(export)
    chosen = settings_for(method, chosen)
    take_in(chosen, docs, silent=silent)
    result = _run(asked, context, held(chosen, silent=silent), method, silent=silent)
    if as_json:
        say_json(result)
    elif quiet:
        _print_quietly(result)
    if export is not None:
        path = export_result(result, export)
        if not silent:
            say(f"written to {for_a_line(str(path))}")
    raise typer.Exit(EXIT_STATUS[result["outcome"]])


COMMAND = CommandInfo("ask", cls=OneQuestion, callback=ask)


def _print_quietly(result: "Result") -> None:
    """Print the answer and its sources; what it is worth goes to standard error, so that a pipe gets them alone."""
    from veridic.exporting.views import DISAGREE, EARLIER, cited_places, view_of

    view = view_of(result)
    places = [for_a_line(line) for line in cited_places(result["sentences"])]
    say("\n\n".join(filter(None, (result["answer"], "\n".join(places)))))
    if result["outcome"] != "abstained":
        warn(view.outcome.text + (f": {result['reason']}" if result["outcome"] == "unverified" else ""))
    for conflict in result["conflicts"]:
        against = conflict["contradicting"]
        head = EARLIER if conflict.get("superseded") else DISAGREE
        warn(f"{head[0].lower()}{head[1:]}: {against['title'] or against['url']}: “{against['quote']}”")


def _read(question: str) -> str:
    if question != "-":
        return question
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise InvalidQuestion("The question is not readable text.", "Send it as UTF-8 text.") from error


def _run(question: str, context: Context, resources: "Resources", system: "System", *, silent: bool) -> "Result":
    """Answer; unless silent print what happens to standard error, and the result to standard output."""
    from veridic.cli.rendering import print_result
    from veridic.cli.running import run_graph
    from veridic.cli.steps import StepPrinter, steps_shown
    from veridic.cli.terminal import Terminal
    from veridic.graph.builder import graph_of

    console = Terminal(stderr=True)
    printer = StepPrinter(console)
    with nullcontext(None) if silent else steps_shown(console) as show:

        def told(event: "Event") -> None:
            if show:
                show(event)
                printer.event(event)

        result: Result = run_graph(graph_of(system, lambda: resources), {"question": question}, context, told)
    if not silent:
        print_result(Terminal(), result)
    return result
