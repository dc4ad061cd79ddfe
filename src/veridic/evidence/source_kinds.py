"""What kind of text a passage is; an evaluator that is calibrated on one kind may be out on another."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from veridic.ports.shapes import CORPUS, OUTSIDE, Passage, SourceKind

BY_SOURCE: dict[str, SourceKind] = {"wikipedia": "encyclopaedia", "arxiv": "abstract"}
"""What outside sources give; the others give web pages."""
BY_HOST: dict[str, SourceKind] = {
    "wikipedia.org": "encyclopaedia",
    "arxiv.org": "abstract",
    "pubmed.ncbi.nlm.nih.gov": "abstract",
}
"""What stands at an address, of what was kept from outside; subdomains too."""
SEPARATORS = "|\t"
FEWEST_ROWS, FEWEST_CELLS = 2, 3


def source_kind(passage: Passage) -> SourceKind:
    """A table by its form; else by where it is from. The documents of the knowledge base are one kind."""
    if is_table(passage["text"]):
        return "table"
    if passage["source"] == CORPUS:
        return "corpus"
    if passage["source"] == OUTSIDE:
        return _at(passage["url"])
    return BY_SOURCE.get(passage["source"], "web page")


def source_kinds(passages: Iterable[Passage]) -> list[SourceKind]:
    """The kinds that occur, each once, in order."""
    return list(dict.fromkeys(source_kind(passage) for passage in passages))


def is_table(text: str) -> bool:
    """Whether most lines of a text are rows of cells."""
    lines = [line for line in text.splitlines() if line.strip()]
    rows = [line for line in lines if _cells(line) >= FEWEST_CELLS]
    return len(rows) >= FEWEST_ROWS and 2 * len(rows) > len(lines)


def _cells(line: str) -> int:
    cut = (len(line.strip().strip(mark).split(mark)) for mark in SEPARATORS)
    return max(cut)


def _at(url: str) -> SourceKind:
    host = urlsplit(url).hostname or ""
    found = (kind for name, kind in BY_HOST.items() if host == name or host.endswith(f".{name}"))
    return next(found, "web page")
