"""Documents from the web that the user names by their address: read as files are, named by where they stand."""

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from veridic.errors import DocumentUnreadable
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.intake import IngestReport, Intake, Item, Progress, each_fetched
from veridic.knowledge.readers import files
from veridic.knowledge.readers.model import ParsedDocument
from veridic.knowledge.readers.process import ReadingProcess
from veridic.ports.file_limits import FileLimits
from veridic.ports.sources import FetchedPage

Fetch = Callable[[str], FetchedPage]
"""Address to what stands there. May raise `SourceError`."""

Fault = Callable[[str, str], str | None]
"""Title and text of a page to why it is none (a bot wall, an error page); None when it is one."""

SUFFIXES = {media_type: suffix for suffix, (media_type, _) in reversed(files.READERS.items())} | {
    "application/xhtml+xml": ".xhtml",
    "text/x-markdown": ".md",
    "application/x-ndjson": ".jsonl",
    "application/csv": ".csv",
}
"""By which file name extension what has a media type is read."""

HTML = "text/html"
"""What a wall comes as, in place of a document of any kind."""

VAGUE = ("", "text/plain", "application/octet-stream", "binary/octet-stream")
"""Media types that servers give to what they do not know; the address may tell more."""


def ingest_pages(
    urls: Sequence[str],
    corpus: Corpus,
    fetch: Fetch,
    *,
    fault: Fault,
    report: IngestReport,
    limits: FileLimits,
    progress: Progress = lambda *_: None,
) -> None:
    """Take in what stands at each address; what cannot be had is in the report and never stops the rest.

    They are documents that people wrote, as files are: whoever names an address chose the document. What is unchanged
    is skipped. Raises what `Corpus` raises.
    """
    intake = Intake(corpus, report, progress)
    with closing(ReadingProcess(limits)) as reading:
        for url, page in each_fetched((url.partition("#")[0] for url in urls), fetch, report):
            intake.run([_item(url, page, reading, limits, fault)])


def _item(url: str, page: FetchedPage, reading: ReadingProcess, limits: FileLimits, fault: Fault) -> Item:
    name = file_name(url, page.media_type)

    def content() -> bytes:
        """The page as it came. Raises `DocumentUnreadable` beyond its limits."""
        files.check(name, len(page.content), limits)
        return page.content

    def parse(content: bytes) -> ParsedDocument:
        """The document that a page is. Raises `DocumentUnreadable` where it is none."""
        parsed = reading.parse(name, content)
        wrong = fault(parsed.title, parsed.text) if files.media_type(name) == HTML else None
        if wrong:
            raise DocumentUnreadable(
                f"What came is no document: {wrong}.", "Open it in a browser, save it, and ingest the file."
            )
        return parsed

    return Item(
        url=url, name=name.name, media_type=page.media_type or files.media_type(name), content=content, parse=parse
    )


def file_name(url: str, media_type: str) -> Path:
    """What the document would be called as a file: its extension says how it is read."""
    parts = urlsplit(url)
    path = PurePosixPath(unquote(parts.path))
    stem = path.name or parts.hostname or "page"
    if media_type in VAGUE and files.known(Path(stem)):
        return Path(stem)
    suffix = SUFFIXES.get(media_type, "")
    return Path(stem if not suffix or Path(stem).suffix.lower() == suffix else f"{stem}{suffix}")
