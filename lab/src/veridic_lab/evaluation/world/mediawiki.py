"""MediaWiki's `api.php`, as far as clients that search and read pages need it (format=json, version 1)."""

from collections.abc import Mapping
from html import escape
from typing import Any
from urllib.parse import quote

from veridic_lab.evaluation.world.corpus import Corpus, WorldPage, normalized

Params = Mapping[str, str]
_MOST_RESULTS = 500


def answer(corpus: Corpus, params: Params, base: str) -> dict[str, Any]:
    """What the API says to a request; `base` is the address pages are linked under."""
    if params.get("action") != "query":
        return _error("badvalue", f'Unrecognized value for parameter "action": {params.get("action", "")}.')
    if params.get("list") == "search":
        return _search(corpus, params)
    if "titles" in params or "pageids" in params:
        return {"batchcomplete": "", "query": _pages(corpus, params, base)}
    return _error("unknown_action", "Only list=search and properties of pages are known here.")


def _error(code: str, info: str) -> dict[str, Any]:
    return {"error": {"code": code, "info": info}}


def _search(corpus: Corpus, params: Params) -> dict[str, Any]:
    query = params.get("srsearch", "")
    if not query.strip():
        return _error("missingparam", 'The "srsearch" parameter must be set.')
    if len(query) > 300:
        return _error("srsearch-text-too-long", "The search is longer than 300 characters.")
    limit = min(_MOST_RESULTS, _number(params.get("srlimit"), 10))
    found = corpus.search(query, limit=limit, offset=_number(params.get("sroffset"), 0))
    query_part: dict[str, Any] = {"search": [_hit(page, params) for page in found]}
    if "totalhits" in params.get("srinfo", "totalhits"):
        query_part["searchinfo"] = {"totalhits": len(found)}
    return {"batchcomplete": "", "query": query_part}


def _hit(page: WorldPage, params: Params) -> dict[str, Any]:
    hit: dict[str, Any] = {"ns": 0, "title": page.title, "pageid": page.page_id}
    if "snippet" in params.get("srprop", "snippet"):
        hit["snippet"] = escape(page.text[:160])
        hit["wordcount"] = len(page.text.split())
    return hit


def _pages(corpus: Corpus, params: Params, base: str) -> dict[str, Any]:
    found: dict[str, Any] = {"pages": {}}
    follow = "redirects" in params
    for asked in _listed(params.get("titles")):
        title = normalized(asked)
        if title != asked:
            found.setdefault("normalized", []).append({"from": asked, "to": title})
        page = corpus.titled(title)
        if page and page.redirect_to and follow:
            found.setdefault("redirects", []).append({"from": title, "to": page.redirect_to})
            page = corpus.titled(page.redirect_to)
        _put(found["pages"], page, {"ns": 0, "title": title}, params, base)
    for number in _listed(params.get("pageids")):
        _put(found["pages"], corpus.numbered(_number(number, 0)), {"pageid": number}, params, base)
    return found


def _put(pages: dict[str, Any], page: WorldPage | None, asked: dict[str, Any], params: Params, base: str) -> None:
    if page is None:
        pages[str(-1 - sum(key.startswith("-") for key in pages))] = {**asked, "missing": ""}
    else:
        pages[str(page.page_id)] = _properties(page, params, base)


def _properties(page: WorldPage, params: Params, base: str) -> dict[str, Any]:
    wanted = _listed(params.get("prop"))
    shown: dict[str, Any] = {"pageid": page.page_id, "ns": 0, "title": page.title}
    if "info" in wanted:
        address = page.url or f"{base}/wiki/{quote(page.title.replace(' ', '_'))}"
        shown |= {"contentmodel": "wikitext", "pagelanguage": "en", "fullurl": address}
    if "pageprops" in wanted and page.may_refer_to:
        shown["pageprops"] = {"disambiguation": ""}
    if "extracts" in wanted:
        shown["extract"] = _extract(page, params)
    if "revisions" in wanted:
        shown["revisions"] = [_revision(page, params)]
    return shown


def _extract(page: WorldPage, params: Params) -> str:
    text = page.text.partition("\n==")[0] if "exintro" in params else page.text
    if "exchars" in params:
        text = text[: _number(params["exchars"], len(text))]
    if "explaintext" in params:
        return text
    return "".join(f"<p>{escape(paragraph)}</p>" for paragraph in text.split("\n\n"))


def _revision(page: WorldPage, params: Params) -> dict[str, Any]:
    revision: dict[str, Any] = {"revid": page.page_id * 10, "parentid": page.page_id * 10 - 1}
    if "content" in params.get("rvprop", ""):
        linked = "".join(f'<li><a href="#">{escape(title)}</a></li>' for title in page.may_refer_to)
        revision["*"] = f"<p>{escape(page.text)}</p><ul>{linked}</ul>"
    return revision


def _listed(value: str | None) -> list[str]:
    return [part for part in (value or "").split("|") if part]


def _number(value: str | None, otherwise: int) -> int:
    return int(value) if value and value.isdecimal() else otherwise
