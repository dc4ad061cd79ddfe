"""Is this English prose? The shipped judges know no other language."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from veridic.text.facts import LETTERS
from veridic.text.stop_words import FUNCTION_WORDS

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|«[^»]*»|„[^“”]*[“”]|‘[^’]*’(?!\w)|(?<!\w)'[^']*'(?!\w)|`[^`]*`")

_OF_OTHERS_TOO = frozenset(
    "a all also am an as at do for he her his i in is me most no of on or over per so than under until up us via was "
    "we will".split()
)
"""Function words of English that are words of other languages, too."""
_ENGLISH = frozenset(FUNCTION_WORDS) - _OF_OTHERS_TOO
FEWEST = 2
"""Words that a text has at least whose language is looked for."""

SURE = 0.65
"""P(its likeliest language) from which a text without any English function word is foreign."""


def is_foreign(text: str) -> bool:
    """Whether a text is plainly in another language than English, however short; what it quotes does not count.

    It is written in other than Latin letters; or it has no English function word and is surely identified as of
    another language. Words with a capital are taken for names, but for the first.
    """
    text = unquoted(text)
    letters = [character for character in text if character.isalpha()]
    if len(letters) >= 3 and sum(one <= "ɏ" or "Ḁ" <= one <= "ỿ" for one in letters) < len(letters) / 2:
        return True
    first, *rest = LETTERS.findall(text) or [""]
    words = {first.lower(), *(word for word in rest if word.islower())}
    if words & _ENGLISH or len(words) < FEWEST:
        return False
    language, probability = _identifier().classify(text)
    return bool(language != "en" and probability >= SURE)


def unquoted(text: str) -> str:
    """The text with everything in quotation marks blanked out, so that offsets stay."""
    return _QUOTED.sub(lambda quote: " " * len(quote.group()), text)


@cache
def _identifier() -> LanguageIdentifier:
    """The naive Bayes of langid over byte sequences (Lui and Baldwin 2012); loaded when the first text needs it."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
