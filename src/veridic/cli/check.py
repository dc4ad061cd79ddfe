"""`veridic check`: a text that someone else wrote, held against the documents claim by claim."""

from typing import TYPE_CHECKING, Annotated, cast

import typer

from veridic.cli.options import BASE_URL, JUDGE, KB, MODEL, NAMESPACE, SOURCES, TAKEN_IN, settings, with_choices
from veridic.cli.saying import say, say_json
from veridic.context import Context
from veridic.ports.file_limits import CHECK_SECONDS

if TYPE_CHECKING:
    from veridic.ports.shapes.checking import CheckResult
    from veridic.runtime.run import Resources
    from veridic.settings import Settings
    from veridic.state import GraphState

EXIT_STATUS = {"supported": 0, "not_found": 5, "contradicted": 6, "unverified": 4}
"""By what a text comes to."""


@with_choices(scope=None, passages=None, strictness="normal", support=None, time_budget=CHECK_SECONDS)
def check(
    file: Annotated[
        str, typer.Argument(help="The text: a file of any kind that `veridic ingest` reads; - reads standard input.")
    ],
    context: Context,
    kb: KB = None,
    docs: Annotated[
        str | None,
        typer.Option(
            metavar="PATH",
            help=f"Hold it against the documents at this path alone; {TAKEN_IN}",
        ),
    ] = None,
    model: MODEL = None,
    base_url: BASE_URL = None,
    judge: JUDGE = None,
    sources: SOURCES = None,
    namespace: NAMESPACE = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole result as one JSON document.")] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print what is not supported alone, and the sum.")
    ] = False,
) -> None:
    """Check a text: each claim of it is supported by your documents, contradicted, or not found in them.

    Outside sources are asked only where --sources names them here, and only about claims that the documents leave open.

    Exit status: 0 all supported, 5 some not found, 6 some contradicted, 4 not verified, 1 error, 2 usage.
    """
    from veridic.cli.documents import take_in
    from veridic.cli.given import given_text
    from veridic.cli.opening import held
    from veridic.nodes.open_text import checked

    chosen = settings(
        kb=kb, docs=docs, model=model, base_url=base_url, judge=judge, sources=sources, namespace=namespace
    )
    text = checked(given_text(file, chosen.file_limits))
    silent = as_json or quiet
    if docs:
        take_in(chosen, docs, silent=silent)
    resources = held(_without_writer(chosen), silent=silent)
    asked = context.model_copy(update={"sources": chosen.sources if sources else ()})
    result = _run(text, asked, resources, silent=silent)
    if as_json:
        say_json(result)
    else:
        _print(result, chosen, resources, quiet=quiet)
    raise typer.Exit(EXIT_STATUS[result["outcome"]])


def _without_writer(chosen: "Settings") -> "Settings":
    """The settings without the embedded model where it has nothing to do: it splits no sentences, and is fetched."""
    from veridic.models.chat.by_name import EMBEDDED
    from veridic.settings import EXTRACTIVE

    idle = chosen.model == EMBEDDED and not (chosen.weights or chosen.judge)
    return chosen.model_copy(update={"model": EXTRACTIVE}) if idle else chosen


def _run(text: str, context: Context, resources: "Resources", *, silent: bool) -> "CheckResult":
    """Stream the graph, with a bar for the sentences that are judged."""
    from veridic.cli.opening import progress_bar
    from veridic.graph.checking import checking

    result: CheckResult | None = None
    with progress_bar("Checking", silent=silent) as tell:
        for item in checking(lambda: resources).stream({"text": text}, context=context, stream_mode="values"):
            state = cast("GraphState", item)
            result = state.get("report", result)
            tell(len({one["sentence_start"] for one in state.get("checked", [])}), len(state.get("statements", [])), "")
    if result is None:
        raise RuntimeError("the graph ended without a report")
    return result


def _print(result: "CheckResult", chosen: "Settings", resources: "Resources", *, quiet: bool) -> None:
    from veridic.cli.checked import print_check

    print_check(result, quiet=quiet)
    if result["counts"]["not_found"] and not chosen.docs and resources.knowledge.status().documents == 0:
        say(f"veridic: {chosen.kb} holds no documents yet: run `veridic ingest PATH`.", err=True)
