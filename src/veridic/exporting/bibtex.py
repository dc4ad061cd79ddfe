"""The documents that runs cite, as BibTeX: `@misc` entries that BibTeX and biber both read."""

import re
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import PurePath
from urllib.parse import unquote, urlsplit

from veridic.exporting.account import Account
from veridic.ports.shapes import Citation
from veridic.text.outgoing import for_bibtex, web_address

_ARXIV = re.compile(r"^arxiv:(.+?)(?:v\d+)?$")
_NOT_KEY = re.compile(r"[^a-z0-9.]+")


def as_bibtex(accounts: Sequence[Account]) -> str:
    """An entry for each cited document, in the order of first use; one document has the same key in every export."""
    cited: dict[str, list[Citation]] = {}
    for one in accounts:
        for source in one.sources:
            cited.setdefault(_key(source), []).append(source)
    entries = [_entry(key, sources) for key, sources in cited.items()]
    return "\n\n".join(entries or ["% Nothing is cited."]) + "\n"


def _entry(key: str, sources: Sequence[Citation]) -> str:
    first = sources[0]
    day = first["retrieved_at"][:10]
    places = ", ".join(dict.fromkeys(filter(None, (source["location"] for source in sources))))
    fields = {
        "title": f"{{{for_bibtex(first['title'])}}}" if first["title"].strip() else "",
        **_published(first),
        "url": web_address(first["url"]),
        "urldate": for_bibtex(day),
        "note": for_bibtex("; ".join(filter(None, (f"Accessed {day}" if day else "", places)))),
    }
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join([f"@misc{{{key},", *lines, "}"])


def _published(source: Citation) -> dict[str, str]:
    """Who gives a document out, and how."""
    if paper := _ARXIV.match(source["document_id"]):
        return {"eprint": for_bibtex(paper[1]), "archivePrefix": "arXiv"}
    host = _host(source)
    if host.endswith(".wikipedia.org"):
        return {"author": "{Wikipedia contributors}", "howpublished": "Wikipedia, The Free Encyclopedia"}
    return {"howpublished": for_bibtex(host or f"File {source['url']}")}


def _host(source: Citation) -> str:
    """Where a page of the web is; empty for what is none."""
    with suppress(ValueError):  # an address that breaks off within brackets
        return urlsplit(web_address(source["url"])).hostname or ""
    return ""


def _key(source: Citation) -> str:
    """A name that people know the document by, and a digest of its address: `history-2ab97041`."""
    if paper := _ARXIV.match(source["document_id"]):
        return f"arxiv-{_slug(paper[1])}"
    address = source["url"] or source["document_id"]
    digest = blake2b(address.encode(errors="replace"), digest_size=4).hexdigest()
    name = PurePath(unquote(urlsplit(address).path if _host(source) else address)).stem
    return f"{_slug(name) or _slug(_host(source)) or 'source'}-{digest}"


def _slug(text: str) -> str:
    return _NOT_KEY.sub("-", text.lower()).strip("-.")[:40]
