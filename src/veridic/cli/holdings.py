"""`veridic list`, `veridic remove` and `veridic status`: what a knowledge base holds."""

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

import veridic
from veridic.cli.options import JSON, with_options
from veridic.cli.saying import say, say_json, say_rows, shortened, warn, when
from veridic.exporting.outgoing import for_a_line
from veridic.exporting.wording import counted
from veridic.ports.shapes.learning import STATUSES
from veridic.settings import Settings

if TYPE_CHECKING:
    from veridic.api.documents import BaseStatus

HEAD = ("ID", "KIND", "STATUS", "CHUNKS", "INGESTED", "TITLE", "PATH")
TITLE = 40
"""Terminal cells of a title that are shown."""
KINDS = {"human": "documents", "outside": "kept from outside", "generated": "learned answers"}


@with_options()
def list_held(
    chosen: Settings,
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="PATH | ID", help="Only what is at or under these.", show_default=False),
    ] = None,
    as_json: JSON = False,
) -> None:
    """List the documents that are held; an id or a path is what `veridic show` and `veridic remove` take.

    What people wrote is marked `human`, answers that were learned `generated`, pages kept from outside `outside`. Those
    that were rejected or withdrawn are told by `veridic memory list --status rejected,withdrawn`.
    """
    held = veridic.list_documents(settings=chosen, under=paths or None)
    if as_json:
        say_json([asdict(one) for one in held])
    elif held:
        say_rows([HEAD, *map(_row, held)])
    elif paths:
        say(f"No document is held at {for_a_line(', '.join(paths))}; `veridic list` alone names all.")
    else:
        say(f"{chosen.kb_shown} holds no documents yet: run `veridic ingest PATH`.")


def _row(one: "veridic.DocumentSummary") -> tuple[str, ...]:
    where = "(an answer that was learned)" if one.kind == "generated" else one.url
    return one.id, one.kind, one.status, str(one.chunks), when(one.ingested_at), shortened(one.title, TITLE), where


@with_options()
def remove(
    references: Annotated[
        list[str],
        typer.Argument(metavar="PATH | ID", help="A file, a folder with all under it, or a document's id."),
    ],
    chosen: Settings,
) -> None:
    """Remove documents from the knowledge base, and with them what was learned from them. Files are not touched.

    Exit status 1 when nothing is held at one of these; the others are removed.
    """
    report = veridic.remove(*references, settings=chosen)
    if report.removed:
        say(f"{counted(len(report.removed), 'document')} removed{told_withdrawn(report.withdrawn)}")
    for reference in report.unknown:
        warn(f"{reference}: no document is held there. List them with `veridic list`.")
    raise typer.Exit(1 if report.unknown else 0)


def told_withdrawn(withdrawn: list[str]) -> str:
    """What went with documents, as the end of a line; empty when nothing did."""
    return f"; {counted(len(withdrawn), 'learned answer')} that rested on this withdrawn" if withdrawn else ""


@with_options()
def status(chosen: Settings, as_json: JSON = False) -> None:
    """Say what the knowledge base holds, how large it is and when it was last fed."""
    from veridic.api.documents import base_status

    found = base_status(settings=chosen)
    if as_json:
        say_json(asdict(found))
    else:
        say_rows(_lines(found))


def _lines(found: "BaseStatus") -> list[tuple[str, str]]:
    size = f"{found.bytes / 1e6:.1f} MB" if found.bytes >= 1e5 else f"{found.bytes / 1e3:.0f} kB"
    return [
        ("knowledge base", f"{found.path} ({size})"),
        ("namespace", found.namespace),
        *_sorts(found),
        *([("learning", found.full)] if found.full else []),
        ("asked of", f"what is at {found.docs} alone (VERIDIC_DOCS)" if found.docs else "all of it"),
        ("index", found.index),
        ("embedder", found.embedder),
        ("last ingest", when(found.last_ingest) if found.last_ingest else "never: run `veridic ingest PATH`"),
    ]


def _sorts(found: "BaseStatus") -> "Iterator[tuple[str, str]]":
    """What is held, each kind by itself: to who took documents in, what was learned of them is none."""
    for kind, name in KINDS.items():
        own = [one for one in found.counts if one.kind == kind]
        number, passages = sum(one.documents for one in own), sum(one.chunks for one in own)
        if kind == "generated":
            told = ", ".join(f"{one.documents:,} {STATUSES[one.status]}" for one in own)
        else:
            told = f"{number:,} in {counted(passages, 'passage')}"
        if own or kind == "human":
            yield name, told
