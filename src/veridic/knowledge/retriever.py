"""A retriever of one's own: asked under a deadline, its failures named, its documents described."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from veridic.errors import NotDocuments, RetrieverFailed, VeridicError, told_of
from veridic.ports.file_limits import RETRIEVED, taken_of
from veridic.runtime.deadline import awaited, within
from veridic.text.hidden import blanked, clean

if TYPE_CHECKING:
    from langchain_core.documents import Document

NAME = "the handed-in retriever"
"""What messages call it."""

_URLS = ("url", "source", "link", "file_path", "path", "entry_id")
_TITLES = ("title", "Title", "name", "file_name", "filename")
_PAGES = ("page_label", "page_number")
_HEADINGS = tuple(f"Header {level}" for level in range(1, 7))
"""As LangChain's splitters by heading call them."""


@dataclass(frozen=True)
class Given:
    """A document as a retriever gave it; `text` is what offsets count in."""

    id: str
    """The same whenever the same text is given from the same place."""
    title: str
    url: str
    heading: str
    location: str
    text: str


class AskedRetriever:
    """A retriever that is asked in a thread of its own, as it knows no deadline."""

    def __init__(self, retriever: Any) -> None:  # noqa: ANN401 - of two kinds, told by what they have
        """`retriever` is LangChain's, or a vector store."""
        self._retriever = retriever

    def documents(self, query: str, *, limit: int, deadline: float) -> list[Given]:
        """What it gives for a query, each text once, in its order; those without text are left out.

        Raises `RetrieverFailed`, `NotDocuments` when none of what it gives is a document with text, and
        `DeadlineExceeded`.
        """
        found = within(deadline, NAME, lambda: self._asked(query, limit))
        if not isinstance(found, list | tuple):
            raise _strange(f"gave a {type(found).__name__} instead of a list of documents")
        if strangers := [one for one in found if not isinstance(getattr(one, "page_content", None), str)]:
            raise _strange(f"gave a {type(strangers[0]).__name__} where a document belongs")
        given = {one.id: one for one in map(described, found) if one.text.strip()}
        if found and not given:
            raise _strange(f"gave {len(found)} documents, none with text in `page_content`")
        return list(given.values())

    def _asked(self, query: str, limit: int) -> object:
        retriever = self._retriever
        if hasattr(retriever, "as_retriever"):  # any other settles itself how many documents it gives
            retriever = retriever.as_retriever(search_kwargs={"k": limit})
        try:
            try:
                return retriever.invoke(query)
            except NotImplementedError:  # one that can only be awaited
                return awaited(retriever.ainvoke(query))
        except VeridicError:
            raise
        except Exception as error:  # a retriever of anyone's may raise anything
            raise RetrieverFailed(
                f"{NAME.capitalize()} failed ({told_of(error)}).", "Try it alone: `retriever.invoke('a question')`."
            ) from error


def _strange(what: str) -> NotDocuments:
    return NotDocuments(f"{NAME.capitalize()} {what}.", "Have it return LangChain documents.")


def described(document: "Document") -> Given:
    """A document by the names that loaders and stores commonly give their metadata.

    Of one that is too long the beginning is taken, and its location says so.
    """
    given = getattr(document, "metadata", None)
    about: Mapping[str, Any] = given if isinstance(given, Mapping) else {}
    text = blanked(document.page_content[:RETRIEVED])
    url = _first(about, *_URLS)
    key = url or _first(about, "uid", "id")
    return Given(
        id="own-" + hashlib.sha256(f"{key}\0{text}".encode()).hexdigest()[:16],
        title=_first(about, *_TITLES) or _file_name(url),
        url=url,
        heading=" > ".join(filter(None, (_first(about, name) for name in _HEADINGS))),
        location=", ".join(filter(None, (_location(about), taken_of(len(document.page_content))))),
        text=text,
    )


def _location(about: Mapping[str, Any]) -> str:
    """Where the text stands in what it was taken from, as far as its metadata says."""
    if label := _first(about, *_PAGES):
        return f"page {label}"
    page, start = about.get("page"), about.get("start_index")
    if isinstance(page, int):
        return f"page {page + 1}"  # LangChain's loaders of PDFs count from 0; docs/how-to/examples.md says so
    return f"from character {start}" if isinstance(start, int) and start > 0 else ""


def _file_name(url: str) -> str:
    parts = urlsplit(url)
    return clean(unquote(PurePosixPath(parts.path.replace("\\", "/")).name)) or parts.netloc


def _first(about: Mapping[str, Any], *names: str) -> str:
    return next((" ".join(clean(str(about[name])).split()) for name in names if about.get(name)), "")
