"""arXiv's query API: an Atom feed over the same pages."""

import re
from collections.abc import Mapping
from xml.etree import ElementTree as Xml

from veridic_lab.evaluation.world.corpus import Corpus, WorldPage

_ATOM = "http://www.w3.org/2005/Atom"
_ARXIV = "http://arxiv.org/schemas/atom"
_OPENSEARCH = "http://a9.com/-/spec/opensearch/1.1/"
_FIELD = re.compile(r"\b(?:all|ti|au|abs|co|jr|cat|rn|id):")
_OPERATOR = re.compile(r"\b(?:AND|ANDNOT)\b")


def answer(corpus: Corpus, params: Mapping[str, str]) -> bytes:
    """The feed for `id_list` or `search_query` (field prefixes are not told apart), `start` and `max_results`."""
    start, most = (_number(params.get(name), default) for name, default in (("start", 0), ("max_results", 10)))
    found = _numbered(corpus, params["id_list"]) if params.get("id_list") else _searched(corpus, params)
    feed = Xml.Element(f"{{{_ATOM}}}feed")
    _child(feed, _ATOM, "title", "arXiv Query")
    _child(feed, _OPENSEARCH, "totalResults", str(len(found)))
    _child(feed, _OPENSEARCH, "startIndex", str(start))
    _child(feed, _OPENSEARCH, "itemsPerPage", str(most))
    for page in found[start : start + most]:
        feed.append(_entry(page))
    return bytes(Xml.tostring(feed, encoding="utf-8", xml_declaration=True))


def _searched(corpus: Corpus, params: Mapping[str, str]) -> list[WorldPage]:
    query = _OPERATOR.sub(" ", _FIELD.sub("", params.get("search_query", "")))
    return corpus.search(query, limit=len(corpus.pages))


def _numbered(corpus: Corpus, numbers: str) -> list[WorldPage]:
    """The pages with these keys, by commas; each has one version, the first."""
    asked = [number.removesuffix("v1") for number in numbers.split(",")]
    return [page for number in asked for page in corpus.pages if page.key == number]


def _entry(page: WorldPage) -> Xml.Element:
    entry = Xml.Element(f"{{{_ATOM}}}entry")
    address = f"http://arxiv.org/abs/{page.key}v1"
    for name, text in (
        ("id", address),
        ("published", page.published),
        ("updated", page.published),
        ("title", page.title),
        ("summary", page.text),
    ):
        _child(entry, _ATOM, name, _legal(text))
    for author in page.authors:
        _child(_child(entry, _ATOM, "author"), _ATOM, "name", _legal(author))
    _child(entry, _ATOM, "link", href=address, rel="alternate", type="text/html")
    _child(entry, _ARXIV, "primary_category", term="cs.CL")
    _child(entry, _ATOM, "category", term="cs.CL")
    return entry


def _child(parent: Xml.Element, space: str, name: str, text: str | None = None, **attributes: str) -> Xml.Element:
    child = Xml.SubElement(parent, f"{{{space}}}{name}", attributes)
    child.text = text
    return child


def _legal(text: str) -> str:
    """The text without the control characters XML cannot hold."""
    return re.sub(r"[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", " ", text)


def _number(value: str | None, otherwise: int) -> int:
    return int(value) if value and value.isdecimal() else otherwise
