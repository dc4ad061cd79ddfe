"""Characters that are not seen: they act on a terminal, turn the order of text round, or carry what nobody reads."""

import re
import unicodedata

_LINE_END = re.compile(r"\r\n?|[\f\x85\u2028\u2029]")

_HIDDEN = re.compile(
    "["
    r"\x00-\x08\x0b\x0e-\x1f\x7f-\x9f"  # C0 without tab and line ends, DEL, C1
    r"\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # direction: marks, overrides, isolates
    r"\U000e0000-\U000e0fff"  # tags, and variation selectors beyond the sixteenth
    r"\u200b-\u200d\u2060-\u2065\ufeff"  # zero width
    r"\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u206a-\u206f\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufffb"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"  # what else Unicode has ignored where it cannot be shown
    r"\ud800-\udfff"
    "]"
)

_NON_JOINER, _JOINER = "\u200c", "\u200d"
_LOOKS = "\ufe0e\ufe0f"
"""Selectors: as text, as an emoji."""
_DRESSED = frozenset(("So", "Sm", "Sk", "Po", "Pd", "Nd"))
"""Categories of what may have an emoji's look: symbols, and the digits and marks of keys and signs."""
_SKIN_TONES = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"
_VIRAMA = 9
"""The combining class of the sign that takes a consonant's vowel away."""


def clean(text: str) -> str:
    """Text that can be stored, counted in and read: one kind of line end, and nothing is hidden.

    A joiner stays where it is written: between emoji, between Arabic letters, beside a virama; so does the selector
    that makes a symbol an emoji. The same text again stays as it is.
    """
    return _HIDDEN.sub(lambda found: found.group() if _is_written(found) else "", lined(text))


def shown(text: str) -> str:
    """The text with a replacement character for each that is hidden: offsets count as before."""
    return _HIDDEN.sub(lambda found: found.group() if _is_written(found) else "\N{REPLACEMENT CHARACTER}", text)


def blanked(text: str) -> str:
    """The text with a blank for each hidden character: offsets count as before."""
    return _HIDDEN.sub(lambda found: found.group() if _is_written(found) else " ", text)


def lined(text: str) -> str:
    """The text with one kind of line end."""
    return _LINE_END.sub("\n", text)


def storable(name: str) -> str:
    """A name as SQLite can take it, otherwise as it is: a file may be called anything."""
    return name.replace("\0", "").encode(errors="replace").decode()


def _is_written(found: re.Match[str]) -> bool:
    """Whether a hidden character changes how its neighbours are written, and so is a part of the text."""
    text, at = found.string, found.start()
    mark, before, after = text[at], text[max(0, at - 2) : at], text[at + 1 : at + 2]
    if mark in _LOOKS:
        return _may_be_dressed(before[-1:])
    if mark not in (_NON_JOINER, _JOINER) or not before or not after:
        return False
    joins_script = _is_virama(before[-1]) or _is_virama(after) or (_is_arabic(before[-1]) and _is_arabic(after))
    return joins_script or (mark == _JOINER and _ends_emoji(before) and unicodedata.category(after) in ("So", "Sm"))


def _may_be_dressed(symbol: str) -> bool:
    return bool(symbol) and unicodedata.category(symbol) in _DRESSED


def _ends_emoji(text: str) -> bool:
    """Whether a text ends in an emoji, its skin tone or look included."""
    if text[-1] in _LOOKS:
        return _may_be_dressed(text[:-1])
    return text[-1] in _SKIN_TONES or unicodedata.category(text[-1]) == "So"


def _is_virama(character: str) -> bool:
    return unicodedata.combining(character) == _VIRAMA


def _is_arabic(character: str) -> bool:
    """Whether it is a letter of Arabic, Syriac or another script that is read the same way."""
    return unicodedata.bidirectional(character) == "AL" and unicodedata.category(character).startswith("L")
