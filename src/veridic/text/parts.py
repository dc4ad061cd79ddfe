"""The questions that are asked in one; a later one may lean on the first."""

import re

from veridic.text.kinds import AUXILIARY
from veridic.text.questions import keywords

_QUESTION_WORD = r"(?:who|what|when|where|why|how|which|whose|is|are|was|were|does|did|do|has|have|can)"
_JOINED = re.compile(rf"\s*(?:\?\s*|,?\s+and\s+)(?={_QUESTION_WORD}\b)", re.IGNORECASE)
_ASKING = r"(?:who|whom|what|where|when|why|how|(?:what|which) \w+|how (?:many|much|long))"
_ASIDE = rf"(?:when|where|why|how|(?:what|which) (?:year|day|month)|(?:by|with|for|to|from|in|at|on|of) {_ASKING})"
_LEADING = re.compile(rf"^\W*(?:{_ASIDE} (?={AUXILIARY}\b)|{_ASKING} (?=(?:do|does|did)\b))", re.IGNORECASE)
_WHO = re.compile(r"^\W*who (?=\w)", re.IGNORECASE)
_WHOLE = re.compile(rf"^\W*{_ASKING} {AUXILIARY} ", re.IGNORECASE)
_TRAILING = re.compile(rf"^(?P<first>.+?)[,;?]? and (?P<phrase>{_ASIDE})\W*$", re.IGNORECASE)
_ENDS_ASKING = re.compile(rf", {_ASIDE}$", re.IGNORECASE)
_TWICE = re.compile(rf"^\W*(?P<one>{_ASIDE}) and (?P<other>{_ASIDE}) (?P<rest>{AUXILIARY}\b.+)$", re.IGNORECASE)


def parts_of(question: str) -> list[str]:
    """The questions that are asked in one; the question itself where it asks one thing.

    "When was it built, and by whom?" asks "When was it built?" and "By whom was it built?"; "Who built it and when?"
    asks "When was it that somebody built it?", too.
    """
    return [part for one in _joined(question) or [question] for part in _with_trailing(one)]


def _joined(question: str) -> list[str]:
    """The questions joined in one sentence; empty where there is one, or a later one has no subject of its own."""
    parts = [part.strip(" ?") for part in _JOINED.split(question) if part.strip(" ?")]
    if len(parts) < 2 or not all(map(keywords, parts)):
        return []
    if len(keywords(parts[0])) < 2 and not all(map(_WHOLE.match, parts)):
        return []
    return [f"{part}?" for part in parts]


def _with_trailing(question: str) -> list[str]:
    """A question that asks twice about one sentence as two; whole where what it asks about cannot be told."""
    if twice := _TWICE.match(question):
        return [f"{_capital(twice[name])} {twice['rest']}" for name in ("one", "other")]
    found = _TRAILING.match(question)
    lead = (_LEADING.match(found["first"]) or _WHO.match(found["first"])) if found else None
    if not found or not lead or _ENDS_ASKING.search(found["first"]):
        return [question]
    rest = found["first"][lead.end() :]
    asked = f"was it that somebody {rest}" if lead.re is _WHO else rest
    return [f"{found['first']}?", f"{_capital(found['phrase'])} {asked}?"]


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
