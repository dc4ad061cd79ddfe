"""How an answer is told: sentences quoted in short, its parts in order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from veridic.evidence.evidence import sentence_at
from veridic.ports.shapes import Citation, Conflict, Kind, ReadAnswer, Sentence
from veridic.text.answers import tokens
from veridic.text.sentences import ITEM, Span, is_code, unlisted, unwrapped, whole_of

LONGEST = 40
"""Words of one quoted sentence; of a longer one the part around the answer is shown."""
BRIEF = 400
"""Characters of what is named and not told: code and tables may have no words to cut at."""
WHOLE = 0.6
"""Share of a sentence's words from which a short answer is not told apart from it."""
OTHERWISE = "\n\nAnother document says otherwise: "
"""What stands before the other side of what documents disagree on."""
EARLIER = "\n\nA document of an earlier date said otherwise: "
"""The same, where the other side is the earlier one."""
_CLAUSE = re.compile(r"[,;:—–]\s+|\s+(?=(?:and|but|which|who|where|when|while|after|before|because)\b)")
_CUT = "…"
_BLOCK = re.compile(r"(?:^.*\S.*(?:\n|\Z))+", re.MULTILINE)
_KINDS: Mapping[Kind, tuple[str, str]] = {
    "human": ("document", "taken in"),
    "outside": ("outside source", "fetched"),
    "generated": ("learned", ""),
}
"""What each kind is called, and what was done on its date."""


def told_sentence(reading: ReadAnswer) -> str:
    """The sentence an answer stands in; of a long one the clauses around it, between ellipses."""
    sentence, span = reading["sentence"], reading["span"]
    if sentence is None or span is None:
        return ""
    return shortened(sentence["quote"], span["start"] - sentence["start"], span["end"] - sentence["start"])


def one_after_another(told: Sequence[str]) -> str:
    """Sentences as one text, each once; one that was cut has no full stop, so that a blank line sets it apart."""
    return ("\n\n" if any(map(is_excerpt, told)) else " ").join(dict.fromkeys(told))


def shortened(sentence: str, start: int = 0, end: int = 1) -> str:
    """A sentence with at most 40 words: the clauses around the characters, with ellipses where something was cut.

    Code is told whole.
    """
    if is_code(sentence):
        return sentence
    place = excerpt(sentence, start, end)
    before = f"{_CUT} " if place.start > 0 else ""
    after = f" {_CUT}" if place.end < len(sentence) else ""
    return before + place.text + after


def excerpt(sentence: str, start: int, end: int, words: int = LONGEST) -> Span:
    """The longest run of clauses around the characters with at most `words` words; else the nearest words."""
    if len(sentence.split()) <= words:
        return whole_of(sentence)
    cuts = [0, *(match.end() for match in _CLAUSE.finditer(sentence)), len(sentence)]
    runs = [
        (left, right)
        for left in cuts
        for right in cuts
        if left <= start and end <= right and len(sentence[left:right].split()) <= words
    ]
    left, right = max(runs, key=lambda run: run[1] - run[0]) if runs else _around(sentence, start, end, words)
    text = sentence[left:right].rstrip(" ,;:—–")
    return Span(text, left, left + len(text))


def _around(sentence: str, start: int, end: int, words: int) -> tuple[int, int]:
    found = list(re.finditer(r"\S+", sentence))
    inside = [at for at, word in enumerate(found) if word.end() > start and word.start() < end] or [0]
    spare = max(0, words - len(inside))
    first = max(0, inside[0] - spare // 2)
    last = min(len(found), first + words) - 1
    return found[first].start(), found[last].end()


def is_excerpt(text: str) -> bool:
    """Whether a quoted sentence was cut."""
    return text.startswith(_CUT) or text.endswith(_CUT)


def quoted(text: str) -> str:
    """What a cut sentence quotes."""
    return text.strip(f"{_CUT} ")


def brief(text: str) -> str:
    """A text on one line; of a long one the beginning."""
    line = " ".join(text.split())
    return line if len(line) <= BRIEF else f"{line[:BRIEF].rstrip()} {_CUT}"


def with_other_side(answer: str, found: list[Sentence], disputed: Sequence[Conflict]) -> tuple[str, list[Sentence]]:
    """The answer with what other documents say instead, each sentence once and with its place."""
    parts = list(found)
    for one in disputed:
        text = unlisted(unwrapped(one["contradicting"]["quote"]))
        if any(text == part["text"] for part in parts):
            continue
        answer += (EARLIER if one.get("superseded") else OTHERWISE) + text
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


def kind_and_date(one: Citation) -> str:
    """Of what kind a source is, and since when it is held: `document, taken in 2026-03-01`."""
    kind, done = _KINDS[one["kind"]]
    return f"{kind}, {' '.join(filter(None, (done, one['retrieved_at'][:10])))}"


def side(one: Citation) -> str:
    """A source by its title, else where it is, with kind and date."""
    return f"{' '.join((one['title'] or one['url']).split())} ({kind_and_date(one)})"


def disagreement_on(conflict: Conflict) -> str:
    """Both sides of a conflict, and whether one is the earlier."""
    told = f"{side(conflict['supporting'])} against {side(conflict['contradicting'])}"
    return f"{told}, which is of an earlier date" if conflict.get("superseded") else told
