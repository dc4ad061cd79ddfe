"""Places of a text that are taken out of it while every other character keeps its offset."""

from collections.abc import Iterable

BLANK = "\f"
"""Ends what was taken out: a sentence ends there, and no window goes across. Ingestion leaves none in a text."""


def without_places(text: str, places: Iterable[tuple[int, int]]) -> str:
    """The text with white space where these pieces of it stood; its length is the same."""
    for start, end in places:
        text = text[:start] + " " * (end - start - 1) + BLANK + text[end:]
    return text
