"""How the answer that is given is laid out: its short form first, what other documents say last, nobody's layout."""

import re
from collections.abc import Sequence

from veridic.evidence.evidence import sentence_at
from veridic.ports.shapes import Citation, Conflict, Sentence
from veridic.text.answers import tokens
from veridic.text.sentences import ITEM, Span, is_code, unlisted, unwrapped, whole_of

WHOLE = 0.6
"""Share of a sentence's words from which a short answer is not told apart from it."""
OTHERWISE = "\n\nAnother document says otherwise: "
"""What stands before the other side of what documents disagree on."""
_BLOCK = re.compile(r"(?:^.*\S.*(?:\n|\Z))+", re.MULTILINE)


def with_other_side(answer: str, found: list[Sentence], disputed: Sequence[Conflict]) -> tuple[str, list[Sentence]]:
    """The answer with what other documents say instead, each sentence once and with its place."""
    parts = list(found)
    for one in disputed:
        text = unlisted(unwrapped(one["contradicting"]["quote"]))
        if any(text == part["text"] for part in parts):
            continue
        answer += OTHERWISE + text
        place = Span(text, len(answer) - len(text), len(answer))
        parts.append({**sentence_at(place, "supported", 1.0, citations=[one["contradicting"]]), "quoted": True})
    return answer, parts


def led(
    short: str, body: str, found: list[Sentence], places: Sequence[Citation], sure: float
) -> tuple[str, list[Sentence]]:
    """The whole answer with its sentences: the short answer on a line of its own, unless it nearly is the sentence.

    That a word stands in a document supports no answer: the short one has no more support than the reader is `sure`.
    """
    if not short or len(tokens(short)) >= WHOLE * len(tokens(body)) or body.startswith(short):
        return body, found
    support = min([sure, *(sentence["support"] or 0.0 for sentence in found)])
    head = sentence_at(whole_of(short), "supported", support, citations=places)
    skip = len(short) + 2
    moved = [Sentence(**{**one, "start": one["start"] + skip, "end": one["end"] + skip}) for one in found]
    return f"{short}\n\n{body}", [head, *moved]


def without_layout(answer: str, found: Sequence[Sentence]) -> tuple[str, list[Sentence]]:
    """The answer and its sentences without what laid out their sources and means nothing here.

    That is line breaks, and the mark of a list before a sentence that stands in none here.
    """
    told, parts, at = "", list[Sentence](), 0
    listed = {start for block in _BLOCK.finditer(answer) for start in _items_of(block)}
    for one in found:
        text = unwrapped(one["text"]) if one["start"] in listed else unlisted(unwrapped(one["text"]))
        told += answer[at : one["start"]]
        parts.append(Sentence(**{**one, "text": text, "start": len(told), "end": len(told) + len(text)}))
        told, at = told + text, one["end"]
    return told + answer[at:], parts


def _items_of(block: re.Match[str]) -> list[int]:
    """Where the items of a list stand in a block of lines; one alone is no list."""
    items = [item.end() for item in ITEM.finditer(block.string, block.start(), block.end())]
    return items if len(items) > 1 else []


def with_code_unverified(found: Sequence[Sentence]) -> list[Sentence]:
    """The sentences; code, which is quoted and judged by nobody, is unverified and keeps its citation."""
    return [{**one, "verdict": "unverified", "support": None} if is_code(one["text"]) else one for one in found]
