"""Questions altered so that their text no longer answers them, and texts altered along with the question.

Another year, number, ordinal, opposite, name or role. What SQuAD 2 (Rajpurkar et al. 2018) paid people for.
A question altered together with its text keeps its answer: so that what looks altered is no sign of "none".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from veridic_lab.training.changes import opposite_word, wrong_date, wrong_number
from veridic_lab.training.reading.rows import Reading
from veridic_lab.training.wording import Rng, names, pick

_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_ORDINAL = re.compile(r"\b(" + "|".join(_ORDINALS) + r"|last|final)\b", re.IGNORECASE)
_AGENT = re.compile(r"^(?P<who>who|what|which \w+) (?P<verb>\w{3,}ed) (?P<rest>[^?,]+)\?*$", re.IGNORECASE)
_ROLE = re.compile(r"^(?P<who>who|what|which \w+) (?P<be>was|were) (?P<verb>\w+ed) by (?P<rest>[^?,]+)\?*$", re.I)

Alter = Callable[[str, Rng], str | None]


@dataclass(frozen=True)
class Change:
    """A word of a question and what stands in its place."""

    old: str
    new: str


def another_ordinal(question: str, rng: Rng) -> str | None:
    """First becomes third."""
    found = _ORDINAL.search(question)
    if not found:
        return None
    new = pick(rng, [word for word in _ORDINALS if word != found.group().lower()])
    return question[: found.start()] + new + question[found.end() :]


def another_role(question: str, _rng: Rng) -> str | None:
    """Who defeated X becomes who was defeated by X, and back."""
    if found := _ROLE.match(question):
        return f"{found['who']} {found['verb']} {found['rest']}?"
    if found := _AGENT.match(question):
        return f"{found['who']} was {found['verb']} by {found['rest']}?"
    return None


ALTERATIONS: dict[str, Alter] = {
    "year": wrong_date,
    "number": wrong_number,
    "ordinal": another_ordinal,
    "opposite": opposite_word,
    "role": another_role,
}


def altered(row: Reading, foreign: Sequence[str], rng: Rng) -> Reading | None:
    """The row with a question that its text does not answer; None where nothing in it can be altered.

    `foreign` are names of other texts. What is put in never stands in the text.
    """
    kinds = list(ALTERATIONS.items())
    for place in rng.permutation(len(kinds) + 1):
        if place == len(kinds):
            if change := another_name(row, foreign, rng):
                return _unanswered(row, put(row.question, change), "name")
            continue
        name, alter = kinds[int(place)]
        question = alter(row.question, rng)
        read = _words(f"{row.title} {row.text}")
        if question and question != row.question and not _new_words(question, row.question) & read:
            return _unanswered(row, question, name)
    return None


def altered_alike(row: Reading, foreign: Sequence[str], rng: Rng) -> Reading | None:
    """The row with a name of its question replaced in question, title and text; its answers stay."""
    change = another_name(row, foreign, rng)
    if change is None:
        return None
    pattern = _as_words(change.old)
    replaced = list(pattern.finditer(row.text))
    if any(match.start() < end and start < match.end() for match in replaced for start, end in row.places):
        return None
    text, moved, at = "", list[tuple[int, int]](row.places), 0
    for match in replaced:
        text += row.text[at : match.start()] + change.new
        at = match.end()
        step = len(change.new) - (match.end() - match.start())
        moved = [
            (start + step, end + step) if place[0] >= match.end() else (start, end)
            for place, (start, end) in zip(row.places, moved, strict=True)
        ]
    title = pattern.sub(lambda _: change.new, row.title)
    question = put(row.question, change)
    return replace(row, question=question, title=title, text=text + row.text[at:], places=tuple(moved), part="alike")


def another_name(row: Reading, foreign: Sequence[str], rng: Rng) -> Change | None:
    """A name of the text that the question has, and one of like length that the text has not."""
    shared = {
        match.group()
        for match in names(f"{row.title}. {row.text}")
        if _as_words(match.group()).search(row.question) and len(match.group()) > 3
    }
    said = f"{row.title} {row.text} {row.question}".lower()
    others = [name for name in (pick(rng, foreign) for _ in range(12 if foreign else 0)) if name.lower() not in said]
    if not shared or not others:
        return None
    old = max(sorted(shared), key=len)
    return Change(old, min(others, key=lambda name: abs(len(name.split()) - len(old.split()))))


def put(question: str, change: Change) -> str:
    """The question with the change made wherever the old word stands."""
    lower = question == question.lower()
    new = change.new.lower() if lower else change.new
    return _as_words(change.old).sub(lambda _: new, question)


def _as_words(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)


def _unanswered(row: Reading, question: str, part: str) -> Reading:
    return replace(row, question=question, places=(), kind="none", part=part)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def _new_words(question: str, old: str) -> set[str]:
    return _words(question) - _words(old) - {"was", "by"}
