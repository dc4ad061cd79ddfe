"""Words, numbers and names of a text: the details small judges miss."""

import re
import unicodedata
from collections.abc import Iterator

from veridic.text.stop_words import STOP_WORDS

STEM = 5
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")
LETTERS = re.compile(r"[^\W\d_]+")
"""Letters in a row."""
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_CUT = re.compile(r"\w+(?:[.,]\d+)*")
_NUMBER_WORDS = {
    word: str(value)
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty".split()
    )
} | {"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
     "hundred": "100", "thousand": "1000", "million": "1000000", "billion": "1000000000",
     "once": "1", "twice": "2"} | {
    word: str(value)
    for value, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
        "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(),
        start=1,
    )
}  # fmt: skip


def numbers(text: str) -> set[str]:
    """The numbers of a text, digits and words alike, without thousands separators or trailing zeros."""
    spoken = {_NUMBER_WORDS[word] for word in LETTERS.findall(text.lower()) if word in _NUMBER_WORDS}
    return digits(text) | spoken


def in_digits(word: str) -> str:
    """A word for a number in digits; any other as it is."""
    return _NUMBER_WORDS.get(word, word)


def digits(text: str) -> set[str]:
    """The numbers of a text that are written in digits, in the form of `numbers`."""
    return {_normal(found) for found in _NUMBER.findall(text)}


def names(text: str) -> set[str]:
    """The capitalised words of a text, lower-cased, without those that only begin a sentence."""
    return {bare(match.group()) for match in _named(text)}


def entities(text: str) -> set[str]:
    """Of the words that `plain_words` cuts, those of the names, without particles and possessives, and the numbers."""
    plain = _without_accents(text)
    spans = [(match.start(), match.start() + len(_without_possessive(match.group()))) for match in _named(plain)]
    found = set()
    for match in _CUT.finditer(plain):
        word = match.group()
        named = any(match.start() < end and start < match.end() for start, end in spans)
        if word[0].isdigit() or (named and word.lower() not in STOP_WORDS):
            found.add(word.casefold())
    return found


def plain_words(text: str) -> set[str]:
    """The words and numbers of a text without case and accents; a hyphen or apostrophe parts words."""
    return {word.casefold() for word in _CUT.findall(_without_accents(text))}


def stem(word: str) -> str:
    """The letters by which the forms of a word are known for one: delete, deleting."""
    return word[:STEM]


def words(text: str) -> list[str]:
    """The words and numbers of a text, lower-cased, in order."""
    return _CUT.findall(text.lower())


def _normal(number: str) -> str:
    plain = number.replace(",", "")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain.lstrip("0") or "0"


def bare(word: str) -> str:
    """A name as it is compared: lower-cased, without accents and possessive."""
    return _without_possessive(_without_accents(word.lower()))


def _without_accents(text: str) -> str:
    return "".join(part for part in unicodedata.normalize("NFKD", text) if not unicodedata.combining(part))


def _without_possessive(word: str) -> str:
    return word[:-2] if word[-2:] in ("'s", "’s") else word.rstrip("'’")


def _named(text: str) -> Iterator[re.Match[str]]:
    for match in _WORD.finditer(text):
        word = match.group()
        plain = word.lower().replace("’", "'").partition("'")[0]  # I'm, It's
        common = plain in STOP_WORDS or plain in _NUMBER_WORDS
        if word[0].isupper() and not common and not _only_begins(text, match):
            yield match


def _only_begins(text: str, match: re.Match[str]) -> bool:
    """A capital that opens a sentence says nothing, unless the next word is capitalised too."""
    before = text[: match.start()].rstrip(" \"'“‘(")
    if before and before[-1] not in ".!?\n:":
        return False
    following = text[match.end() : match.end() + 2]
    return not (following.startswith(" ") and following[1:].isupper())


def missing_names(sentence: str, evidence: str) -> set[str]:
    """The names of a sentence that its evidence does not hold, as words; of a compound one part is enough."""
    held = {part for word in map(bare, _WORD.findall(evidence)) for part in (word, *word.split("-"))}
    return {name for name in names(sentence) if not held & {name, *name.split("-")}}
