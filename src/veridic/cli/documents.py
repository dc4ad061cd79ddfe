"""`veridic ingest` and `veridic show`: documents in, stored text out."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from veridic.cli.options import KB, NAMESPACE, settings
from veridic.errors import UsageError

if TYPE_CHECKING:
    from veridic.knowledge.ingest import IngestReport


def ingest(
    paths: Annotated[
        list[Path] | None, typer.Argument(help="Files and folders: txt, Markdown, HTML, PDF, docx.", show_default=False)
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

    Exit status 1 when a file could not be read; the others are in.
    """
    from veridic.cli.opening import ingest_shown, reembed_shown

    chosen = settings(kb=kb, namespace=namespace)
    if not paths and not reembed:
        raise UsageError("No documents were named.", "Give files or folders: veridic ingest PATH…")
    if reembed:
        typer.echo(f"{reembed_shown(chosen, silent=quiet)} embedded again")
    report = ingest_shown(chosen, paths or [], prune=prune, silent=quiet)
    tell(report, quiet=quiet)
    raise typer.Exit(1 if report.unreadable or report.missing else 0)


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
