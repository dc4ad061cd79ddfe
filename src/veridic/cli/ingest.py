"""`veridic ingest` and `veridic show`: documents in, stored text out."""

import os
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

import veridic
from veridic.cli.options import with_options
from veridic.cli.saying import say, warn
from veridic.errors import DeadlineExceeded, InvalidSetting, SourceError, UsageError
from veridic.evidence.wording import counted
from veridic.settings import Settings
from veridic.text.outgoing import for_a_line

NOTHING = "nothing to do: no file that can be read is there"
DAY = 86_400
SECONDS = 60.0
"""For fetching one page; the source's own terms may give it less."""
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
            help="Files and folders: txt, Markdown, reStructuredText, HTML, PDF, docx, EPUB, CSV, JSON; pptx and xlsx "
            "with the extra office, scans and pictures with ocr. The same at an address of the web. Or whole pages "
            "from outside, asked for by name.",
            show_default=False,
        ),
    ] = None,
    prune: Annotated[bool, typer.Option(help="Remove documents whose file is gone from the given paths.")] = False,
    reembed: Annotated[
        bool, typer.Option("--reembed", help="First embed what is stored again, for another embedder.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on, and take in what changes, until Ctrl-C; with --prune remove too.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only what could not be read.")] = False,
) -> None:
    """Take documents into the knowledge base; what is unchanged is skipped, what changed is replaced.

    What stands at an address is a document like a file; its address is all that leaves.

    A page asked for by name is kept for VERIDIC_OUTSIDE_DAYS, for checking claims alone; once more renews it.
    Its name is all that leaves, and no other source need be allowed for it.

    Exit status 1 when a file could not be read or a page not be had; the others are in.
    """
    from veridic.cli.opening import progress_bar

    if not documents and not reembed:
        raise UsageError("No documents were named.", "Give files or folders: veridic ingest PATH…")
    if reembed:
        _reembed(chosen, quiet=quiet)
    pages, paths = told_apart(documents or [])
    if watch:
        _follow(chosen, pages, paths, prune=prune, quiet=quiet)
        return
    good = _take_pages(pages, chosen, quiet=quiet) if pages else True
    if paths or not pages:
        with progress_bar("Ingesting", silent=quiet) as tell:
            report = veridic.ingest(*paths, settings=chosen, prune=prune, progress=tell)
        tell_report(report, quiet=quiet)
        if not quiet:
            _tell_bound(chosen.docs, paths)
        good = good and not (report.unreadable or report.missing)
    raise typer.Exit(0 if good else 1)


def _reembed(chosen: Settings, *, quiet: bool) -> None:
    from veridic.cli.opening import progress_bar
    from veridic.knowledge.reembedding import reembed
    from veridic.resources import open_knowledge_base

    with progress_bar("Embedding", silent=quiet) as tell:
        count = reembed(open_knowledge_base(chosen), progress=tell)
    say(f"{count} embedded again")


def _follow(settings: Settings, pages: Sequence[str], paths: Sequence[str], *, prune: bool, quiet: bool) -> None:
    """Take in what changes in files and folders until Ctrl-C, a line for each."""
    from veridic.sources.fetching import is_address

    remote = [*pages, *(path for path in paths if is_address(path))]
    if remote or not paths:
        raise UsageError(
            "Only files and folders can be watched.", f"Leave out {', '.join(remote)}." if remote else "Name a folder."
        )
    with suppress(KeyboardInterrupt), closing(veridic.watch(*paths, settings=settings, prune=prune)) as reports:
        tell_report(next(reports), quiet=quiet)
        if not quiet:
            say("Watching; Ctrl-C ends it.")
        for report in reports:
            changes = {"added": report.added, "replaced": report.replaced, "removed": report.pruned}
            for what, url in ((what, url) for what, urls in changes.items() for url in urls if not quiet):
                say(f"{what} {for_a_line(url)}")
            _tell_problems(report)


def _tell_problems(report: "veridic.IngestReport") -> None:
    for problem in (*report.unreadable, *report.partly):
        warn(f"{problem.path}: {problem.reason}")


def _take_pages(pages: Sequence[str], settings: Settings, *, quiet: bool) -> bool:
    """Fetch and keep each page for a while, and say what became of it; whether all are in.

    One that cannot be had never stops the rest. Nothing but the name of each page leaves, and only to its own source.
    Raises `InvalidSetting` when nothing is kept from outside, and what `Corpus` raises.
    """
    from veridic.resources import open_knowledge_base
    from veridic.sources.registry import open_page_source

    days, good = settings.outside_days, True
    if not days:
        raise InvalidSetting(
            "Pages from outside are not kept: outside_days is 0.", "Set VERIDIC_OUTSIDE_DAYS to a number of days."
        )
    corpus = open_knowledge_base(settings).corpus
    for page in pages:
        source, _, key = page.partition(":")
        try:
            passages = open_page_source(source, settings).page(key, deadline=time.time() + SECONDS)
        except (SourceError, DeadlineExceeded) as error:
            warn(f"{page}: {error}")
            good = False
            continue
        corpus.keep_page(passages, since=time.time() - days * DAY)
        until = datetime.fromisoformat(passages[0]["retrieved_at"]).date() + timedelta(days=days)
        if not quiet:
            say(f"{passages[0]['document_id']}: {counted(len(passages), 'passage')} until {until}")
    return good


def told_apart(documents: Sequence[str]) -> tuple[list[str], list[str]]:
    """The pages named among documents as `source:title`, each once, and the paths; a file of that name is a path."""
    from veridic.sources.registry import PAGE_OPENERS

    pages, paths = list[str](), list[str]()
    for document in documents:
        source, _, key = document.partition(":")
        if source.lower() in PAGE_OPENERS and key.strip() and not os.path.lexists(document):
            pages.append(f"{source.lower()}:{key.strip()}")
        else:
            paths.append(document)
    return list(dict.fromkeys(pages)), paths


def tell_report(report: "veridic.IngestReport", *, quiet: bool) -> None:
    """Print what became of the files: counts on standard output, problems on standard error."""
    from veridic.cli.holdings import told_withdrawn

    kinds = ("added", "replaced", "unchanged", "pruned", "skipped")
    if not quiet:
        counts = ", ".join(f"{len(names):,} {what}" for what in kinds if (names := getattr(report, what))) or NOTHING
        say(counts + told_withdrawn(report.withdrawn))
        _tell_skipped(report.skipped, report.reasons)
    _tell_problems(report)
    for path in report.missing:
        warn(f"{path}: no such file or folder.")
    if report.gone:
        held = f"{counted(len(report.gone), 'document')} still held, the file being gone"
        warn(f"{held}; `veridic ingest --prune` with the same path removes what is gone.")


def _tell_skipped(paths: Sequence[str], reasons: Mapping[str, str]) -> None:
    """Name the files that are not read, the first of many, with why; and what kinds are, where one is of no such."""
    from veridic.knowledge.readers.files import known, readable

    for path in paths[:NAMED]:
        ending = Path(path).suffix
        unknown = f"{ending} is not read" if ending else "its name has no ending that says what it is"
        say(f"  skipped: {for_a_line(f'{path}: {reasons[path] if known(Path(path)) else unknown}')}")
    if len(paths) > NAMED:
        say(f"  and {counted(len(paths) - NAMED, 'file')} more: {_endings(paths[NAMED:])}")
    if not all(known(Path(path)) for path in paths):
        say(f"  What is read ends in {', '.join(readable())}.")


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
