"""How probable a model found what it wrote, by the tokens of its reply.

The probability of a segment is that of Self-RAG's score (Asai et al., arXiv:2310.11511, equation 4), the words that are
sure are those of FLARE's query (Jiang et al., arXiv:2305.06983, section 3.2.2).
"""

from collections.abc import Iterator, Mapping, Sequence
from math import exp
from typing import NamedTuple


class WrittenToken(NamedTuple):
    """A token of a reply, as its server told it."""

    text: str
    logprob: float
    """Natural logarithm of its probability, at most 0."""
    others: Mapping[str, float]
    """The same by the text of each token that could have stood there, as far as they were told."""


def likelihood(text: str, tokens: Sequence[WrittenToken]) -> float | None:
    """The geometric mean of the probabilities of a text's tokens, in (0, 1]; None where it is not in the reply."""
    own = [token.logprob for token, _, _ in _within(text, tokens)]
    return exp(sum(own) / len(own)) if own else None


def sure_words(text: str, tokens: Sequence[WrittenToken], least: float) -> str | None:
    """The words of a text whose tokens all have at least this probability; None where it is not in the reply."""
    own = list(_within(text, tokens))
    if not own:
        return None
    unsure = {at for token, start, end in own if exp(token.logprob) < least for at in range(start, end)}
    words, at = list[str](), 0
    for word in text.split():
        at = text.index(word, at)
        if unsure.isdisjoint(range(at, at + len(word))):
            words.append(word)
        at += len(word)
    return " ".join(words)


def _within(text: str, tokens: Sequence[WrittenToken]) -> Iterator[tuple[WrittenToken, int, int]]:
    """The tokens that make up a text where it first stands in the reply, with start and end in the text."""
    first = "".join(token.text for token in tokens).find(text)
    at = -first
    for token in tokens if text and first >= 0 else ():
        start, at = at, at + len(token.text)
        if start < len(text) and at > 0:
            yield token, start, at
