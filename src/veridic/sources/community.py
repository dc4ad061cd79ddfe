"""Any retriever of langchain-community, named by its class (`community:TavilySearchAPIRetriever`), as a source.

It brings its own HTTP client, so the guard cannot be put under it: its addresses are those written in its code, which
the operator chose with it. It is built with its own defaults and reads its key from where its package says.
"""

import hashlib
import warnings
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from veridic.context import COMMUNITY
from veridic.errors import InvalidSetting, MissingExtra, SourceRefused, SourceUnavailable, VeridicError, nearest_of
from veridic.ports.sources import Found
from veridic.runtime.deadline import within
from veridic.sources.faults import main_text
from veridic.sources.passages import Page, best_passages

if TYPE_CHECKING:
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever

LIMITS = ("top_k_results", "k", "top_k", "max_results", "num_results")
"""Fields in which retrievers keep how many documents they give."""


class CommunityRetriever:
    """An evidence source made of a langchain retriever."""

    address = ""

    def __init__(self, name: str, build: "Callable[[int], BaseRetriever]") -> None:
        """`build` makes a retriever of at most so many documents, and is called for every search."""
        self.name = name
        self._build = build

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        """See `EvidenceSource`. A retriever that is late is left behind; whatever it raises is `SourceUnavailable`."""
        if not any(character.isalnum() for character in query) or limit < 1:
            return Found([], [])
        found = within(deadline, self.name, lambda: self._retrieve(query, limit))
        pages = [described(self.name, document) for document in found]
        return best_passages(pages, query, source=self.name, limit=limit)

    def _retrieve(self, query: str, limit: int) -> list["Document"]:
        try:
            return self._build(limit).invoke(query)
        except VeridicError:
            raise
        except ImportError as error:
            raise missing_package(self.name, error) from error
        except Exception as error:  # a retriever of anyone's may raise anything
            raise SourceUnavailable(
                f"The retriever {self.name} failed ({type(error).__name__}).", "Try again later or leave it out."
            ) from error


def retriever_source(name: str) -> CommunityRetriever:
    """The source of a class that is named, its retriever built once to see that it can be.

    Raises `InvalidSetting` for a class that langchain-community does not have, `MissingExtra` for a package that is
    not installed, and `SourceRefused` for a retriever that its defaults do not make.
    """
    build = partial(_built, name, _wanted(name))
    build(1)
    return CommunityRetriever(name, build)


def _wanted(name: str) -> str:
    """The class that is named. Raises `InvalidSetting`."""
    without_sunset_warning()
    import langchain_community.retrievers as known

    wanted = name.removeprefix(COMMUNITY)
    if wanted not in known.__all__:
        mend = nearest_of(wanted, known.__all__, "See the retrievers in langchain-community's reference.", count=3)
        raise InvalidSetting(f"langchain-community has no retriever {wanted!r}.", mend)
    return wanted


def _built(name: str, wanted: str, limit: int) -> "BaseRetriever":
    """A retriever of at most `limit` documents, where its class can be told."""
    import langchain_community.retrievers as known

    try:
        kind: type[BaseRetriever] = getattr(known, wanted)
        field = next((field for field in LIMITS if field in kind.model_fields), None)
        return kind.model_validate({field: limit} if field else {})
    except ImportError as error:
        raise missing_package(name, error) from error
    except Exception as error:  # a class of anyone's may raise anything
        why = f"{name} cannot be built: {_why(error)}."
        raise SourceRefused(why, "Give it what its documentation says it needs.") from error


def _why(error: Exception) -> str:
    """What is missing; never a value, as that may be a key."""
    if not isinstance(error, ValidationError):
        return type(error).__name__
    first = error.errors(include_input=False, include_context=False)[0]
    said = first["msg"].removeprefix("Value error, ").rstrip(".")
    return f"{'.'.join(map(str, first['loc']))} {said[:1].lower()}{said[1:]}".strip()


def described(source: str, document: "Document") -> Page:
    """A document as a page, from the names that retrievers commonly give their metadata."""
    url = _first(document.metadata, "url", "source", "link", "entry_id")
    key = (
        _first(document.metadata, "uid", "id") or url or hashlib.sha256(document.page_content.encode()).hexdigest()[:16]
    )
    return Page(f"{source}:{key}", _first(document.metadata, "title", "Title"), url, main_text(document.page_content))


def missing_package(name: str, error: ImportError) -> MissingExtra:
    """The error that says, in the package's own words, what is missing."""
    told = " ".join(str(error).split()).rstrip(".")
    return MissingExtra(f"{name} needs a package that is not installed: {told}.", "Install it.")


def without_sunset_warning() -> None:
    """Silence the one warning langchain-community gives when it is imported; call this before importing it."""
    warnings.filterwarnings("ignore", message="`langchain-community` is being sunset", category=DeprecationWarning)


def _first(metadata: dict[str, Any], *names: str) -> str:
    return next((str(metadata[name]) for name in names if metadata.get(name)), "")
