"""Whether two questions ask the same, told by their words alone: near is not the same, however near."""

from veridic.text.answers import tokens
from veridic.text.facts import digits, numbers, words
from veridic.text.kinds import answer_kind
from veridic.text.stop_words import ASKING, AUXILIARIES, REQUESTING

_AROUND = frozenset(
    (
        *("a", "an", "the", "many", "much", "in", "on", "at", "of"),
        *(*ASKING, *AUXILIARIES, *REQUESTING),
        *"year place reason way number me us you i we d s like want need to know wonder say show find out".split(),
        "there",
    )
)
"""Words of asking, that say nothing of what is asked about. Not "by", "before", "after", "not", "from"."""


def is_worded_alike(question: str, other: str) -> bool:
    """Whether both are the same words in the same order; case, punctuation and articles do not count."""
    return tokens(question) == tokens(other)


def asks_the_same(question: str, other: str) -> bool:
    """Whether both ask for the same kind of answer about the same, in the same words but for those of asking.

    Numbers may stand anywhere, all other words have to come in the same order: "Who beat the Panthers?" is not "Who
    did the Panthers beat?". Another name, year or verb makes another question; so does a synonym, as no small model
    tells founded and closed from founded and established.
    """
    alike = answer_kind(question) == answer_kind(other) and numbers(question) == numbers(other)
    return alike and _carrying(question) == _carrying(other)


def _carrying(question: str) -> list[str]:
    return [word for word in words(question) if word not in _AROUND and not digits(word)]
