"""`veridic ingest` and `veridic show`: documents in, stored text out."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridic.cli.options import KB, NAMESPACE, settings
from veridic.errors import UsageError

if TYPE_CHECKING:
    from veridic.cli.pages import Kept
    from veridic.knowledge.ingest import IngestReport


def ingest(
    documents: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH | wikipedia:TITLE | arxiv:ID",
            help="Files and folders: txt, Markdown, HTML, PDF, docx. Or whole pages from outside, asked for by name.",
            show_default=False,
        ),
    ] = None,
    kb: KB = None,
    namespace: NAMESPACE = None,
    prune: Annotated[bool, typer.Option(help="Remove documents whose file is gone from the given folders.")] = False,
    reembed: Annotated[
        bool, typer.Option("--reembed", help="First embed what is stored again, for another embedder.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only what could not be read.")] = False,
) -> None:
    """Take documents into the knowledge base; what is unchanged is skipped, what changed is replaced.

    A page from outside is kept for VERIDIC_OUTSIDE_DAYS, for checking claims alone; once more renews it.
    Its name is all that leaves, and no other source need be allowed for it.

    Exit status 1 when a file could not be read or a page not be had; the others are in.
    """
    from veridic.cli.opening import ingest_shown, reembed_shown
    from veridic.cli.pages import ingest_pages, told_apart

    chosen = settings(kb=kb, namespace=namespace)
    if not documents and not reembed:
        raise UsageError("No documents were named.", "Give files or folders: veridic ingest PATH…")
    if reembed:
        typer.echo(f"{reembed_shown(chosen, silent=quiet)} embedded again")
    pages, paths = told_apart(documents or [])
    good = tell_pages(ingest_pages(pages, chosen), quiet=quiet) if pages else True
    if paths or not pages:
        report = ingest_shown(chosen, [Path(path) for path in paths], prune=prune, silent=quiet)
        tell(report, quiet=quiet)
        good = good and not (report.unreadable or report.missing)
    raise typer.Exit(0 if good else 1)


def tell_pages(pages: "Iterable[Kept]", *, quiet: bool) -> bool:
    """Print what became of each page as it is kept, problems on standard error; whether all are in."""
    good = True
    for page in pages:
        good = good and page.good
        if not page.good:
            typer.echo(f"veridic: {page.text}", err=True)
        elif not quiet:
            typer.echo(page.text)
    return good


def tell(report: "IngestReport", *, quiet: bool) -> None:
    """Print what became of the files: counts on standard output, problems on standard error."""
    counts = {
        "added": report.added,
        "replaced": report.replaced,
        "unchanged": report.unchanged,
        "pruned": report.pruned,
        "skipped": report.skipped,
    }
    if not quiet:
        typer.echo(", ".join(f"{len(names)} {what}" for what, names in counts.items() if names) or "nothing to do")
    for problem in report.unreadable:
        typer.echo(f"veridic: {problem.path}: {problem.reason}", err=True)
    for path in report.missing:
        typer.echo(f"veridic: {path}: no such file or folder.", err=True)


def show(
    document: Annotated[str, typer.Argument(help="A document's id, path or address, as citations name it.")],
    kb: KB = None,
    namespace: NAMESPACE = None,
) -> None:
    """Print a document's stored text, the one that citations' offsets count in."""
    from veridic.resources import open_knowledge_base

    sys.stdout.write(open_knowledge_base(settings(kb=kb, namespace=namespace)).corpus.document(document).text)
