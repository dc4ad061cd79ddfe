"""`veridic check` and `veridic verify`: a text, or a stored result, held against the documents claim by claim."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from veridic.cli.options import DOCS, SETTINGS, SOURCES, with_choices, with_settings
from veridic.cli.saying import say_json, warn
from veridic.context import Context
from veridic.ports.file_limits import CHECK_SECONDS
from veridic.settings import Settings

if TYPE_CHECKING:
    from veridic.evidence.verifying import TextOf
    from veridic.ports.shapes.checking import CheckResult
    from veridic.runtime.run import Resources
    from veridic.state import GraphState

EXIT_STATUS = {"supported": 0, "not_found": 5, "contradicted": 6, "unverified": 4}
"""By what a text comes to."""
RESULT_JSON = Annotated[bool, typer.Option("--json", help="Print the whole result as one JSON document.")]


@with_choices(scope=None, passages=None, strictness="normal", time_budget=CHECK_SECONDS)
@with_settings(*SETTINGS)
def check(
    file: Annotated[
        str, typer.Argument(help="The text: a file of any kind that `veridic ingest` reads; - reads standard input.")
    ],
    context: Context,
    chosen: Settings,
    docs: DOCS = None,
    sources: SOURCES = None,
    as_json: RESULT_JSON = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print what is not supported alone, and the sum.")
    ] = False,
) -> None:
    """Check a text: each claim of it is supported by your documents, contradicted, or not found in them.

    Outside sources are asked only where --sources names them here, and only about claims that the documents leave open.

    Exit status: 0 all supported, 5 some not found, 6 some contradicted, 4 not verified, 1 error, 2 usage.
    """
    from veridic.cli.given import given_text
    from veridic.cli.ingest import take_in
    from veridic.cli.opening import held
    from veridic.cli.rendering import print_check
    from veridic.cli.terminal import Terminal
    from veridic.exporting.checks import check_view
    from veridic.nodes.open_text import checked

    text = checked(given_text(file, chosen.file_limits))
    silent = as_json or quiet
    take_in(chosen, docs, silent=silent)
    resources = held(_without_writer(chosen), silent=silent)
    asked = context.model_copy(update={"sources": chosen.sources if sources else ()})
    result = _run(text, asked, resources, silent=silent)
    if as_json:
        say_json(result)
    else:
        print_check(Terminal(), check_view(result), quiet=quiet)
        if result["counts"]["not_found"] and not chosen.docs and resources.knowledge.status().documents == 0:
            warn(f"{chosen.kb} holds no documents yet: run `veridic ingest PATH`.")
    raise typer.Exit(EXIT_STATUS[result["outcome"]])


@with_settings("kb", "namespace", "judge")
def verify(
    result: Annotated[
        str,
        typer.Argument(
            help="What `veridic ask --json` or `veridic check --json` printed, or --export wrote as .json; "
            "- reads standard input."
        ),
    ],
    chosen: Settings,
    as_json: RESULT_JSON = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print what does not hold alone, and the sum.")] = False,
) -> None:
    """Judge a stored result again, each sentence by its own quotes alone; no knowledge base is needed.

    Where one is there, it is also said whether each quote still stands at its offsets, moved, or is gone.

    Exit status: 0 all hold, 5 some do not, 6 some are contradicted, 4 not verified, 1 error, 2 usage.
    """
    from veridic.cli.given import given_bytes
    from veridic.cli.rendering import print_check
    from veridic.cli.terminal import Terminal
    from veridic.evidence.factuality import Bounds
    from veridic.evidence.stored import LARGEST, stored_result
    from veridic.evidence.verifying import Judges, verified
    from veridic.exporting.checks import verified_view
    from veridic.models.by_settings import open_deciding, open_reader

    stored = stored_result(given_bytes(result, most=LARGEST))
    _, critic = open_deciding(chosen)
    thresholds = critic.thresholds("normal")
    judges = Judges(critic, Bounds(thresholds.support, thresholds.contradiction), open_reader(chosen))
    told = verified(stored, judges, _text_of(chosen), deadline=time.time() + CHECK_SECONDS)
    if as_json:
        say_json(told)
    else:
        print_check(Terminal(), verified_view(told), quiet=quiet)
    raise typer.Exit(EXIT_STATUS[told["outcome"]])


def _without_writer(chosen: Settings) -> Settings:
    """The settings without the embedded model where it has nothing to do: it splits no sentences, and is fetched."""
    from veridic.models.chat.by_name import EMBEDDED
    from veridic.settings import EXTRACTIVE

    idle = chosen.model == EMBEDDED and not (chosen.weights or chosen.judge)
    return chosen.model_copy(update={"model": EXTRACTIVE}) if idle else chosen


def _run(text: str, context: Context, resources: "Resources", *, silent: bool) -> "CheckResult":
    """Check, with a bar for the sentences that are judged."""
    from veridic.cli.opening import progress_bar
    from veridic.cli.running import run_graph
    from veridic.graph.builder import graph_of
    from veridic.graph.checking import CHECK

    with progress_bar("Checking", silent=silent) as tell:

        def seen(state: "GraphState") -> None:
            judged = {one["sentence_start"] for one in state.get("checked", [])}
            tell(len(judged), len(state.get("statements", [])), "")

        graph = graph_of(CHECK, lambda: resources)
        report: CheckResult = run_graph(graph, {"text": text}, context, seen=seen, ending="report")
    return report


def _text_of(chosen: Settings) -> "TextOf | None":
    """What finds a document's stored text; None where there is no knowledge base."""
    from veridic.errors import DocumentMissing, StoreMissing
    from veridic.resources import held_knowledge_base

    try:
        corpus = held_knowledge_base(chosen).corpus
    except StoreMissing:
        return None

    def text_of(document_id: str) -> str | None:
        try:
            return corpus.text_of(document_id)
        except DocumentMissing:
            return None

    return text_of
