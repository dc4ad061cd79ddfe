"""`veridic ingest wikipedia:TITLE arxiv:ID`: whole pages from outside, kept for a while for checking claims."""

import os
import time
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from veridic.errors import DeadlineExceeded, InvalidSetting, SourceError
from veridic.evidence.wording import counted
from veridic.resources import open_knowledge_base
from veridic.settings import Settings
from veridic.sources.registry import PAGE_OPENERS, open_page_source

DAY = 86_400
SECONDS = 60.0
"""For fetching one page; the source's own terms may give it less."""


class Named(NamedTuple):
    """A page as the user named it."""

    source: str
    key: str

    def __str__(self) -> str:
        """As on the command line."""
        return f"{self.source}:{self.key}"


class Kept(NamedTuple):
    """What became of a page: whether it went in, and a line for people."""

    good: bool
    text: str


def told_apart(documents: Sequence[str]) -> tuple[list[Named], list[str]]:
    """The pages named among documents, each once, and the paths; a file of that very name is a path."""
    pages, paths = list[Named](), list[str]()
    for document in documents:
        source, _, key = document.partition(":")
        if source.lower() in PAGE_OPENERS and key.strip() and not os.path.lexists(document):
            pages.append(Named(source.lower(), key.strip()))
        else:
            paths.append(document)
    return list(dict.fromkeys(pages)), paths


def ingest_pages(pages: Sequence[Named], settings: Settings) -> Iterator[Kept]:
    """Fetch and keep each page; one that cannot be had never stops the rest.

    Nothing but the name of each page leaves, and only to its own source. Raises `InvalidSetting` when nothing is
    kept from outside, and what `Corpus` raises.
    """
    days = settings.outside_days
    if not days:
        raise InvalidSetting(
            "Pages from outside are not kept: outside_days is 0.", "Set VERIDIC_OUTSIDE_DAYS to a number of days."
        )
    corpus = open_knowledge_base(settings).corpus
    for page in pages:
        try:
            passages = open_page_source(page.source, settings).page(page.key, deadline=time.time() + SECONDS)
        except (SourceError, DeadlineExceeded) as error:
            yield Kept(False, f"{page}: {error}")
        else:
            corpus.keep_page(passages, since=time.time() - days * DAY)
            until = datetime.fromisoformat(passages[0]["retrieved_at"]).date() + timedelta(days=days)
            yield Kept(True, f"{passages[0]['document_id']}: {counted(len(passages), 'passage')} until {until}")
