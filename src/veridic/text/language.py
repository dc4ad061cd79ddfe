"""Is this English prose? The shipped judges know no other language."""

import re

_FUNCTION_WORDS = frozenset(
    "the of and to in a is that it was for on are as with his they at be this from have or by one had not but what "
    "all were when we there can an your which their said if do will each about how up out them then she many some "
    "so these would other into has more her two him see could no than been who its now did get may only after where "
    "most through between under over also during such both used while since because until".split()
)
_ASCII_LETTERS = re.compile(r"[a-zA-Z]")


def looks_english(text: str) -> bool:
    """Whether a text is probably English.

    Texts under eight words are given the benefit of the doubt when they are written in Latin
    letters: names and short questions hold few function words.
    """
    letters = [character for character in text if character.isalpha()]
    if not letters:
        return True
    latin = len(_ASCII_LETTERS.findall(text)) / len(letters)
    words = re.findall(r"[^\W\d_]+", text.lower())
    if latin < 0.8:
        return False
    if len(words) < 8:
        return True
    return sum(word in _FUNCTION_WORDS for word in words) / len(words) >= 0.12
