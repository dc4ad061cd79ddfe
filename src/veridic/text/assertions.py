"""What of a text may be a statement: its sentences, what stands as a heading, and what plainly states nothing."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from veridic.text.facts import LETTERS, words
from veridic.text.hidden import clean
from veridic.text.language import is_foreign
from veridic.text.sentences import Span, asks, ends, is_code, is_prose, sentences, span, unwrapped
from veridic.text.stop_words import ASKING

LONGEST_SENTENCE = 1500
"""Characters: more no judge here takes in at once."""
HEADING_WORDS = 10
"""Words of a line that may be a heading, at most."""
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+[^\n]*$", re.MULTILINE)
_UNDERLINED = re.compile(r"^[^\n]+\n(?:=+|-+)[ \t]*$", re.MULTILINE)
_CAPITALS = re.compile(r"^(?=[^\n]*[A-Z]{3})[^a-z\n.!?|]{4,80}$", re.MULTILINE)
"""A line in capitals alone."""
_BOLD_LINE = re.compile(r"(\*\*|__)[^\n]+\1:?")
_HEADINGS = (_HEADING, _UNDERLINED, _CAPITALS)
_BULLET = re.compile(r"\A(?:(?:[-*•+]|\d+[.)])\s+|>\s?)+")
_LINK = re.compile(r"!?\[([^\]\n]*)\]\([^)\n]*\)")
_CITED = re.compile(r"\s?\[\d{1,3}(?:[,–-]\s?\d{1,3})*\]")
_MARKS = re.compile(r"\*\*|__|`|(?<!\w)[*_](?=\w)|(?<=[\w.!?])[*_](?!\w)")
_VERB = re.compile(
    r"\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|will|would|may|might|must|should|shall)\b"
    r"|\b[a-z]{3,}(?:ed|es)\b"
)
_LISTED = re.compile(r"\s*(?:[-*•+>|]|\d+[.)]\s|```|~~~)")
_FOLLOWED = re.compile(r"[ \t\r]*\n\s*\S")

NoStatement = Literal["question", "heading", "code", "no words"]
"""Why a sentence states nothing."""
Unread = Literal["table", "foreign", "too long"]
"""Why a statement cannot be read; `foreign`: it is in another language than the judges know."""


@dataclass(frozen=True)
class Asserted:
    """A sentence of a text, as it can be judged."""

    place: Span
    reason: NoStatement | Unread | None
    """Why it is not judged; None of a statement that is."""
    told: str
    """Without marks of Markdown."""
    queries: list[str]
    """What to look it up by: itself, and it behind the sentence or title before, of which it may speak."""


def asserted_in(text: str) -> list[Asserted]:
    """The sentences of a text in order; together they hold every character that is not white space."""
    found: list[Asserted] = []
    title = before = ""
    for place in _pieces(text):
        plain = _plain(place.text)
        reason = _reason(place, plain, text)
        told = plain if reason is None else place.text
        found.append(Asserted(place, reason, told, [told, *([f"{before or title} {told}"] if before or title else [])]))
        if reason == "heading":
            title, before = title if len(found) > 1 else plain.lstrip("#").rstrip(" =:#-").lstrip(), ""
        elif reason is None:
            before = told
    return found


def placed(claims: list[str], place: Span) -> list[Span]:
    """Several claims of one sentence with their offsets in the text; none where there is but one."""
    return [Span(claim, *_where(claim, place)) for claim in claims] if len(claims) > 1 else []


def _where(claim: str, place: Span) -> tuple[int, int]:
    """Where the longest end of a claim stands that the sentence has word for word; else the whole sentence.

    What a claim is given to stand alone is put before what it says.
    """
    said = claim.rstrip(" .").split(" ")
    for at in range(max(1, len(said) - 1)):
        for wanted in dict.fromkeys((" ".join(said[at:]), " ".join(said[at:])[:1].lower() + " ".join(said[at:])[1:])):
            if (start := place.text.find(wanted)) >= 0:
                return place.start + start, place.start + start + len(wanted)
    return place.start, place.end


def _pieces(text: str) -> Iterator[Span]:
    """The sentences, headings apart from what stands under them."""
    for sentence in sentences(text):
        if not is_prose(sentence.text):
            yield sentence
            continue
        at = 0
        lines = (line for form in _HEADINGS for line in form.finditer(sentence.text))
        for line in sorted(lines, key=lambda line: line.start()):
            if line.start() >= at:
                yield from _cut(sentence, at, line.start())
                yield from _cut(sentence, line.start(), line.end())
                at = line.end()
        yield from _cut(sentence, at, len(sentence.text))


def _cut(sentence: Span, start: int, end: int) -> Iterator[Span]:
    piece = span(sentence.text, start, end)
    if piece:
        yield Span(piece.text, sentence.start + piece.start, sentence.start + piece.end)


def _plain(sentence: str) -> str:
    """A sentence of prose without the marks of Markdown, citations and line breaks, and nothing hidden in it."""
    if len(sentence) > LONGEST_SENTENCE or not is_prose(sentence):
        return sentence
    told = _CITED.sub("", _LINK.sub(r"\1", clean(sentence)))
    return " ".join(unwrapped(_MARKS.sub("", _BULLET.sub("", told))).split())


def _reason(place: Span, plain: str, text: str) -> NoStatement | Unread | None:
    if is_code(place.text):
        return "code"
    if not is_prose(place.text):
        return "table"
    if len(place.text) > LONGEST_SENTENCE:
        return "too long"
    if not any(len(word) > 1 for word in LETTERS.findall(plain)):
        return "no words"
    if _is_heading(place, plain, text):
        return "heading"
    if asks(plain):
        return "question"
    return "foreign" if is_foreign(plain) else None


def _is_heading(place: Span, plain: str, text: str) -> bool:
    """Whether it is marked as a heading, leads to a list, is one word, or a short line that heads others.

    Such a line has no full stop, and no verb unless it begins like a question. A last line is none: there is nothing
    that it heads.
    """
    one_word = len(plain.split()) == 1 and not asks(plain)
    if one_word or any(form.fullmatch(place.text) for form in (*_HEADINGS, _BOLD_LINE)):
        return True
    if plain.endswith(":") and _LISTED.match(text, place.end):
        return True
    if ends(place.text) or "\n" in place.text:
        return False
    short = len(plain.split()) <= HEADING_WORDS and (not _VERB.search(plain) or words(plain)[0] in ASKING)
    return short and (plain.endswith(":") or _stands_alone(place, text))


def _stands_alone(place: Span, text: str) -> bool:
    """Whether a line is no item of a list, and text follows on another."""
    return not _BULLET.match(place.text) and bool(_FOLLOWED.match(text, place.end))
