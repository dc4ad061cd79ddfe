"""Words that a line's end cuts in two: whether the hyphen is the word's own."""

import json
from collections.abc import Collection
from functools import cache
from importlib import resources
from itertools import takewhile

STEM = 3
"""Letters that an ending of a word has, at most."""
LONG = 6
"""Letters of a word from which it may have an ending."""


def continued(before: str, line: str, words: Collection[str] = ()) -> str:
    """A text with the line that goes on below it; `words` are those of the whole document."""
    first = "".join(takewhile(str.isalnum, reversed(before[:-1])))[::-1] if before.endswith("-") else ""
    second = "".join(takewhile(str.isalnum, line))
    if not first or not second:
        return f"{before} {line}"
    whole = first[-1].isdigit() or len(first) == 1 or not second[0].islower()  # no word is cut behind its first letter
    if whole or _is_own(first.lower(), second.lower(), words):
        return before + line
    return before[:-1] + line


def _is_own(first: str, second: str, words: Collection[str]) -> bool:
    known = _vocabulary()
    if first + second in words or first + second in known:
        return False
    if f"{first}-{second}" in words:
        return True
    if first not in known:
        return False
    return second in known or (len(second) > LONG and any(word.startswith(second[:-STEM]) for word in known))


@cache
def _vocabulary() -> frozenset[str]:
    """The words of English that the shipped embedder knows."""
    held = resources.files("veridic") / "models" / "shipped" / "embedder" / "tokenizer.json"
    return frozenset(word for word in json.loads(held.read_text(encoding="utf-8"))["model"]["vocab"] if word.isalpha())
