"""Whole pages of outside places that the user names, `wikipedia:TITLE` or `arxiv:ID`: kept for checking claims."""

import os
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from veridic.knowledge.corpus import Corpus
from veridic.knowledge.intake import IngestReport, each_fetched
from veridic.ports.shapes import Passage


class Named(NamedTuple):
    """A page as the user named it."""

    source: str
    key: str

    def __str__(self) -> str:
        """As on the command line."""
        return f"{self.source}:{self.key}"


def page_named(reference: str, sources: Collection[str]) -> Named | None:
    """The page of one of the sources that a reference names; None where it names none, or a file has that very name."""
    source, _, key = reference.partition(":")
    named = Named(source.lower(), key.strip())
    return named if named.source in sources and named.key and not os.path.lexists(reference) else None


def keep_pages(
    pages: Sequence[Named],
    corpus: Corpus,
    fetch: Callable[[Named], list[Passage]],
    *,
    since: float,
    report: IngestReport,
) -> None:
    """Fetch and keep each page; one that cannot be had is in the report and never stops the rest.

    What was retrieved before `since` (seconds since the epoch) leaves. Raises what `Corpus` raises.
    """
    for _, passages in each_fetched(pages, fetch, report):
        corpus.keep_page(passages, since=since)
        report.kept.append(passages[0]["document_id"])
