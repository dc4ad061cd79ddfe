"""A document's life, from Python: taken in, listed, removed."""

import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from os import PathLike
from pathlib import Path

from veridic.errors import EmbedderMismatch, InvalidSetting, UsageError
from veridic.knowledge import ingest as ingestion
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.document_rows import Count, DocumentSummary
from veridic.knowledge.intake import IngestReport, Progress
from veridic.knowledge.named_pages import Named, keep_pages, page_named
from veridic.knowledge.reviewing import LIVE
from veridic.knowledge.web_pages import ingest_pages
from veridic.learning.acceptance import why_shut
from veridic.ports.shapes import Passage
from veridic.ports.shapes.learning import Gate
from veridic.resources import held_knowledge_base, open_knowledge_base
from veridic.settings import Settings
from veridic.sources.faults import fault
from veridic.sources.fetching import fetch, is_address
from veridic.sources.registry import PAGE_OPENERS

Reference = str | Path

FETCH_SECONDS = 60.0
"""For what stands at one address, or one page by name."""
DAY = 86_400


@dataclass
class RemovalReport:
    """What became of the references."""

    removed: list[DocumentSummary] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    """Ids of the generated records that rested on what was removed; they are held and not found any more."""
    unknown: list[str] = field(default_factory=list)
    """References at which no document is held."""


@dataclass(frozen=True)
class BaseStatus:
    """What a knowledge base holds in one namespace."""

    path: str
    namespace: str
    documents: int
    chunks: int
    counts: list[Count]
    """By kind and status."""
    docs: str | None
    """Where questions are asked, as `Settings.docs` says; None: everywhere."""
    index: str
    """`ready`, `empty`, or why it cannot be used."""
    embedder: str
    """Fingerprint of the embedder in use."""
    bytes: int
    """On disk: the file and its journal, of all namespaces; of PostgreSQL this namespace alone."""
    last_ingest: str | None
    """ISO 8601, UTC; None before the first."""
    full: str
    """Why no further answer is learned, where learned ones are too large a share; else empty."""


def ingest(
    *paths: Reference, settings: Settings | None = None, prune: bool = False, progress: Progress = lambda *_: None
) -> IngestReport:
    """Take in files and folders, and what stands at addresses of the web; what is unchanged is skipped.

    A page of Wikipedia or arXiv by its name, `wikipedia:TITLE` or `arxiv:ID`, is kept for `outside_days` for checking
    claims and is no document; its name is all that leaves, and its place need not be allowed. Raises `InvalidSetting`
    for one where nothing is kept from outside.

    Each path is an argument of its own. What changed is replaced. With `prune` documents whose file is gone from these
    paths are removed, also where the path itself is gone. Without `settings` the process's own hold, here and below.
    Raises `DocumentMissing` when none of the paths is there, `UsageError` for what is no path, and `KnowledgeError`.
    """
    if strange := [path for path in paths if not isinstance(path, str | PathLike)]:
        kind = type(strange[0]).__name__
        raise UsageError(f"A {kind} is no path.", "Give each path by itself: `ingest('a.md', 'b.md')`.")
    settings = settings or Settings.load()
    pages = {path: page for path in paths if isinstance(path, str) and (page := page_named(path, PAGE_OPENERS))}
    urls = [path for path in paths if isinstance(path, str) and is_address(path)]
    files = [Path(path) for path in paths if path not in urls and path not in pages]
    if pages and not settings.outside_days:
        raise InvalidSetting(
            "Pages from outside are not kept: outside_days is 0.", "Set VERIDIC_OUTSIDE_DAYS to a number of days."
        )
    with closing(open_knowledge_base(settings)) as knowledge:
        corpus, limits = knowledge.corpus, settings.file_limits
        report = IngestReport()
        if files or not (urls or pages):
            report = ingestion.ingest(files, corpus, prune=prune, limits=limits, progress=progress)
        if urls:
            ingest_pages(
                urls,
                corpus,
                lambda url: fetch(url, settings, deadline=time.time() + FETCH_SECONDS),
                fault=fault,
                report=report,
                limits=limits,
                progress=progress,
            )
        since = time.time() - settings.outside_days * DAY
        keep_pages(list(pages.values()), corpus, partial(_fetched, settings), since=since, report=report)
        return report


def _fetched(settings: Settings, page: Named) -> list[Passage]:
    """All of a page. Raises what `PageSource.page` raises."""
    return PAGE_OPENERS[page.source](settings).page(page.key, deadline=time.time() + FETCH_SECONDS)


def list_documents(
    *, settings: Settings | None = None, under: Reference | Sequence[Reference] | None = None
) -> list[DocumentSummary]:
    """Every document, oldest first; with `under` those at or beneath these paths, or with these ids.

    Generated records are listed with the documents that they rest on, but for those that were rejected or withdrawn:
    `veridic.api.remembered.list_records` has all. Raises `StoreMissing`, `KnowledgeError`.
    """
    places = [under] if isinstance(under, str | Path) else under
    with closing(held_knowledge_base(settings)) as knowledge:
        corpus = knowledge.corpus
        held = (corpus if places is None else corpus.within([str(place) for place in places])).documents()
    return [one for one in held if one.kind != "generated" or one.status in LIVE]


def remove(*references: Reference, settings: Settings | None = None) -> RemovalReport:
    """Remove documents: a file's, all beneath a folder, or the one with an id; what rests on them is withdrawn.

    The files themselves stay where they are. Raises `StoreMissing`, `KnowledgeError`.
    """
    report = RemovalReport()
    with closing(held_knowledge_base(settings)) as knowledge:
        corpus = knowledge.corpus
        for reference in map(str, references):
            at = [one for one in corpus.within([reference]).documents() if one.kind != "generated"]
            found = at or [one for one in corpus.documents(kind="generated") if one.id == reference]
            report.withdrawn += corpus.remove_all([one.id for one in found])
            report.removed += found
            if not found:
                report.unknown.append(reference)
    return report


def base_status(*, settings: Settings | None = None) -> BaseStatus:
    """What the knowledge base holds and how large it is. Raises `StoreMissing`, `KnowledgeError`."""
    settings = settings or Settings.load()
    with closing(held_knowledge_base(settings)) as knowledge:
        corpus = knowledge.corpus
        index, full = _index(corpus, settings)
        counts, last = corpus.counted()
        return BaseStatus(
            path=corpus.store.place,
            namespace=corpus.namespace,
            documents=sum(one.documents for one in counts),
            chunks=sum(one.chunks for one in counts),
            counts=counts,
            docs=settings.docs or None,
            index=index,
            embedder=corpus.embedder.fingerprint,
            bytes=corpus.store.size(),
            last_ingest=last,
            full=full,
        )


def _index(corpus: Corpus, settings: Settings) -> tuple[str, str]:
    """What `BaseStatus` says of the dense index, and of the room for learned answers."""
    try:
        status = corpus.status()
    except EmbedderMismatch as error:
        return str(error), ""
    if status.index == "empty":
        return status.index, ""
    room = Gate(name="share", value=status.share, bound=settings.max_generated, passed=False)
    learns = settings.write_back == "off" or status.share <= settings.max_generated
    return status.index, "" if learns else why_shut(room)
