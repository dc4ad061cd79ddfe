"""`veridic ask`: one question, from the command line."""

import re
import shlex
import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from veridic.cli.options import (
    BASE_URL,
    DOCS,
    EXPORT,
    JUDGE,
    KB,
    MODEL,
    NAMESPACE,
    SOURCES,
    SYSTEM,
    OneRun,
    settings,
    with_context_options,
)
from veridic.cli.saying import say, say_json
from veridic.context import Context
from veridic.errors import InvalidQuestion, UsageError
from veridic.text.outgoing import for_a_line

if TYPE_CHECKING:
    from pathlib import Path

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
            raise UsageError("No question was given.", 'Ask one: veridic ask "When was … founded?"') from error
        if left and not ctx.resilient_parsing:
            question = " ".join([ctx.params["question"], *left])
            raise UsageError(
                "The question stands in no quotation marks, or not all of it does.",
                f"Put them around it: veridic ask {_in_quotes(question)}",
            )
        return left


@with_context_options
def ask(
    question: Annotated[str, typer.Argument(help="The question, in quotation marks; - reads it from standard input.")],
    context: Context,
    kb: KB = None,
    docs: DOCS = None,
    system: SYSTEM = "veridic",
    model: MODEL = None,
    base_url: BASE_URL = None,
    judge: JUDGE = None,
    sources: SOURCES = None,
    namespace: NAMESPACE = None,
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
    from veridic.cli.documents import take_in
    from veridic.cli.opening import held
    from veridic.exporting import export_result, free_path
    from veridic.graph.opening import settings_for
    from veridic.graph.systems import system_named
    from veridic.nodes.analyze import checked

    asked = checked(_read(question))
    if export is not None:
        free_path(export)
    chosen = settings(
        kb=kb, docs=docs, model=model, base_url=base_url, judge=judge, sources=sources, namespace=namespace
    )
    silent = as_json or quiet
    method = system_named(system)
    chosen = settings_for(method, chosen)
    if docs:
        take_in(chosen, docs, silent=silent)
    result = _run(asked, context, held(chosen, silent=silent), method, silent=silent)
    if as_json:
        say_json(result)
    elif quiet:
        say("\n\n".join([result["answer"], *_sources(result)]))
        _tell_how_sure(result)
    if export is not None:
        told_export(export_result(result, export), silent=silent)
    raise typer.Exit(EXIT_STATUS[result["outcome"]])


def told_export(path: "Path", *, silent: bool = False) -> None:
    """Say where a run was written, unless silent."""
    if not silent:
        say(f"written to {for_a_line(str(path))}")


def _tell_how_sure(result: "Result") -> None:
    """Say on standard error what an answer is worth, so that the answer alone goes down a pipe."""
    from veridic.evidence.wording import outcome_of

    if result["outcome"] != "abstained":
        why = f": {result['reason']}" if result["outcome"] == "unverified" else ""
        say(for_a_line(f"veridic: {outcome_of(result)}{why}"), err=True)
    for conflict in result["conflicts"]:
        against = conflict["contradicting"]
        where = against["title"] or against["url"]
        head = "an earlier source said otherwise" if conflict.get("superseded") else "sources disagree"
        say(for_a_line(f"veridic: {head}: {where}: “{against['quote']}”"), err=True)


def _sources(result: "Result") -> list[str]:
    """The cited documents, a line each, as one text; none where nothing is cited."""
    from veridic.evidence.telling import cited_places

    lines = [for_a_line(line) for line in cited_places(result["sentences"])]
    return ["\n".join(lines)] if lines else []


def _in_quotes(question: str) -> str:
    """A question as one word of a shell."""
    return shlex.quote(question) if _EXPANDED.search(question) else f'"{question}"'


def _read(question: str) -> str:
    if question != "-":
        return question
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise InvalidQuestion("The question is not readable text.", "Send it as UTF-8 text.") from error


def _run(question: str, context: Context, resources: "Resources", system: "System", *, silent: bool) -> "Result":
    """Stream the graph; unless silent print what happens to standard error, and the result to standard output."""
    from veridic.cli.rendering import AnswerPrinter
    from veridic.cli.steps import steps_shown
    from veridic.cli.terminal import Terminal
    from veridic.graph.builder import graph_of

    found = Terminal(stderr=True)
    printer = AnswerPrinter(found)
    graph = graph_of(system, lambda: resources)
    result: Result | None = None
    stream = graph.stream({"question": question}, context=context, stream_mode=["custom", "values"])
    with nullcontext(None) if silent else steps_shown(found) as show:
        for mode, item in stream:
            if mode == "values":
                result = cast("dict[str, Result]", item).get("result", result)
            elif show:
                show(cast("Event", item))
                printer.event(cast("Event", item))
    if result is None:
        raise RuntimeError("the graph ended without a result")
    if not silent:
        AnswerPrinter(Terminal()).result(result)
    return result
