"""Reflection tokens: what a model trained as Self-RAG writes beside its text, read as scores and never shown.

The tokens are those of Self-RAG (Asai et al., arXiv:2310.11511, table 1) and of the patterns page. Where a model's
server tells how probable its tokens were, each score is the paper's (section 3.3): of all tokens of the sort that could
have stood in the place, weighed by their probabilities. Where it does not, the token that was written counts alone.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp

from veridic.ports.likelihood import WrittenToken

_RETRIEVE = {
    "retrieval": 1.0,
    "retrieve": 1.0,
    "no retrieval": 0.0,
    "no retrieve": 0.0,
    "continue to use evidence": 0.0,
}
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
_NAMES = (*_RETRIEVE, *_RELEVANCE, *_SUPPORT, *_UTILITY)
_TOKEN = re.compile(rf"\[({'|'.join(sorted(map(re.escape, _NAMES), key=len, reverse=True))})\]", re.IGNORECASE)
_PARAGRAPH = re.compile(r"<paragraph>.*?(?:</paragraph>|$)|</?(?:paragraph|s)>", re.IGNORECASE | re.DOTALL)
_OPENED = {"[": "]", "<": ">"}
"""What a token or a paragraph's mark begins with, and ends with."""
_LONGEST = max(map(len, _NAMES)) + 2


@dataclass(frozen=True)
class Reflection:
    """What the tokens of a reply say; None where one is missing."""

    retrieve: float | None = None
    """P(evidence is needed) of all that may be said of it, in [0, 1]."""
    relevance: float | None = None
    """ISREL, in [0, 1]."""
    support: float | None = None
    """ISSUP, in [0, 1]: 1 fully, 0.5 partly, 0 not."""
    usefulness: float | None = None
    """ISUSE: utility 1 to 5 as 0 to 1; the paper's weights -1 to 1, moved into the range of the other two."""


def reflected(reply: str, tokens: Sequence[WrittenToken] = ()) -> Reflection:
    """A reply read; of tokens of one sort the first counts, which is that of the first sentence."""
    return Reflection(
        retrieve=_score(_RETRIEVE, reply, tokens, begins=True),
        relevance=_score(_RELEVANCE, reply, tokens, begins=True),
        support=_score(_SUPPORT, reply, tokens),
        usefulness=_score(_UTILITY, reply, tokens),
    )


def _score(
    values: Mapping[str, float], reply: str, tokens: Sequence[WrittenToken], *, begins: bool = False
) -> float | None:
    """The mean of a sort's values by the probabilities of its tokens; by the one that was written where none are told.

    What a reply may begin with counts by the probabilities of its first token, whatever was written there.
    """
    for place, token in enumerate(tokens):
        if _name(token.text) in values or (begins and place == 0):
            told = {_name(text): logprob for text, logprob in {token.text: token.logprob, **token.others}.items()}
            shares = {name: exp(logprob) for name, logprob in told.items() if name in values}
            if total := sum(shares.values()):
                return sum(values[name] * share for name, share in shares.items()) / total
    said = (place[1].lower() for place in _TOKEN.finditer(reply))
    return next((values[name] for name in said if name in values), None)


def _name(text: str) -> str:
    """What a reflection token says; empty for any other text."""
    found = _TOKEN.fullmatch(text.strip())
    return found[1].lower() if found else ""


def without_tokens(text: str) -> str:
    """The text without reflection tokens and without a paragraph that the model was given or made up."""
    return _TOKEN.sub(" ", _PARAGRAPH.sub(" ", text)).strip()


class ReflectionFilter:
    """Takes reflection tokens out of a text that comes in pieces, however it is cut.

    What may yet become a token is held back until it is clear, a paragraph until it ends.
    """

    def __init__(self) -> None:
        self._held = ""
        self._begun = False

    def feed(self, piece: str) -> str:
        """Take the next piece and return what has become visible by it, perhaps nothing."""
        rest = self._held + piece
        cut = min(_open_from(rest, mark) for mark in _OPENED)
        paragraph = rest.lower().rfind("<paragraph>")
        if paragraph >= 0 and "</paragraph>" not in rest[paragraph:].lower():
            cut = min(cut, paragraph)
        self._held = rest[cut:]
        return self._shown(rest[:cut])

    def close(self) -> str:
        """Say that no more comes; returns what was held back and is no token."""
        rest, self._held = self._held, ""
        return self._shown(rest)

    def _shown(self, text: str) -> str:
        """Without tokens, and without white space before the first word."""
        shown = _TOKEN.sub(" ", _PARAGRAPH.sub(" ", text))
        shown = shown if self._begun else shown.lstrip()
        self._begun = self._begun or bool(shown)
        return shown


def _open_from(text: str, mark: str) -> int:
    """Where a token begins at the end of the text that is not closed yet; its length where none does."""
    at = text.rfind(mark)
    is_open = at >= 0 and _OPENED[mark] not in text[at:] and len(text) - at < _LONGEST
    return at if is_open else len(text)


def is_trained_for_it(name: str) -> bool:
    """Whether a model's name says that it was trained to write reflection tokens."""
    return "selfrag" in name.lower().replace("-", "").replace("_", "")
