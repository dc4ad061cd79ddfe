"""`veridic verify`: a stored result judged again by the quotes that are stored with it."""

import time
from typing import TYPE_CHECKING, Annotated

import typer

from veridic.cli.check import EXIT_STATUS
from veridic.cli.options import JUDGE, KB, NAMESPACE, settings
from veridic.cli.saying import say_json
from veridic.errors import DocumentMissing, StoreMissing
from veridic.ports.file_limits import CHECK_SECONDS

if TYPE_CHECKING:
    from veridic.evidence.verifying import TextOf
    from veridic.settings import Settings


def verify(
    result: Annotated[
        str,
        typer.Argument(
            help="What `veridic ask --json` or `veridic check --json` printed, or --export wrote as .json; "
            "- reads standard input."
        ),
    ],
    kb: KB = None,
    namespace: NAMESPACE = None,
    judge: JUDGE = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole result as one JSON document.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print what does not hold alone, and the sum.")] = False,
) -> None:
    """Judge a stored result again, each sentence by its own quotes alone; no knowledge base is needed.

    Where one is there, it is also said whether each quote still stands at its offsets, moved, or is gone.

    Exit status: 0 all hold, 5 some do not, 6 some are contradicted, 4 not verified, 1 error, 2 usage.
    """
    from veridic.cli.checked import print_verified
    from veridic.cli.given import given_bytes
    from veridic.evidence.factuality import Bounds
    from veridic.evidence.stored import LARGEST, stored_result
    from veridic.evidence.verifying import Judges, verified
    from veridic.models.by_settings import open_judges, open_reader

    chosen = settings(kb=kb, namespace=namespace, judge=judge)
    stored = stored_result(given_bytes(result, most=LARGEST))
    _, critic = open_judges(chosen)
    thresholds = critic.thresholds("normal")
    judges = Judges(critic, Bounds(thresholds.support, thresholds.contradiction), open_reader(chosen))
    told = verified(stored, judges, _text_of(chosen), deadline=time.time() + CHECK_SECONDS)
    if as_json:
        say_json(told)
    else:
        print_verified(told, quiet=quiet)
    raise typer.Exit(EXIT_STATUS[told["outcome"]])


def _text_of(chosen: "Settings") -> "TextOf | None":
    """What finds a document's stored text; None where there is no knowledge base."""
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
