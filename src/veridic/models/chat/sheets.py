"""What a grader is asked in one call, up to eight things of one kind, and what its reply says of each.

Grades stand in the one JSON object that was asked for. Of a model that left that out and was asked about one thing, a
word of the scale alone is a grade. It passes only where nothing else in the reply speaks against it: another grade, a
negation, a question. What is empty, a refusal, or an echo of the scale or of the prompt has none, and the caller must
take it for no pass.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from veridic.models.chat.thinking import strip_thinking
from veridic.ports.chat import Prompt
from veridic.ports.shapes import GradeName
from veridic.prompts import listing, render
from veridic.text.facts import words
from veridic.text.fences import defuse, markers, without_markers

PER_CALL = 8
"""Things graded in one call, at most."""
ROOM = 9_000
"""Characters of their texts, at most, unless one thing alone has more: a window of 4,096 tokens holds the prompt."""


WORDS: Mapping[str, GradeName] = {
    "yes": "full",
    "full": "full",
    "partial": "partial",
    "no": "none",
    "none": "none",
    "contradicted": "contradicted",
}
"""The scale's own words, and the two that say the same."""
_Told = tuple[GradeName, list[int]]
"""A grade and the numbers of the passages it names."""
_MARKUP = " \t\r\n.*_`\"'#-"


@dataclass(frozen=True)
class Asked:
    """One thing to be graded."""

    judge: Literal["relevance", "usefulness", "support"]
    about: str
    """The question, or the sentence."""
    texts: tuple[str, ...]
    """The passages, of which the sentence may rest on any, or the one text."""
    question: str = ""
    """Which one the sentence answers; of all things of a call the same."""


@dataclass(frozen=True)
class Support:
    """What a grader says of a text or a sentence, and which of its passages says so."""

    grade: GradeName
    passage: int | None
    """From 1; None of a text, and where no passage says anything of a sentence."""


@dataclass(frozen=True)
class Sheet:
    """One call."""

    prompt: Prompt
    schema: Mapping[str, Any]
    resting: Sequence[Sequence[int]]
    """Of each thing the numbers of its passages; none of a text that is graded by itself."""


@dataclass(frozen=True)
class Graded:
    """A passage that was graded before."""

    question: str
    text: str
    grade: GradeName


def in_calls(batch: Sequence[Asked]) -> list[list[Asked]]:
    """Things of one kind, a list for each call."""
    calls, room = list[list[Asked]](), 0
    for one in batch:
        size = sum(map(len, one.texts))
        if not calls or len(calls[-1]) == PER_CALL or size > room:
            calls.append([])
            room = ROOM
        calls[-1].append(one)
        room -= size
    return calls


def sheet_of(asked: Sequence[Asked], examples: str = "") -> Sheet:
    """The call that grades these; `examples` are shown before passages."""
    return _of_sentences(asked) if asked[0].judge == "support" else _of_texts(asked, examples)


def graded_sheet(graded: Sequence[Graded]) -> str:
    """Passages with their grades as the prompt shows them: as they would be asked about, and the reply to that."""
    shown = _listed("passage", [(one.question, one.text) for one in graded])
    grades = [{"number": number, "grade": one.grade} for number, one in enumerate(graded, 1)]
    return f"{shown}\n{json.dumps({'grades': grades})}"


def _of_texts(asked: Sequence[Asked], examples: str) -> Sheet:
    texts = [(one.about, one.texts[0]) for one in asked]
    if asked[0].judge == "relevance":
        prompt = render("grade_passage", passages=_listed("passage", texts), examples=examples)
    else:
        prompt = render("grade_answer", answers=_listed("answer", texts))
    return Sheet(prompt, _schema("full", "partial", "none"), [()] * len(asked))


def _listed(kind: str, texts: Sequence[tuple[str, str]]) -> str:
    """Texts under their questions; one that stays the same is said once."""
    shown, last = list[str](), None
    for number, (question, text) in enumerate(texts, 1):
        if question != last:
            shown.append(f"<question>{defuse(question)}</question>")
        last = question
        shown.append(_numbered(kind, number, text))
    return "\n".join(shown)


def _of_sentences(asked: Sequence[Asked]) -> Sheet:
    """Sentences under their passages, each passage once."""
    passages = {text: number for number, text in enumerate(dict.fromkeys(t for one in asked for t in one.texts), 1)}
    resting = [[passages[text] for text in one.texts] for one in asked]
    sentences = [
        f'<sentence number="{number}" passages="{", ".join(map(str, own))}">{defuse(one.about)}</sentence>'
        for number, (one, own) in enumerate(zip(asked, resting, strict=True), 1)
    ]
    shown = "\n".join(_numbered("passage", number, text) for text, number in passages.items())
    question = f"<question>{defuse(asked[0].question)}</question>\n" if asked[0].question else ""
    prompt = render("grade_sentence", question=question, passages=shown, sentences="\n".join(sentences))
    return Sheet(prompt, _schema("full", "partial", "contradicted", "none", passage={"type": "integer"}), resting)


def _numbered(kind: str, number: int, text: str) -> str:
    return f'<{kind} number="{number}">\n{defuse(text)}\n</{kind}>'


def _schema(*grades: str, **more: Mapping[str, Any]) -> Mapping[str, Any]:
    return listing("grades", number={"type": "integer"}, grade={"type": "string", "enum": list(grades)}, **more)


def read_grades(reply: str, resting: Sequence[Sequence[int]]) -> list[Support | None]:
    """The grades of a reply about several things, in order; None where one cannot be told.

    `resting` are the numbers of the passages on which each may rest; none of a text that is graded by itself. A grade
    other than none must name one of them, unless there is only one. A reply about another number of things has none.
    """
    told = _told(reply, len(resting))
    return [_support(*one, own) if one else None for one, own in zip(told, resting, strict=True)]


def _support(grade: GradeName, named: Sequence[int], passages: Sequence[int]) -> Support | None:
    if not passages:
        return Support(grade, None) if grade != "contradicted" else None
    if grade == "none":
        return Support("none", None)
    if len(named) == 1 and named[0] in passages:
        return Support(grade, passages.index(named[0]) + 1)
    return Support(grade, 1) if len(passages) == 1 and not named else None


def _told(reply: str, count: int) -> Sequence[_Told | None]:
    """Each grade of a reply with the passages it names."""
    unread, text = [None] * count, strip_thinking(reply)
    if defuse(text) != text:  # our own fences: an example of the prompt, said again
        return unread
    before, opened, _ = text.partition("{")
    if not opened:
        return [_bare(text)] if count == 1 else unread
    try:
        found, end = json.JSONDecoder(object_pairs_hook=_each_once).raw_decode(text, len(before))
    except (ValueError, RecursionError):
        return unread
    items = [found] if "grade" in found else found.get("grades")
    if not isinstance(items, list) or len(items) != count:
        return unread
    return [_item(one, number, before + text[end:]) for number, one in enumerate(items, 1)]


def _item(one: object, number: int, rest: str) -> _Told | None:
    """What one object of a reply grades, if it is the one that is due and nothing around them speaks against it."""
    if not isinstance(one, dict) or str(one.get("number", number)) != str(number):
        return None
    said, passage = one.get("grade"), str(one.get("passage", ""))
    grade = WORDS.get(said.strip().lower()) if isinstance(said, str) else None
    if grade is None or not _agrees(rest, grade):
        return None
    return grade, [int(passage)] if passage.isdecimal() else []


def _bare(text: str) -> _Told | None:
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
