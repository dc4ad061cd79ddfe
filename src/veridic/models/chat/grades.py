"""Reading a grader's reply: its grade, or None where it cannot be told.

A grade is a scale's own word, alone or first and set off from what follows, behind a label, or the value of a JSON
object. It passes only where nothing else in the reply speaks against it: another grade, a negation, a question. What
is empty, a refusal, or an echo of the scale or of the prompt has no grade; the caller must take that for no pass.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veridic.ports.shapes import GradeName
from veridic.text.fences import defuse
from veridic.text.thinking import strip_thinking

WORDS: Mapping[str, GradeName] = {
    "yes": "full",
    "full": "full",
    "fully": "full",
    "relevant": "full",
    "supported": "full",
    "2": "full",
    "partial": "partial",
    "partially": "partial",
    "1": "partial",
    "no": "none",
    "none": "none",
    "irrelevant": "none",
    "unsupported": "none",
    "0": "none",
    "contradicted": "contradicted",
}
"""The scale's own words and its numbers, of which 2 is the highest."""

HIGHEST = "2"
PASSING: frozenset[GradeName] = frozenset({"full", "partial"})

_TOKEN = re.compile(
    r"-?[0-9]+(?:[.,][0-9]+)*%?(?:\s*(?:/|out of)\s*[0-9]+(?:[.,][0-9]+)*)?|[^\W\d_]+(?:'[^\W\d_]+)*|[^\W_]+"
)
_PART_OF = re.compile(r"\s*(?:/|out of)\s*")
_CLAUSE_END = re.compile(r"[.,](?![0-9])|[;:!?()\n—–]|\s-\s")
_LABEL = re.compile(r"\W*([^:=\n]{1,40}?)\W*[:=](.+)")
_BEFORE = " \t#>*_`\"'-:=(["
_GRADE_KEYS = ("grade", "score")
_PASSAGE = re.compile(r"\bpassage\W{0,3}([0-9]{1,3})\b\]?|\[([0-9]{1,3})\]", re.IGNORECASE)


@dataclass(frozen=True)
class Support:
    """What a grader says of a sentence, and the number of the passage that says so."""

    grade: GradeName
    passage: int | None
    """From 1; None where no passage says anything of it."""


def read_grade(reply: str) -> GradeName | None:
    """The one grade of a reply; None where it has none, several, or one that the rest of it speaks against."""
    text = strip_thinking(reply).replace("’", "'")
    verdicts, rest = _parted(text)
    if len(verdicts) != 1 or defuse(text) != text:  # our own fences: an example of the prompt, said again
        return None
    (grade,) = verdicts
    return grade if grade and _agrees(rest, grade) else None


def read_support(reply: str, passages: int) -> Support | None:
    """The grade of a sentence and which of so many passages it rests on; None where either cannot be told.

    A grade other than none must name one of the passages, unless there is only one.
    """
    text = strip_thinking(reply)
    objects = [found for _, _, found in _objects(text)]
    grade = read_grade(text if objects else _PASSAGE.sub(" ", text))
    if grade is None or grade == "none":
        return Support("none", None) if grade else None
    named = _named_in(objects) if objects else {int(one or other) for one, other in _PASSAGE.findall(text)}
    if len(named) == 1 and 1 <= min(named) <= passages:
        return Support(grade, min(named))
    return Support(grade, 1) if passages == 1 and not named else None


def _parted(text: str) -> tuple[set[GradeName | None], list[str]]:
    """The grades a reply gives, and all else that it says."""
    objects = list(_objects(text))
    if not objects:
        return _parted_lines(text.splitlines())
    outside, at = list[str](), 0
    for start, end, _ in objects:
        outside.append(text[at:start])
        at = end
    return {_of_object(found) for _, _, found in objects}, [*outside, text[at:]]


def _parted_lines(lines: Sequence[str]) -> tuple[set[GradeName | None], list[str]]:
    grades, rest = set[GradeName | None](), list[str]()
    for line in lines:
        grade, left = _of_line(line)
        rest.append(left)
        if grade:
            grades.add(grade)
    return grades, rest


def _of_line(line: str) -> tuple[GradeName | None, str]:
    """The grade that a line gives, behind a label or at its beginning, and the rest of the line."""
    labelled = _LABEL.fullmatch(line)
    if labelled and _is_label(labelled[1]):
        grade, left = _first_clause(labelled[2])
        if grade:
            return grade, left
    return _first_clause(line)


def _first_clause(text: str) -> tuple[GradeName | None, str]:
    """The grade that a text begins with, and what follows it."""
    begun = text.lstrip(_BEFORE)
    if begun[:1].isdigit() and text[: -len(begun)].endswith("-"):
        return None, text  # a number below the scale
    end = _CLAUSE_END.search(begun)
    cut = end.start() if end else len(begun)
    grade = _of_phrase(_tokens(begun[:cut]))
    return (grade, begun[cut:]) if grade else (None, text)


def _of_phrase(tokens: Sequence[str]) -> GradeName | None:
    """The grade that some words are; None where one of them is neither of the scale nor a "not", or they disagree."""
    grades = [_grade_of(token) for token in tokens if not _negates(token)]
    if not grades or None in grades:
        return None
    if len(grades) < len(tokens):
        return "none" if set(grades) <= PASSING else None
    if grades[0] == "partial" and set(grades) == PASSING:
        return "partial"
    return grades[0] if len(set(grades)) == 1 else None


def _agrees(rest: Sequence[str], grade: GradeName) -> bool:
    """Whether nothing else in a reply speaks against its grade."""
    clauses = [_tokens(clause) for part in rest for clause in _CLAUSE_END.split(part)]
    doubted = any("?" in part for part in rest) or any(_negates(token) for tokens in clauses for token in tokens)
    if doubted and grade in PASSING:
        return False
    return all(said == grade for tokens in clauses for said in _told(tokens))


def _told(tokens: Sequence[str]) -> Iterator[GradeName]:
    """The grades that a clause speaks of; behind a "not" none."""
    negated = False
    for token in tokens:
        negated = negated or _negates(token)
        if told := _grade_of(token):
            yield "none" if negated else told


def _is_label(text: str) -> bool:
    """Whether a text only says what is graded: words, and no grade but the highest, as in "Relevant: no"."""
    tokens = [token for token in _tokens(text) if not token.isdigit()]
    return bool(tokens) and not any(_negates(token) or _grade_of(token) not in (None, "full") for token in tokens)


def _tokens(text: str) -> list[str]:
    return [match.group() for match in _TOKEN.finditer(text.lower())]


def _negates(token: str) -> bool:
    return token.endswith(("not", "n't"))


def _grade_of(token: str) -> GradeName | None:
    """The grade of a word or number; None where it is not of the scale, or part of another one."""
    part, *whole = _PART_OF.split(token)
    if whole and whole != [HIGHEST]:
        return None
    return WORDS.get(re.sub(r"\.0+$", "", part))


def _objects(text: str) -> Iterator[tuple[int, int, list[tuple[str, Any]]]]:
    """The JSON objects in a text with their places, each as its keys and values in order, repeated ones too."""
    decoder, at = json.JSONDecoder(object_pairs_hook=list), 0
    while (start := text.find("{", at)) >= 0:
        at = start + 1
        try:
            found, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            continue
        at = end
        yield start, end, found


def _of_object(found: Sequence[tuple[str, Any]]) -> GradeName | None:
    """The grade under a key that ends in "grade" or "score"; of an object with one key beside a passage's, its own."""
    told = [(key, value) for key, value in found if not _is_passage(key)]
    graded = [(key, value) for key, value in told if key.lower().endswith(_GRADE_KEYS)] or told
    if len(graded) != 1 or not _is_label(graded[0][0].replace("_", " ")):
        return None
    value = graded[0][1]
    if isinstance(value, bool):
        return "full" if value else "none"
    return read_grade(str(value)) if isinstance(value, str | int | float) and "{" not in str(value) else None


def _is_passage(key: str) -> bool:
    return key.lower().startswith("passage")


def _named_in(objects: Sequence[Sequence[tuple[str, Any]]]) -> set[int]:
    """The numbers of the passages that the objects name."""
    told = [str(value) for found in objects for key, value in found if _is_passage(key)]
    return {int(number) for value in told for number in re.findall(r"[0-9]{1,3}", value)}
