"""PubMed: the worked example of a langchain-community retriever.

`PubMedRetriever` opens its addresses with `urllib.request`, one request an article, without a
timeout. The requests are made here through the guarded session, two in all; the reading of the
articles stays the package's.
"""

import importlib.util
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from veridic.errors import MissingExtra
from veridic.settings import Settings
from veridic.sources.border import border
from veridic.sources.community import CommunityRetriever, without_sunset_warning
from veridic.sources.passages import Page, search_words
from veridic.sources.terms import Terms
from veridic.sources.transport import guarded_session

if TYPE_CHECKING:
    from langchain_core.documents import Document
    from langchain_core.retrievers import BaseRetriever

TERMS = Terms(pauses={"ncbi.nlm.nih.gov": 0.34})
"""Three requests a second without a key (ncbi.nlm.nih.gov/books/NBK25497)."""


def pubmed_source(settings: Settings) -> CommunityRetriever:
    """PubMed as an evidence source. Raises `MissingExtra` without `xmltodict`."""
    if importlib.util.find_spec("xmltodict") is None:
        raise MissingExtra("PubMed needs the package xmltodict.", "Install it: pip install 'veridic[pubmed]'.")
    return CommunityRetriever("pubmed", partial(build_pubmed, settings), describe, terms=TERMS)


def build_pubmed(settings: Settings, *, limit: int, deadline: float, **fields: str) -> "BaseRetriever":
    """A `PubMedRetriever` whose requests pass the guard; `fields` are its own, such as `api_key`."""
    without_sunset_warning()
    from langchain_community.retrievers import PubMedRetriever

    class GuardedPubMed(PubMedRetriever):
        def lazy_load(self, query: str) -> Iterator[dict[str, Any]]:
            with guarded_session(settings, deadline, TERMS) as session, border("PubMed", deadline):
                found = session.get(self.base_url_esearch, params=self._asked(query))
                numbers = found.json()["esearchresult"]["idlist"]
                if numbers:
                    listed = {"db": "pubmed", "retmode": "xml", "id": ",".join(numbers)}
                    fetched = session.get(self.base_url_efetch, params=listed | self._key())
                    yield from map(self._article, _articles(self.parse(fetched.content)))

        def _asked(self, query: str) -> dict[str, str]:
            term = " ".join(search_words(query))
            return {"db": "pubmed", "term": term, "retmode": "json", "retmax": str(self.top_k_results)} | self._key()

        def _key(self) -> dict[str, str]:
            return {"api_key": self.api_key} if self.api_key else {}

        def _article(self, article: dict[str, Any]) -> dict[str, Any]:
            number = article["MedlineCitation"]["PMID"]
            uid = number["#text"] if isinstance(number, dict) else number
            return self._parse_article(uid, {"PubmedArticleSet": {"PubmedArticle": article}})

    return GuardedPubMed.model_validate({"top_k_results": limit, **fields})


def describe(source: str, document: "Document") -> Page:
    """The abstract of an article."""
    about = document.metadata
    uid, day = str(about["uid"]), str(about.get("Published") or "").strip("-")
    title = about.get("Title") or ""
    return Page(
        document_id=f"{source}:{uid}",
        title=" ".join(str(title.get("#text", "") if isinstance(title, dict) else title).split()),
        url=f"https://pubmed.ncbi.nlm.nih.gov/{uid}/",
        text=document.page_content,
        location=f"abstract, {day}" if day else "abstract",
    )


def _articles(parsed: dict[str, Any]) -> list[dict[str, Any]]:
    """The articles of an answer; xmltodict gives one of them without a list."""
    found = (parsed["PubmedArticleSet"] or {}).get("PubmedArticle") or []
    return found if isinstance(found, list) else [found]
