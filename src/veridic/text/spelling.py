"""Which words of a question may be misspelt, and the question with them put right."""

import re
from collections.abc import Mapping

from veridic.text.quotes import unquoted
from veridic.text.stop_words import FUNCTION_WORDS

_WORD = re.compile(r"(?<![\w@#$%&/\\.:'’+=<>-])[a-zA-Z]{3,24}(?![\w@#$%&/\\+=<>(-]|[.:'’]\w)")
"""A word of plain letters that stands alone; part of a compound, an address, a path or code it does not."""


def doubtful_words(question: str) -> list[str]:
    """The words that may be slips, lower-cased, each once.

    Names are none: what has a capital, unless it stands first, and what stands in quotation marks.
    """
    found = (match.group() for match in _WORD.finditer(unquoted(question)) if _is_plain(match))
    return [word for word in dict.fromkeys(map(str.lower, found)) if word not in FUNCTION_WORDS]


def mended(question: str, corrections: Mapping[str, str]) -> str:
    """The question with its doubtful words put right.

    A first word with a capital may be a name: it becomes a function word or stays.
    """

    def put_right(match: re.Match[str]) -> str:
        word = match.group()
        right = corrections.get(word.lower(), word) if _is_plain(match) else word
        if word.islower():
            return right
        return right.capitalize() if right in FUNCTION_WORDS else word

    pieces, at = [], 0
    for match in _WORD.finditer(unquoted(question)):
        pieces += [question[at : match.start()], put_right(match)]
        at = match.end()
    return "".join([*pieces, question[at:]])


def _is_plain(word: re.Match[str]) -> bool:
    """Whether a word is in lower case, but for the first letter of the first."""
    begins = not word.string[: word.start()].strip(" ¿¡([{\"'“‘")
    return word.group().islower() or (begins and word.group()[1:].islower())
