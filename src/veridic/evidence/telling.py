"""How an answer is told: sentences quoted in short, its parts in order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from veridic.ports.shapes import Citation, Conflict, Kind, ReadAnswer
from veridic.text.sentences import Span, is_code, whole_of

LONGEST = 40
"""Words of one quoted sentence; of a longer one the part around the answer is shown."""
BRIEF = 400
"""Characters of what is named and not told: code and tables may have no words to cut at."""
_CLAUSE = re.compile(r"[,;:—–]\s+|\s+(?=(?:and|but|which|who|where|when|while|after|before|because)\b)")
_CUT = "…"
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


def kind_and_date(one: Citation) -> str:
    """Of what kind a source is, and since when it is held: `document, taken in 2026-03-01`."""
    kind, done = _KINDS[one["kind"]]
    return f"{kind}, {' '.join(filter(None, (done, one['retrieved_at'][:10])))}"


def side(one: Citation) -> str:
    """A source by its title, else where it is, with kind and date."""
    return f"{' '.join((one['title'] or one['url']).split())} ({kind_and_date(one)})"


def disagreement_on(conflict: Conflict) -> str:
    """Both sides of a conflict."""
    return f"{side(conflict['supporting'])} against {side(conflict['contradicting'])}"
