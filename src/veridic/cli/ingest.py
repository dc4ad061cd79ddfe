"""`veridic ingest` and `veridic show`: documents in, stored text out."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

import veridic
from veridic.cli.options import JSON, with_options
from veridic.cli.saying import say, say_json, warn
from veridic.errors import UsageError
from veridic.exporting.outgoing import for_a_line
from veridic.exporting.wording import counted
from veridic.settings import Settings

NOTHING = "nothing to do: no file that can be read is there"
NAMED = 10
"""Skipped files that are named."""
KINDS = 5
"""Endings of those that are not named."""


@with_options()
def ingest(
    chosen: Settings,
    documents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH | URL | wikipedia:TITLE | arxiv:ID",
            help="Files and folders: text, Markdown, HTML, PDF, Office, CSV, JSON, mail, archives. "
            "The same at an address of the web. Or pages of Wikipedia and arXiv by name.",
            show_default=False,
        ),
    ] = None,
    prune: Annotated[bool, typer.Option(help="Remove documents whose file is gone from the given paths.")] = False,
    reembed: Annotated[
        bool, typer.Option("--reembed", help="First embed what is stored again, for another embedder.")
    ] = False,
    queue: Annotated[
        bool, typer.Option("--queue", help="Let `veridic worker` take them in, and end at once (PostgreSQL).")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only what could not be read.")] = False,
    as_json: JSON = False,
) -> None:
    """Take documents into the knowledge base; what is unchanged is skipped, what changed is replaced.

    What stands at an address is a document like a file; its address is all that leaves. A page of Wikipedia or arXiv
    by name is kept for VERIDIC_OUTSIDE_DAYS, for checking claims alone; its name is all that leaves.

    Exit status 1 when a document could not be read; the others are in.
    """
    from veridic.cli.opening import progress_bar

    if not documents and not reembed:
        raise UsageError("No documents were named.", "Give files or folders: veridic ingest PATH…")
    if queue and (prune or reembed):
        raise UsageError("--queue queues files and does nothing else.", "Prune, or embed again, in a call of its own.")
    if queue:
        _queue(documents or [], chosen, quiet=quiet, as_json=as_json)
    if reembed:
        _reembed(chosen, quiet=quiet)
    paths = documents or []
    with progress_bar("Ingesting", silent=quiet or as_json) as tell:
        report = veridic.ingest(*paths, settings=chosen, prune=prune, progress=tell)
    if as_json:
        say_json(asdict(report))
    else:
        tell_report(report, quiet=quiet)
    if not (quiet or as_json):
        _tell_bound(chosen.docs, paths)
    raise typer.Exit(1 if report.unreadable or report.missing else 0)


def _queue(paths: Sequence[str], chosen: Settings, *, quiet: bool, as_json: bool) -> None:
    """Queue files and end; their numbers are printed."""
    from veridic.api.queueing import queue
    from veridic.cli.jobs import told_ids

    report = queue(*paths, settings=chosen)
    if as_json:
        say_json(asdict(report))
    else:
        if not quiet:
            numbers = f": {told_ids([one.id for one in report.jobs])}" if report.jobs else ""
            say(f"{counted(len(report.jobs), 'job')} queued{numbers}")
            _tell_skipped(report.passed.skipped, report.passed.reasons)
        _tell_problems(report.passed)
    raise typer.Exit(1 if report.passed.unreadable or report.passed.missing else 0)


def _reembed(chosen: Settings, *, quiet: bool) -> None:
    from veridic.cli.opening import progress_bar
    from veridic.knowledge.integrity import reembed
    from veridic.resources import open_knowledge_base

    with progress_bar("Embedding", silent=quiet) as tell:
        count = reembed(open_knowledge_base(chosen).corpus, progress=tell)
    say(f"{count} embedded again")


def tell_report(report: "veridic.IngestReport", *, quiet: bool) -> None:
    """Print what became of the files: counts on standard output, problems on standard error."""
    from veridic.cli.holdings import told_withdrawn

    kinds = ("added", "replaced", "unchanged", "kept", "pruned", "skipped")
    if not quiet:
        counts = ", ".join(f"{len(names):,} {what}" for what in kinds if (names := getattr(report, what))) or NOTHING
        say(counts + told_withdrawn(report.withdrawn))
        _tell_skipped(report.skipped, report.reasons)
    _tell_problems(report)


def _tell_problems(report: "veridic.IngestReport") -> None:
    for problem in (*report.unreadable, *report.partly):
        warn(f"{problem.path}: {problem.reason}")
    for path in report.missing:
        warn(f"{path}: no such file or folder.")
    if report.gone:
        held = f"{counted(len(report.gone), 'document')} still held, the file being gone"
        warn(f"{held}; `veridic ingest --prune` with the same path removes what is gone.")


def _tell_skipped(paths: Sequence[str], reasons: Mapping[str, str]) -> None:
    """Name the files that are not read, the first of many, and the kinds that are."""
    from veridic.knowledge.readers.files import DOCUMENTS, unknown

    of_unknown_kind = str(unknown())
    for path in paths[:NAMED]:
        ending = Path(path).suffix
        kind = f"{ending} is not read" if ending else "its name has no ending that says what it is"
        why = kind if reasons[path] == of_unknown_kind else reasons[path].partition(". ")[0]
        say(f"  skipped: {for_a_line(f'{path}: {why}')}")
    if len(paths) > NAMED:
        say(f"  and {counted(len(paths) - NAMED, 'file')} more: {_endings(paths[NAMED:])}")
    if of_unknown_kind in reasons.values():
        say(f"  What is read ends in {', '.join(DOCUMENTS)}, or in what source code ends in.")


def _endings(paths: Sequence[str]) -> str:
    """How often each ending is there, the most frequent first: `12 .png, 3 .zip and 2 of other kinds`."""
    counts = Counter(Path(path).suffix for path in paths)
    named = [(ending, count) for ending, count in counts.most_common() if ending][:KINDS]
    others = len(paths) - sum(count for _, count in named)
    told = ", ".join(f"{count:,} {for_a_line(ending)}" for ending, count in named)
    return " and ".join(filter(None, (told, f"{others:,} of other kinds" if others else "")))


def _tell_bound(docs: str | None, paths: Sequence[str]) -> None:
    """Say so when questions will not be asked of what was taken in."""
    from veridic.sources.fetching import is_address

    root = Path(docs).expanduser().resolve() if docs else None
    files = [Path(path).expanduser().resolve() for path in paths if not is_address(path)]
    if root and not all(file.is_relative_to(root) for file in files):
        say(f"Questions are asked of {docs} alone, as VERIDIC_DOCS or veridic.toml say; of these with --docs PATH.")


@with_options()
def show(
    document: Annotated[str, typer.Argument(help="A document's id, path or address, as citations name it.")],
    chosen: Settings,
) -> None:
    """Print a document's stored text, the one that citations' offsets count in."""
    from veridic.cli.terminal import width
    from veridic.resources import held_knowledge_base

    text = held_knowledge_base(chosen).corpus.document(document).text
    say(text, end="\n" if width() and not text.endswith("\n") else "")  # a file gets it to the character
