"""A chat model as a grader: what it is asked, asked again where its reply cannot be read, and kept on account."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

from veridic.errors import JudgeFailed, ModelError
from veridic.models.chat.sheets import Asked, Sheet, Support, in_calls, read_grades, sheet_of
from veridic.models.onnx_encoder import check_time
from veridic.ports.chat import ChatModel, Reply
from veridic.ports.shapes import Grade
from veridic.runtime.kept import Recent
from veridic.runtime.ledger import Ledger

REMEMBERED = 2048
"""Things whose grades are kept: most of what a further attempt finds was graded in the one before."""
QUOTED = 120
"""Characters of a graded text that stand in its grade."""
REPLIED = 200
"""Characters of a reply that stand in its grade."""
GRADE_TOKENS = 32
"""Most tokens of one grade in a reply."""
WAYS = ((64, 0.0), (512, 0.3))
"""Tokens beside the grades, and temperature: of one call and, for what of its reply cannot be read, of one more, with
room for thinking."""


@dataclass
class _Told:
    """What came of one thing so far."""

    found: Support | None = None
    reply: str | None = None
    """None: it was not asked about."""
    calls: int = 0
    seconds: float = 0.0


class Grader:
    """Grades by a chat model; what could be read is known for the rest of the process. Safe in several threads."""

    def __init__(self, chat: ChatModel, *, passed: bool = True, once: bool = False, examples: str = "") -> None:
        """Nothing is asked yet.

        `passed` is whether its trial, if it needs one, was held and passed. With `once` a batch is one call, and what
        does not fit into it or cannot be read stays ungraded. `examples` of graded passages are shown before others.
        """
        self.chat = chat
        self.examples = examples
        self._passed = passed
        self._once = once
        self._known = Recent[Asked, tuple[Support, str]](REMEMBERED)

    @property
    def is_trusted(self) -> bool:
        """Whether what it grades may count: it passed, and follows instructions."""
        return self._passed and self.chat.follows_instructions

    def grade(self, batch: Sequence[Asked], ledger: Ledger, *, deadline: float) -> list[Support | None]:
        """The grade of each, in order, eight a call; None where it could not be read, which is no pass.

        What was asked stands in the ledger, also when this raises: `JudgeFailed` where no grade of the batch could be
        read or the model cannot be used, `BudgetSpent` or `DeadlineExceeded` where the run may ask no more.
        """
        if batch:
            check_time(deadline)
        told = {one: _Told(*(self._known.known(one) or ())) for one in batch}
        calls = in_calls([one for one, own in told.items() if not own.found])
        try:
            for asked in calls[:1] if self._once else calls:
                self._ask(asked, told, ledger, deadline)
        finally:
            ledger.grades += [_grade(one, own) for one, own in told.items() if own.reply is not None]
        if batch and not any(own.found for own in told.values()):
            raise JudgeFailed(
                f"No grade of {self.chat.name} could be read.",
                "Name a more capable model with --judge llm:PROVIDER:NAME (VERIDIC_JUDGE), or set none.",
            )
        return [told[one].found for one in batch]

    def _ask(self, asked: Sequence[Asked], told: Mapping[Asked, _Told], ledger: Ledger, deadline: float) -> None:
        check_time(deadline)
        left = list(asked)
        for seed, (beside, temperature) in enumerate(WAYS[:1] if self._once else WAYS):
            ledger.check()
            sheet, began = sheet_of(left, self.examples), perf_counter()
            reply = self._written(sheet, beside + GRADE_TOKENS * len(left), temperature, seed, deadline)
            ledger.charge(reply.usage())
            found = read_grades(reply.text, sheet.resting) if reply.finished else [None] * len(left)
            share = (perf_counter() - began) / len(left)
            told[left[0]].calls += 1
            for one, support in zip(left, found, strict=True):
                told[one].found, told[one].reply = support, reply.text
                told[one].seconds += share
            self._known.keep({one: (own, reply.text) for one, own in zip(left, found, strict=True) if own})
            left = [one for one in left if not told[one].found]
            if not left:
                return
            check_time(deadline)

    def _written(self, sheet: Sheet, max_tokens: int, temperature: float, seed: int, deadline: float) -> Reply:
        try:
            return self.chat.write(
                sheet.prompt,
                max_tokens=max_tokens,
                temperature=temperature,
                seed=seed,
                deadline=deadline,
                schema=sheet.schema,
            )
        except ModelError as error:
            raise JudgeFailed(f"The grader cannot be used: {error.problem}", error.mend) from error


def _grade(asked: Asked, told: _Told) -> Grade:
    """A grade as it is logged."""
    passage = told.found.passage if told.found else None
    return Grade(
        judge=asked.judge,
        asked=asked.about,
        graded=" ".join(asked.texts[passage - 1 if passage else 0].split())[:QUOTED],
        grade=told.found.grade if told.found else "unreadable",
        reply=(told.reply or "")[:REPLIED],
        calls=told.calls,
        seconds=round(told.seconds, 4),
    )
