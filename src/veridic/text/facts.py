"""Numbers and names: the details small judges miss, compared as sets.

A sentence whose number or name stands nowhere in its evidence is not supported by it,
whatever a model says.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import takewhile

_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?")
_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_CUT = re.compile(r"\w+(?:[.,]\d+)*")
_RUN = re.compile(r"[A-Z][\w’'-]*(?: [A-Z][\w’'-]*)+")
_ABBREVIATION = re.compile(r"\b(?:[A-Z]\.?){2,}(?![\w])")
_POSSESSIVE = re.compile(r"['’]s?$")
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
_FORMS = frozenset("s es n ns an ans vian ian ians ish ese ic i er ers man men ism ist ists ity".split())
"""Endings of plurals, peoples, adjectives and creeds."""
_PLACES = frozenset(("a", "ia", "e", "y", "ey", "en", "any", "land"))
"""Endings of places that their people go without."""
SHORTEST_STEM = 3
COMMON = frozenset(
    "the a an it he she they we i you this that these those there here in on at by for from with of to and or but as "
    "if when while after before during since until because although however therefore its his her their our my your "
    "yes no not according both each all some many most several another other such one two three first second also "
    "what who whom whose which where why how is are was were do does did has have had can could would should must "
    "about near name list give tell".split()
)


def numbers(text: str) -> set[str]:
    """The numbers of a text, digits and words alike, without thousands separators or trailing zeros."""
    written = {_normal(found) for found in _NUMBER.findall(text)}
    spoken = {_NUMBER_WORDS[word] for word in re.findall(r"[a-z]+", text.lower()) if word in _NUMBER_WORDS}
    return written | spoken


def names(text: str) -> set[str]:
    """The capitalised words of a text, lower-cased, without those that only begin a sentence."""
    return {bare(match.group()) for match in _named(text)}


def entities(text: str) -> set[str]:
    """Of the words that `plain_words` cuts, those of the names, without particles and possessives, and the numbers."""
    plain = _without_accents(text)
    spans = [(match.start(), match.start() + len(_POSSESSIVE.sub("", match.group()))) for match in _named(plain)]
    found = set()
    for match in _CUT.finditer(plain):
        word = match.group()
        named = any(match.start() < end and start < match.end() for start, end in spans)
        if word[0].isdigit() or (named and word.lower() not in COMMON):
            found.add(word.casefold())
    return found


def plain_words(text: str) -> set[str]:
    """The words and numbers of a text without case and accents; a hyphen or apostrophe parts words."""
    return {word.casefold() for word in _CUT.findall(_without_accents(text))}


def missing_numbers(sentence: str, evidence: str) -> set[str]:
    """The numbers written in digits in a sentence that its evidence does not hold in any form."""
    return {_normal(found) for found in _NUMBER.findall(sentence)} - numbers(evidence)


def missing_names(sentence: str, evidence: str) -> set[str]:
    """The names of a sentence that its evidence does not hold, as words."""
    held = {bare(word) for word in _WORD.findall(evidence)}
    missing = {name for name in names(sentence) if name not in held and not _held_in_part(name, held)}
    return missing - _abbreviated(sentence, evidence) if missing else missing


def words(text: str) -> list[str]:
    """The words and numbers of a text, lower-cased, in order."""
    return _CUT.findall(text.lower())


def _normal(number: str) -> str:
    plain = number.replace(",", "")
    return plain.rstrip("0").rstrip(".") if "." in plain else plain.lstrip("0") or "0"


def bare(word: str) -> str:
    """A name as it is compared: lower-cased, without accents and possessive."""
    return _POSSESSIVE.sub("", _without_accents(word.lower()))


def _without_accents(text: str) -> str:
    return "".join(part for part in unicodedata.normalize("NFKD", text) if not unicodedata.combining(part))


def _named(text: str) -> Iterator[re.Match[str]]:
    for match in _WORD.finditer(text):
        word = match.group()
        if word[0].isupper() and word.lower() not in COMMON and not _only_begins(text, match):
            yield match


def _abbreviated(sentence: str, evidence: str) -> set[str]:
    """The names of a sentence for which the evidence has initials, or of whose initials it has the names.

    One letter may follow: USA for United States.
    """
    spelt = {bare(word) for run, short in _initialled(sentence, evidence) for word in run.split()}
    return spelt | {bare(short) for run, short in _initialled(evidence, sentence)}


def _initialled(spelt: str, short: str) -> Iterator[tuple[str, str]]:
    """The runs of names in one text with their initials in the other."""
    letters = {found.replace(".", "") for found in _ABBREVIATION.findall(short)}
    for run in _RUN.findall(spelt):
        initials = "".join(word[0] for word in run.split() if word.lower() not in COMMON)
        yield from (
            (run, one) for one in letters if initials[1:] and one.startswith(initials) and len(one) <= len(initials) + 1
        )


def _held_in_part(name: str, held: set[str]) -> bool:
    """Plurals, adjectives and compounds: Swedish for Sweden, Franco-German for German; not Austria for Australia."""
    return any(_forms_of_one(name, word) for word in held) or any(
        part in held for part in name.split("-") if part != name
    )


def _forms_of_one(one: str, other: str) -> bool:
    """Whether two names share a stem and end as a place and its people do."""
    stem = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    endings = {one[stem:], other[stem:]}
    if stem < SHORTEST_STEM or not (endings & _FORMS or endings == {"", "y"}):
        return False
    return endings <= _FORMS | {""} or (stem > SHORTEST_STEM and bool(endings & _PLACES))


def _only_begins(text: str, match: re.Match[str]) -> bool:
    """A capital that opens a sentence says nothing, unless the next word is capitalised too."""
    before = text[: match.start()].rstrip(" \"'“‘(")
    if before and before[-1] not in ".!?\n:":
        return False
    following = text[match.end() : match.end() + 2]
    return not (following.startswith(" ") and following[1:].isupper())
