"""Any retriever of langchain-community (or of langchain at all) as an evidence source.

Such a retriever brings its own HTTP client, so the guard cannot be put under it in general: its
addresses are those written in its code, which the operator chose with it. A retriever worth
shipping is built with its requests through the guarded session, as `pubmed` is.
"""

import hashlib
import re
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from veridic.errors import MissingExtra, SourceUnavailable, VeridicError
from veridic.ports.sources import Found
from veridic.runtime.deadline import within
from veridic.sources.main_text import main_text
from veridic.sources.passages import Page, best_passages
from veridic.sources.terms import COMMON, Terms

if TYPE_CHECKING:
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever


_PIP = re.compile(r"pip install ((?:-\S+ )*[\w.\[\]-]*[\w\]])")
"""How packages say in an `ImportError` what to install."""


class BuildRetriever(Protocol):
    """Makes a retriever for one search."""

    def __call__(self, *, limit: int, deadline: float) -> "BaseRetriever":
        """A retriever of at most `limit` documents; those that can should stop at `deadline`."""
        ...


class CommunityRetriever:
    """An evidence source made of a langchain retriever."""

    def __init__(
        self,
        name: str,
        build: BuildRetriever,
        describe: Callable[[str, "Document"], Page] | None = None,
        *,
        terms: Terms = COMMON,
        address: str = "",
    ) -> None:
        """`build` is called for every search; `describe` says where a document stands, given the source's name."""
        self.name = name
        self._build = build
        self._describe = describe or described
        self.terms = terms
        self.address = address

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        """See `EvidenceSource`. A retriever that is late is left behind; whatever it raises is `SourceUnavailable`."""
        if not any(character.isalnum() for character in query) or limit < 1:
            return Found([], [])
        found = within(deadline, self.name, lambda: self._retrieve(query, limit, deadline))
        pages = [self._describe(self.name, document) for document in found]
        return best_passages(pages, query, source=self.name, limit=limit)

    def _retrieve(self, query: str, limit: int, deadline: float) -> list["Document"]:
        try:
            return self._build(limit=limit, deadline=deadline).invoke(query)
        except VeridicError:
            raise
        except ImportError as error:
            raise missing_package(self.name, error) from error
        except Exception as error:  # a retriever of anyone's may raise anything
            raise SourceUnavailable(
                f"The retriever {self.name} failed ({type(error).__name__}).", "Try again later or leave it out."
            ) from error


def described(source: str, document: "Document") -> Page:
    """A document as a page, from the names that retrievers commonly give their metadata."""
    url = _first(document.metadata, "url", "source", "link", "entry_id")
    key = (
        _first(document.metadata, "uid", "id") or url or hashlib.sha256(document.page_content.encode()).hexdigest()[:16]
    )
    return Page(f"{source}:{key}", _first(document.metadata, "title", "Title"), url, main_text(document.page_content))


def missing_package(name: str, error: ImportError) -> MissingExtra:
    """The error that says what to install: by the package's own words, else the module that was not found."""
    told = _PIP.search(str(error))
    wanted = told[1] if told else (error.name or "the package it names").partition(".")[0]
    return MissingExtra(f"{name} needs a package that is not installed.", f"Install it: pip install {wanted}.")


def without_sunset_warning() -> None:
    """Silence the one warning langchain-community gives when it is imported; call this before importing it."""
    warnings.filterwarnings("ignore", message="`langchain-community` is being sunset", category=DeprecationWarning)


def _first(metadata: dict[str, Any], *names: str) -> str:
    return next((str(metadata[name]) for name in names if metadata.get(name)), "")
