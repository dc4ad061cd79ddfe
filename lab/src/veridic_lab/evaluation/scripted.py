"""A writer that answers from gold, with a stated share of planted falsehoods, instantly.

What is false is so by construction, and tagged: the measure of what the checks let through is
never one of our judges. Truths and falsehoods are worded alike.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from veridic.errors import UsageError
from veridic.ports.chat import Prompt, Reply
from veridic.text.facts import numbers, words
from veridic.text.sentences import leans_back, sentences
from veridic_lab.evaluation.answers import holds_alias
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.training.pairs import fraction_of

SCRIPTED = "scripted"
DECLINED = "I don't know."
LEAD = "According to the text, "
"""Before every statement, so that none stands in the evidence word for word."""
SHORTEST, LONGEST = 5, 35
"""Words of a statement taken from a passage."""

_COMMON_FIRST = re.compile(r"(?:the|a|an|in|on|at|by|from|he|she|it|its|his|her|they|their|this|these|there)\b", re.I)

_ARTICLE_FIRST = re.compile(r"^(?:the|an?) ", re.IGNORECASE)
_ARTICLE_LAST = re.compile(r"\b(?:the|an?) $", re.IGNORECASE)

Planted = Literal["", "entity", "decision", "unfounded", "foreign"]
"""A falsehood's making: the answer became another question's; yes became no; a truth whose passage was taken away;
a truth about something else. Empty: none."""


@dataclass(frozen=True)
class Line:
    """What the writer says to one question."""

    text: str
    planted: Planted


def share_of(model: str) -> float | None:
    """The share of falsehoods in `scripted:SHARE`; None for other models. Raises `UsageError`."""
    name, _, share = model.partition(":")
    if name != SCRIPTED:
        return None
    try:
        value = float(share or "0")
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise UsageError(f"{model!r} names no share of falsehoods.", "Write scripted:0.3 for three in ten.")
    return value


class ScriptedWriter:
    """A chat model with its lines learned by heart; `turn` says whose line is next.

    It passes for one that follows instructions, or it would not be asked where reading is enough. Where no answer from
    passages is wanted (queries, claims) it says nothing, and the rules do that work.
    """

    follows_instructions = True
    reflects = False

    def __init__(self, lines: Mapping[str, Line], share: float) -> None:
        """`lines` by question id."""
        self.name = f"{SCRIPTED}:{share:g}"
        self.lines = lines
        self._next = Line(DECLINED, "")

    def turn(self, question: GoldQuestion) -> None:
        """The next replies are to this question."""
        self._next = self.lines.get(question.id, Line(DECLINED, ""))

    def prepare(self, progress: Callable[[int, int], None] = lambda _done, _total: None) -> None:
        """Nothing is needed."""

    def write(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,  # noqa: ARG002 - the protocol's
        temperature: float,  # noqa: ARG002
        seed: int,  # noqa: ARG002
        deadline: float,  # noqa: ARG002
        on_token: Callable[[str], None] = lambda _: None,
        schema: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> Reply:
        """The line, whole."""
        text = self._next.text if "<passages>" in prompt.user else ""
        on_token(text)
        return Reply(text, len(prompt.user.split()), len(text.split()), finished=True)


def script(questions: Sequence[GoldQuestion], texts: Mapping[str, str], *, share: float, seed: int) -> dict[str, Line]:
    """A line for each question id; `texts` are the passages by address, those taken away too."""
    told = {one.id: _statement(one, texts) for one in questions}
    known = [one for one in questions if one.answers]
    return {one.id: _line(one, told, known, planted=_drawn(seed, one) < share) for one in questions}


def _drawn(seed: int, question: GoldQuestion) -> float:
    return fraction_of(f"{seed}:planted:{question.id}")


def _line(question: GoldQuestion, told: Mapping[str, str], known: Sequence[GoldQuestion], *, planted: bool) -> Line:
    truth = told[question.id]
    if not planted:
        return Line(_led(truth) if question.answerable and truth else DECLINED, "")
    if question.missing == "removed" and truth:
        return Line(_led(truth), "unfounded")
    others = [one for one in known if one.id != question.id and one.group != question.group and told[one.id]]
    if question.answerable and question.kind == "yes/no":
        other = "No" if question.answers[0].lower() == "yes" else "Yes"
        return Line(_led(f"{other}. {truth.partition('. ')[2]}".strip()), "decision")
    if question.answerable and question.kind == "short" and others:
        return Line(_led(_swapped(question, truth, others)), "entity")
    foreign = min(others, key=lambda one: fraction_of(f"{question.id}:{one.id}"), default=None)
    return Line(_led(told[foreign.id]), "foreign") if foreign else Line(DECLINED, "")


def _led(statement: str) -> str:
    """A decision stays in front, where it is read; all else gets the lead, a common first word in lower case."""
    if statement.startswith(("Yes.", "No.", "Maybe.")):
        return statement
    return LEAD + (statement[0].lower() + statement[1:] if _COMMON_FIRST.match(statement) else statement)


def _statement(question: GoldQuestion, texts: Mapping[str, str]) -> str:
    """The gold passages' sentence that answers, best one that stands alone; else the bare answer; empty without one."""
    if not question.answers:
        return ""
    said = [s.text for passage in question.gold for s in sentences(texts.get(passage, ""))]
    fitting = [text for text in said if SHORTEST <= len(text.split()) <= LONGEST]
    short = sorted(fitting, key=leans_back)
    if question.kind == "yes/no":
        asked = set(words(question.text))
        nearest = max(short, key=lambda text: len(asked & set(words(text))), default="")
        return f"{question.answers[0].capitalize()}. {nearest}".strip()
    if question.kind == "long":
        return question.answers[0]
    holding = [text for text in short if holds_alias(text, question.answers)]
    return holding[0] if holding else f"The answer is {question.answers[0]}."


def _swapped(question: GoldQuestion, truth: str, others: Sequence[GoldQuestion]) -> str:
    """The statement with another question's answer in the place of its own; one of the same shape."""
    own = next((one for one in question.answers if one.lower() in truth.lower()), "")
    shape = bool(numbers(own))
    fitting = [
        answer
        for one in others
        for answer in one.answers[:1]
        if one.kind == "short" and bool(numbers(answer)) == shape and not holds_alias(truth, [answer])
    ]
    if not own or not fitting:
        return f"The answer is {fitting[0] if fitting else others[0].answers[0]}."
    new = min(fitting, key=lambda text: (abs(len(text.split()) - len(own.split())), fraction_of(question.id + text)))
    at = truth.lower().index(own.lower())
    before = truth[:at]
    new = _ARTICLE_FIRST.sub("", new) if _ARTICLE_LAST.search(before) else new
    return before + new + truth[at + len(own) :]
