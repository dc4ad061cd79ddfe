"""Sentences with their offsets, and windows of sentences.

Rules, not a model: an abbreviation, an initial, a decimal point or the number of an item does not end a sentence;
a blank line, a heading right above its text, a bullet, a table row or the next line of a log or a chat does.
Fenced code and tables are one sentence, whole.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from string import punctuation
from typing import Literal

from veridic.text.headings import BELOW, heads, unnumbered

_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof st sr jr vs etc vol fig figs eq eqs al inc ltd co corp dept est approx "
    "e.g i.e cf ca jan feb mar apr jun jul aug sep sept oct nov dec u.s u.k u.n a.m p.m b.c a.d ph.d rev gen col "
    "lt sgt capt cmdr hon pres gov sen rep mt ft ave blvd rd pp ed eds trans".split()
)
_END = re.compile(r"(?<![.!?])[.!?]+[\"'”’)\]]*(?=\s|$)|\f|\n\s*\n|\n(?=\s*(?:[-*•+]|\d+[.)])\s)|(?P<line>\n)")
FENCE = r"^(?P<fence>```|~~~).*?^(?P=fence)[`~]*[ \t]*$"
_FENCE_LINES = re.compile(r"\A(?:`{3,}|~{3,})[^\n]*\n|\n(?:`{3,}|~{3,})[ \t]*\Z")
_TABLE = r"(?:^[ \t]*\|[^\n]*\|[ \t]*(?:\n|$))+"
_WHOLE = re.compile(f"{FENCE}|{_TABLE}", re.MULTILINE | re.DOTALL)
_PROGRAM = re.compile(r"\w\(\)|\w\.\w+\([^\s)]|</?[a-z]\w*[^<>]*>|[{}]\s*$|\);\s*$")
"""What a line of a program or of markup has and a sentence has not: a call, a tag, a brace at its end."""
_LEANS = re.compile(
    r"\W*(?:(?:with|in|on|at|from|by|for|after|before|since|of|to|without) (?:it|them|him|her|(?:this|that)(?=,))|"
    r"(?:from|since|until|by) then|(?:after|before) (?:this|that)|the rest(?! of)|the others|"
    r"he|she|it|its|his|her|they|their|this|these|that|those|there|such|both|however|also|then|but|and|so)\b",
    re.IGNORECASE,
)
_WRAP = re.compile(r"[ \t]*\n[ \t]*(?=[a-z])|(?<=[^\n]{45})\n[ \t]*")
"""A line break that only ends a full line: lower case goes on behind it, or it stands behind 45 characters or more."""
ITEM = re.compile(r"^[ \t]*(?=(?:[-*•+]|\d+[.)])\s)", re.MULTILINE)
"""What stands before an item of a list on its line."""
_LIST_MARK = re.compile(r"(?:[-*•]\s+(?![\s\d])|\d{1,2}[.)]\s+)(?=\S)")
"""What an item of a list begins with; a dash before a number may be its sign."""
WHOLE_WORD = 5
"""Letters of a word too long for an abbreviation that nobody listed: a small letter behind it begins a sentence."""
_IDENTIFIER = re.compile(r"[a-z]\w*_\w")
"""A name of a setting, which stays small where it begins a sentence: "ack_wait is 45s."."""
_LAST_WORD = re.compile(r"(°?[\w.]+)\.$")

Form = Literal["prose", "code", "table"]
BLANK = "\f"
"""Ends what was taken out: a sentence ends there, and no window goes across. Ingestion leaves none in a text."""
_PARAGRAPH = "\n\n"
AROUND = 64
"""Characters looked at on each side of a full stop; looking further would make long texts slow."""


@dataclass(frozen=True)
class Span:
    """A piece of a text: `whole[start:end] == text`."""

    text: str
    start: int
    end: int


def whole_of(text: str) -> Span:
    """A text as one piece."""
    return Span(text, 0, len(text))


def span(whole: str, start: int, end: int) -> Span | None:
    """The piece between two offsets without the white space around it; None when nothing is left."""
    piece = whole[start:end]
    left = len(piece) - len(piece.lstrip())
    text = piece.strip()
    return Span(text, start + left, start + left + len(text)) if text else None


def sentences(text: str) -> list[Span]:
    """The sentences of a text, in order; together they hold every character that is not white space."""
    found: list[Span] = []
    for start, end, form in _regions(text):
        pieces = _split(text, start, end) if form == "prose" else [(start, end)]
        found.extend(piece for piece in (span(text, *bounds) for bounds in pieces) if piece)
    return found


def is_prose(text: str) -> bool:
    """Whether a sentence is prose: neither code nor a table, which no judge here can read."""
    return not _WHOLE.match(text.strip()) and not is_code(text)


def is_code(text: str) -> bool:
    """Whether a text is code and nothing else: fenced, or no sentence and half of its lines those of a program."""
    return bool(text.strip()) and (not without_code(text).strip() or _is_program(text))


def _is_program(text: str) -> bool:
    lines = [line for line in text.splitlines() if line.strip()]
    return not ends(text.strip()) and 2 * sum(bool(_PROGRAM.search(line)) for line in lines) >= len(lines)


@lru_cache(maxsize=1024)
def without_code(text: str) -> str:
    """The text with white space where code stands; every other character keeps its offset."""
    return without_places(text, [(start, end) for start, end, form in _regions(text) if form == "code"])


def without_places(text: str, places: Iterable[tuple[int, int]]) -> str:
    """The text with white space where these pieces of it stood; its length is the same."""
    for start, end in places:
        text = text[:start] + " " * (end - start - 1) + BLANK + text[end:]
    return text


def unfenced(code: str) -> str:
    """Code without the lines of a fence around it."""
    return _FENCE_LINES.sub("", code)


def unwrapped(sentence: str) -> str:
    """A sentence of prose without the line breaks of a text of fixed width; code and tables as they are."""
    return _WRAP.sub(" ", sentence) if is_prose(sentence) else sentence


def unlisted(sentence: str) -> str:
    """A sentence of prose without the mark of a list before it; code as it is."""
    mark = _LIST_MARK.match(sentence)
    return sentence[mark.end() :] if mark and is_prose(sentence) else sentence


def leans_back(sentence: str) -> bool:
    """Whether a sentence begins with a word that points to the one before it."""
    return bool(_LEANS.match(sentence))


def ends_before(sentence: str, following: str) -> bool:
    """Whether the end of a sentence of prose is seen where another stands behind it on the same line."""
    before = sentence[-AROUND:]
    text = f"{before} {following[:AROUND]}"
    return any(end == len(before) for _, end in _split(text, 0, len(text)))


def ends(sentence: str) -> bool:
    """Whether a sentence ends as one; a heading, an entry of a list or a footer does not."""
    return sentence.rstrip("\"'”’)]").endswith((".", "!", "?"))


def asks(sentence: str) -> bool:
    """Whether a sentence is a question: it states nothing, and answers none."""
    return sentence.rstrip("\"'”’)]*_ ").endswith("?")


def windows(text: str, *, most: int = 3, words: int = 40, across: bool = True) -> list[Span]:
    """Consecutive sentences grouped into windows of at most `most`, closed once they reach `words` words.

    Sentences between which something was taken out are in windows of their own; those of two paragraphs, too, where
    none goes `across`, but for one that leans back on what stands before it.
    """
    grouped: list[list[Span]] = []
    for sentence in sentences(text):
        longer = [*(grouped[-1] if grouped else []), sentence]
        fits = 1 < len(longer) <= most and sum(len(one.text.split()) for one in longer) <= words
        between = text[grouped[-1][-1].end : sentence.start] if fits else ""
        apart = BLANK in between or (not across and _PARAGRAPH in between and not leans_back(sentence.text))
        if fits and not apart:
            grouped[-1].append(sentence)
        else:
            grouped.append([sentence])
    return [Span(text[group[0].start : group[-1].end], group[0].start, group[-1].end) for group in grouped]


def _regions(text: str) -> Iterator[tuple[int, int, Form]]:
    """Cut a text into prose and the blocks that stay whole."""
    at = 0
    for block in _WHOLE.finditer(text):
        yield at, block.start(), "prose"
        yield block.start(), block.end(), "code" if block["fence"] else "table"
        at = block.end()
    yield at, len(text), "prose"


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for mark in _END.finditer(text, start, end):
        if _ends_sentence(text, at, mark):
            yield at, mark.end()
            at = mark.end()
    yield at, end


def _ends_sentence(text: str, start: int, mark: re.Match[str]) -> bool:
    if mark["line"]:
        return _is_heading(text, start, mark) or _ends_entry(text, mark)
    if mark.group()[0] in ("\n", BLANK):
        return True
    following = text[mark.end() : mark.end() + AROUND].lstrip()
    goes_on = following[:1].islower() and not _IDENTIFIER.match(following)
    if not mark.group().startswith("."):
        return not goes_on
    word = _LAST_WORD.search(text[max(start, mark.start() - AROUND) : mark.start() + 1])
    if word is None or not following:
        return not goes_on
    bare = word.group(1).lower()
    if _numbers_item(text, start, mark.start()):
        return False
    if goes_on:
        is_word = len(bare) >= WHOLE_WORD and bare.isascii() and bare.isalpha()
        return mark.group() == "." and is_word and bare not in _ABBREVIATIONS
    if bare == "no":
        return not following[0].isdigit()
    is_initial = len(bare) == 1 and bare.isalpha() and word.group(1).isupper()
    return not is_initial and bare not in _ABBREVIATIONS


def _numbers_item(text: str, start: int, end: int) -> bool:
    """Whether all that a sentence has so far, at the beginning of a line, is the number of an item or a section."""
    begun = text[max(start, end - AROUND) : end].strip()
    line = text[max(0, end - AROUND) : end].rpartition("\n")[2].strip()
    return begun == line and begun.replace(".", "").isdecimal()


def _ends_entry(text: str, mark: re.Match[str]) -> bool:
    """Whether a line break ends an entry of a log or a chat, and the next one begins behind it."""
    following = text[mark.end() : mark.end() + AROUND]
    return any(are_entries(line, following) for line in text[max(0, mark.start() - BELOW) : mark.start()].split("\n"))


def are_entries(line: str, following: str) -> bool:
    """Whether both lines begin with a time or a date of one form, as those of a log or a chat do."""
    form = _stamp(following)
    return bool(form) and _stamp(line) == form


def _stamp(line: str) -> str:
    """The first word of a line without its digits, where it begins with several numbers: `[:]`, `--`; else empty."""
    first = next(iter(line.split(maxsplit=1)), "")
    inner = first.strip(punctuation)
    marks = "".join(one for one in inner if not one.isdecimal())
    is_number = marks.strip(",") in ("", ".")
    return "" if is_number or not inner[0].isdecimal() else "".join(one for one in first if not one.isdecimal())


def _is_heading(text: str, start: int, mark: re.Match[str]) -> bool:
    """Whether all that a sentence has before a line break is a line that heads the text below."""
    line = text[max(0, mark.start() - AROUND) : mark.start()].rpartition("\n")[2].strip()
    begun = text[max(start, mark.start() - AROUND) : mark.start()].strip()
    return begun in (line, unnumbered(line)) and heads(line, text[mark.end() : mark.end() + BELOW])
