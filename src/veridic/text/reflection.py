"""Reflection tokens: what a model trained as Self-RAG writes beside its text, read as scores and never shown.

The tokens are those of Self-RAG (Asai et al., arXiv:2310.11511, table 1) and of the patterns page.
"""

import re
from dataclasses import dataclass

_RETRIEVE = {"retrieval": 1.0, "retrieve": 1.0, "no retrieval": 0.0, "no retrieve": 0.0}
_RELEVANCE = {"relevant": 1.0, "irrelevant": 0.0}
_SUPPORT = {
    "fully supported": 1.0,
    "partially supported": 0.5,
    "no support / contradictory": 0.0,
    "no support": 0.0,
    "contradictory": 0.0,
    "contradicted": 0.0,
}
_UTILITY = {f"utility:{number}": (number - 1) / 4 for number in range(1, 6)}
_NAMES = (*_RETRIEVE, *_RELEVANCE, *_SUPPORT, *_UTILITY, "continue to use evidence")
_TOKEN = re.compile(rf"\[({'|'.join(sorted(map(re.escape, _NAMES), key=len, reverse=True))})\]", re.IGNORECASE)
_PARAGRAPH = re.compile(r"<paragraph>.*?(?:</paragraph>|$)|</?(?:paragraph|s)>", re.IGNORECASE | re.DOTALL)
_NAMED = re.compile(r"self[-_]?rag", re.IGNORECASE)


@dataclass(frozen=True)
class Reflection:
    """A reply without its tokens, and what they say; None where one is missing."""

    text: str
    retrieve: float | None = None
    relevance: float | None = None
    """ISREL: 1 or 0."""
    support: float | None = None
    """ISSUP: 1 fully, 0.5 partly, 0 not."""
    usefulness: float | None = None
    """ISUSE: utility 1 to 5 as 0 to 1; the paper's weights -1 to 1, moved into the range of the other two."""


def reflected(reply: str) -> Reflection:
    """A reply read; of tokens of one sort the last counts."""
    said = [place.group(1).lower() for place in _TOKEN.finditer(reply)]
    return Reflection(
        without_tokens(reply),
        retrieve=_last(said, _RETRIEVE),
        relevance=_last(said, _RELEVANCE),
        support=_last(said, _SUPPORT),
        usefulness=_last(said, _UTILITY),
    )


def _last(said: list[str], values: dict[str, float]) -> float | None:
    return next((values[token] for token in reversed(said) if token in values), None)


def without_tokens(text: str) -> str:
    """The text without reflection tokens and without a paragraph that the model was given or made up."""
    return " ".join(_TOKEN.sub(" ", _PARAGRAPH.sub(" ", text)).split(" ")).strip()


def is_trained_for_it(name: str) -> bool:
    """Whether a model's name says that it was trained to write reflection tokens."""
    return bool(_NAMED.search(name))
