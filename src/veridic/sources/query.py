"""A question as a search engine takes it: its words, without operators."""

from veridic.text.facts import words
from veridic.text.questions import keywords

MAX_CHARACTERS = 300
"""MediaWiki refuses longer searches; the others have no use for them."""
_LONGEST_WORD = 64


def search_words(query: str) -> list[str]:
    """The words of a query that are worth searching for, `MAX_CHARACTERS` together; empty when it has none.

    Quotation marks, `intitle:`, `*`, `-` and the like do not survive, so no query can be an operator.
    """
    chosen = [word for word in keywords(query) or words(query) if len(word) <= _LONGEST_WORD and word.strip("_")]
    kept, room = list[str](), MAX_CHARACTERS
    for word in chosen:
        room -= len(word) + 1
        if room < 0:
            break
        kept.append(word)
    return kept
