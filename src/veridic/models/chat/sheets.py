"""What a grader is asked in one call: up to eight things of one kind, and the form of the reply."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from veridic.models.chat.grades import Support, read_grades
from veridic.ports.chat import Prompt
from veridic.prompts import render
from veridic.text.fences import defuse

PER_CALL = 8
"""Things graded in one call, at most."""
ROOM = 9_000
"""Characters of their texts, at most, unless one thing alone has more: a window of 4,096 tokens holds the prompt."""


@dataclass(frozen=True)
class Asked:
    """One thing to be graded."""

    judge: Literal["relevance", "usefulness", "support"]
    about: str
    """The question, or the sentence."""
    texts: tuple[str, ...]
    """The passages, of which the sentence may rest on any, or the one text."""


@dataclass(frozen=True)
class Sheet:
    """One call."""

    prompt: Prompt
    schema: Mapping[str, Any]
    resting: Sequence[Sequence[int]]
    """Of each thing the numbers of its passages; none of a text that is graded by itself."""

    def read(self, reply: str) -> list[Support | None]:
        """The grades, in order; a passage is named by its place among those of its sentence."""
        found = read_grades(reply, self.resting)
        return [
            replace(one, passage=own.index(one.passage) + 1) if one and one.passage else one
            for one, own in zip(found, self.resting, strict=True)
        ]


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


def sheet_of(asked: Sequence[Asked]) -> Sheet:
    """The call that grades these."""
    return _of_sentences(asked) if asked[0].judge == "support" else _of_texts(asked)


def _of_texts(asked: Sequence[Asked]) -> Sheet:
    """Texts under their questions; one that stays the same is said once."""
    kind = "passage" if asked[0].judge == "relevance" else "answer"
    shown, question = list[str](), None
    for number, one in enumerate(asked, 1):
        if one.about != question:
            shown.append(f"<question>{defuse(one.about)}</question>")
        question = one.about
        shown.append(_numbered(kind, number, one.texts[0]))
    prompt = Prompt(*render(f"grade_{kind}", **{f"{kind}s": "\n".join(shown)}))
    return Sheet(prompt, _schema("full", "partial", "none"), [()] * len(asked))


def _of_sentences(asked: Sequence[Asked]) -> Sheet:
    """Sentences under their passages, each passage once."""
    passages = {text: number for number, text in enumerate(dict.fromkeys(t for one in asked for t in one.texts), 1)}
    resting = [[passages[text] for text in one.texts] for one in asked]
    sentences = [
        f'<sentence number="{number}" passages="{", ".join(map(str, own))}">{defuse(one.about)}</sentence>'
        for number, (one, own) in enumerate(zip(asked, resting, strict=True), 1)
    ]
    shown = "\n".join(_numbered("passage", number, text) for text, number in passages.items())
    prompt = Prompt(*render("grade_sentence", passages=shown, sentences="\n".join(sentences)))
    return Sheet(prompt, _schema("full", "partial", "contradicted", "none", passage={"type": "integer"}), resting)


def _numbered(kind: str, number: int, text: str) -> str:
    return f'<{kind} number="{number}">\n{defuse(text)}\n</{kind}>'


def _schema(*grades: str, **more: Mapping[str, Any]) -> Mapping[str, Any]:
    one = _object(number={"type": "integer"}, grade={"type": "string", "enum": list(grades)}, **more)
    return {"title": "grades", **_object(grades={"type": "array", "items": one})}


def _object(**properties: Mapping[str, Any]) -> Mapping[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
