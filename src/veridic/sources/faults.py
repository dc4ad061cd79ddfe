"""What of a page is its text, and whether it is evidence: walls, consent forms, errors and empty pages are not."""

import logging
import re

LONGEST_HTML = 1_000_000
"""Characters of a page that are read; what comes later is not parsed."""
_LOOKED_AT = 2000
_SILENT = logging.NullHandler()
_HTML = re.compile(r"<!doctype html|<(?:html|head|body)\b", re.IGNORECASE)

MIN_WORDS = 5
_SHORT = 150
"""A wall is short; an article that only speaks of walls is not."""

_SIGNS = {
    "bot wall": (
        r"verify(?:ing)? (?:that )?you are (?:a )?human|are you a robot|not a robot|checking your browser|"
        r"enable javascript(?: and cookies)? to continue|complete the (?:captcha|security check)|unusual traffic|"
        r"automated (?:access|requests|queries)|attention required|just a moment\.\.\.|ray id"
    ),
    "consent page": (
        r"before you continue to|(?:accept|reject|manage) (?:all )?cookies|we value your privacy|"
        r"we (?:and our partners )?use cookies|cookie (?:consent|preferences)"
    ),
    "error page": (
        r"\b(?:40[0-9]|410|429|50[0-9])\b[\s:|-]{0,3}(?:error|not found|forbidden|too many requests|bad gateway|"
        r"service unavailable|internal server error)|page (?:not found|cannot be found|doesn't exist)|access denied|"
        r"access to this page has been denied|permission to access|internal server error|subscribe to continue reading"
    ),
}
_PATTERNS = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _SIGNS.items()}


def fault(title: str, text: str) -> str | None:
    """Why a page is no evidence: `empty page`, `bot wall`, `consent page`, `error page`; None when it may be."""
    count = len(text.split())
    if count < MIN_WORDS:
        return "empty page"
    if count > _SHORT:
        return None
    seen = f"{title}\n{text}"
    return next((kind for kind, pattern in _PATTERNS.items() if pattern.search(seen)), None)


def main_text(text: str) -> str:
    """What a reader of the page sees, without menus and footers; text that is no HTML page stays as it is.

    Where no main text can be told, it is all of the page's text, so that a wall is seen for what it is.
    """
    if not _HTML.search(text[:_LOOKED_AT]):
        return text
    from trafilatura import extract, html2txt

    # Without any handler Python prints what it logs of odd markup over the answer.
    logging.getLogger("trafilatura").addHandler(_SILENT)
    page = text[:LONGEST_HTML]
    return str(extract(page, include_comments=False, favor_recall=True) or html2txt(page))
