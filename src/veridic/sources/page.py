"""Whether a page is evidence at all: walls, consent forms, errors and empty pages are not."""

import re

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
