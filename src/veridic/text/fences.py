"""Retrieved text is data: it is fenced before a model sees it, and citation markers are read back."""

import re

_FENCE_LINE = re.compile(
    r"<\s*/?\s*(?:passages?|questions?|answers?|sentences?|conversation|system|evidence)\b[^>]*>", re.IGNORECASE
)
_ROLE = re.compile(r"<\|[^|>]{1,32}\|>")
_MARKER = re.compile(r"\s*\[(?:passage\s*)?(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]", re.IGNORECASE)


def defuse(text: str) -> str:
    """Take from a text what could close our fence or open a chat turn; everything else stays."""
    return _ROLE.sub(" ", _FENCE_LINE.sub(" ", text))


def markers(text: str) -> list[int]:
    """The passage numbers a writer cited, in order, with repeats."""
    return [int(number) for found in _MARKER.findall(text) for number in found.replace(";", ",").split(",")]


def without_markers(text: str) -> str:
    """The text without citation markers."""
    return _MARKER.sub("", text).strip()
