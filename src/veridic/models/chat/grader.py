"""A chat model as a grader: what it is asked, asked again where its reply cannot be read, and kept on account."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
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


@dataclass(frozen=True)
class Way:
    """How a grade is asked for."""

    max_tokens: int
    temperature: float


WAYS = (Way(64, 0.0), Way(512, 0.3))
"""One call and, where its reply cannot be read, one more: warmer, and with room for a model that thinks."""


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
class _Asking:
    """One thing being graded, and what came of it so far."""

    asked: Asked
    found: Support | None = None
    reply: str = ""
    calls: int = 0
    began: float = field(default_factory=perf_counter)

    def grade(self) -> Grade:
        """As it is logged."""
        passage = self.found.passage if self.found else None
        text = self.asked.texts[passage - 1 if passage else 0]
        return Grade(
            judge=self.asked.judge,
            asked=self.asked.about,
            graded=" ".join(text.split())[:QUOTED],
            grade=self.found.grade if self.found else "unreadable",
            reply=self.reply[:REPLIED],
            calls=self.calls,
            seconds=round(perf_counter() - self.began, 4),
        )


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
        asking = _Asking(asked)
        if known := self._known.known(asked.prompt):
            asking.found, asking.reply = known
        try:
            if not known:
                self._ask(asking, ledger, deadline)
        finally:
            if known or asking.calls:
                ledger.grades.append(asking.grade())
        return asking.found

    def _ask(self, asking: _Asking, ledger: Ledger, deadline: float) -> None:
        for seed, way in enumerate(WAYS):
            ledger.check()
            reply = self._written(asking.asked, way, seed, deadline)
            ledger.charge(reply.usage())
            asking.calls += 1
            asking.reply = reply.text
            if reply.finished and (found := asking.asked.read(reply.text)):
                asking.found = found
                self._known.keep({asking.asked.prompt: (found, reply.text)})
                return
            check_time(deadline)

    def _written(self, asked: Asked, way: Way, seed: int, deadline: float) -> Reply:
        try:
            return self.chat.write(
                asked.prompt,
                max_tokens=way.max_tokens,
                temperature=way.temperature,
                seed=seed,
                deadline=deadline,
                schema=asked.schema,
            )
        except ModelError as error:
            raise JudgeFailed(f"The grader cannot be used: {error.problem}", error.mend) from error
