"""Reading a grader's reply: its grade, or None where it cannot be told, which the caller must take for no pass.

A grade is the `grade` of the one JSON object that was asked for or, of a model that left that out, a word of the scale
alone. It passes only where nothing else in the reply speaks against it: another grade, a negation, a question. What is
empty, a refusal, or an echo of the scale or of the prompt has none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veridic.ports.shapes import GradeName
from veridic.text.facts import words
from veridic.text.fences import defuse, markers, without_markers
from veridic.text.thinking import strip_thinking

WORDS: Mapping[str, GradeName] = {
    "yes": "full",
    "full": "full",
    "partial": "partial",
    "no": "none",
    "none": "none",
    "contradicted": "contradicted",
}
"""The scale's own words, and the two that say the same."""
_MARKUP = " \t\r\n.*_`\"'#-"


@dataclass(frozen=True)
class Support:
    """What a grader says of a sentence, and the number of the passage that says so."""

    grade: GradeName
    passage: int | None
    """From 1; None where no passage says anything of it."""


def read_grade(reply: str) -> GradeName | None:
    """The one grade of a reply; None where it has none, several, or one that the rest of it speaks against."""
    told = _told(reply)
    return told[0] if told else None


def read_support(reply: str, passages: int) -> Support | None:
    """The grade of a sentence and which of so many passages it rests on; None where either cannot be told.

    A grade other than none must name one of the passages, unless there is only one.
    """
    told = _told(reply)
    if told is None:
        return None
    grade, named = told
    if grade == "none":
        return Support("none", None)
    if len(named) == 1 and 1 <= named[0] <= passages:
        return Support(grade, named[0])
    return Support(grade, 1) if passages == 1 and not named else None


def _told(reply: str) -> tuple[GradeName, list[int]] | None:
    """The grade of a reply and the passages it names."""
    text = strip_thinking(reply)
    if defuse(text) != text:  # our own fences: an example of the prompt, said again
        return None
    before, opened, _ = text.partition("{")
    if not opened:
        return _bare(text)
    try:
        found, end = json.JSONDecoder(object_pairs_hook=_each_once).raw_decode(text, len(before))
    except (ValueError, RecursionError):
        return None
    said, passage = found.get("grade"), str(found.get("passage", ""))
    grade = WORDS.get(said.strip().lower()) if isinstance(said, str) else None
    if grade is None or not _agrees(before + text[end:], grade):
        return None
    return grade, [int(passage)] if passage.isdecimal() else []


def _bare(text: str) -> tuple[GradeName, list[int]] | None:
    """A word of the scale that stands alone, or behind the word "grade"."""
    label, _, word = without_markers(text).rpartition(":")
    grade = WORDS.get(word.strip(_MARKUP).lower())
    return (grade, markers(text)) if grade and label.strip(_MARKUP).lower() in ("", "grade") else None


def _agrees(rest: str, grade: GradeName) -> bool:
    """Whether nothing around a grade speaks against it."""
    if grade == "none":
        return True
    said = words(rest.replace("’", "'"))
    return not ("{" in rest or "?" in rest or any(one.endswith(("not", "n't")) for one in said)) and all(
        WORDS.get(one, grade) == grade for one in said
    )


def _each_once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """An object none of whose keys is said twice; raises `ValueError`."""
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key is said twice")
    return dict(pairs)
