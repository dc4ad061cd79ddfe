"""A chat model as a grader: what it is asked, asked again where its reply cannot be read, and kept on account."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Literal

from veridic.errors import JudgeFailed, ModelError
from veridic.models.chat.grades import Support
from veridic.models.chat.grading_trial import GradingTrial
from veridic.models.onnx_encoder import check_time
from veridic.models.recent import Recent
from veridic.ports.chat import ChatModel, Prompt, Reply
from veridic.ports.shapes import Grade
from veridic.runtime.ledger import Ledger

REMEMBERED = 2048
"""Prompts whose grades are kept: most of what a further attempt finds was graded in the one before."""
QUOTED = 120
"""Characters of a graded text that stand in its grade."""
REPLIED = 200
"""Characters of a reply that stand in its grade."""
WAYS = ((64, 0.0), (512, 0.3))
"""Most tokens and temperature: of one call and, where its reply cannot be read, of one more, with room for thinking."""


@dataclass(frozen=True)
class Asked:
    """One thing to be graded."""

    judge: Literal["relevance", "usefulness", "support"]
    about: str
    """The question, or the sentence."""
    texts: Sequence[str]
    """The passages, of which the sentence may rest on any, or the one text."""
    prompt: Prompt
    schema: Mapping[str, Any]
    read: Callable[[str], Support | None]


@dataclass
class _Told:
    """What came of one thing so far."""

    found: Support | None = None
    reply: str = ""
    calls: int = 0


class Grader:
    """Grades by a chat model; what could be read is known for the rest of the process. Safe in several threads."""

    def __init__(self, chat: ChatModel, trial: GradingTrial | None = None) -> None:
        """Nothing is asked yet; without a trial a model that follows instructions is trusted."""
        self.chat = chat
        self.trial = trial
        self._known = Recent[Prompt, tuple[Support, str]](REMEMBERED)

    @property
    def is_trusted(self) -> bool:
        """Whether what it grades may count: it follows instructions, and did not fail its trial."""
        return self.chat.follows_instructions and not (self.trial and self.trial.failed)

    def grade(self, batch: Sequence[Asked], ledger: Ledger, *, deadline: float) -> list[Support | None]:
        """The grade of each, in order, one call each; None where it could not be read, which is no pass.

        What was asked stands in the ledger, also when this raises: `JudgeFailed` where no grade of the batch could be
        read or the model cannot be used, `BudgetSpent` or `DeadlineExceeded` where the run may ask no more.
        """
        found = {one.prompt: self._found(one, ledger, deadline) for one in {one.prompt: one for one in batch}.values()}
        if batch and not any(found.values()):
            raise JudgeFailed(
                f"No grade of {self.chat.name} could be read.",
                "Name a more capable model with --judge llm:PROVIDER:NAME (VERIDIC_JUDGE), or set none.",
            )
        return [found[one.prompt] for one in batch]

    def _found(self, asked: Asked, ledger: Ledger, deadline: float) -> Support | None:
        check_time(deadline)
        known, began = self._known.known(asked.prompt), perf_counter()
        told = _Told(*known) if known else _Told()
        try:
            if not known:
                self._ask(asked, told, ledger, deadline)
        finally:
            if known or told.calls:
                ledger.grades.append(_grade(asked, told, perf_counter() - began))
        return told.found

    def _ask(self, asked: Asked, told: _Told, ledger: Ledger, deadline: float) -> None:
        for seed, (max_tokens, temperature) in enumerate(WAYS):
            ledger.check()
            reply = self._written(asked, max_tokens, temperature, seed, deadline)
            ledger.charge(reply.usage())
            told.calls += 1
            told.reply = reply.text
            told.found = asked.read(reply.text) if reply.finished else None
            if told.found:
                self._known.keep({asked.prompt: (told.found, reply.text)})
                return
            check_time(deadline)

    def _written(self, asked: Asked, max_tokens: int, temperature: float, seed: int, deadline: float) -> Reply:
        try:
            return self.chat.write(
                asked.prompt,
                max_tokens=max_tokens,
                temperature=temperature,
                seed=seed,
                deadline=deadline,
                schema=asked.schema,
            )
        except ModelError as error:
            raise JudgeFailed(f"The grader cannot be used: {error.problem}", error.mend) from error


def _grade(asked: Asked, told: _Told, seconds: float) -> Grade:
    """A grade as it is logged."""
    passage = told.found.passage if told.found else None
    return Grade(
        judge=asked.judge,
        asked=asked.about,
        graded=" ".join(asked.texts[passage - 1 if passage else 0].split())[:QUOTED],
        grade=told.found.grade if told.found else "unreadable",
        reply=told.reply[:REPLIED],
        calls=told.calls,
        seconds=round(seconds, 4),
    )
