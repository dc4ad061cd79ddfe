"""Models held to what was asked of them, whoever made them: judges to their deadline, chat models to their length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from veridic.errors import MENDED_BY_USER, ModelError
from veridic.ports.chat import Reply
from veridic.ports.file_limits import room
from veridic.ports.shapes import Failure
from veridic.runtime.deadline import within

if TYPE_CHECKING:
    from veridic.ports.chat import ChatModel, Prompt
    from veridic.runtime.ledger import Ledger

J = TypeVar("J")

JUDGING = frozenset({"score", "usefulness", "judge", "read", "orders"})
"""The methods of judges that take texts, or pairs of them, and a deadline."""
CHAT = "chat"
"""The name of the chat model among what failed."""
TRY = "Try it alone: it is to keep to max_tokens and to end each reply with a finish_reason."


class _Punctual:
    """A judge whose answers are waited for until the deadline and no longer."""

    def __init__(self, judge: object) -> None:
        self._judge = judge

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the judge has
        found = getattr(self._judge, name)
        return partial(_in_time, found) if name in JUDGING else found


def punctual(judge: J) -> J:
    """The judge, but that it raises `DeadlineExceeded` at the deadline, be it at work still."""
    return cast("J", _Punctual(judge))


def _in_time(judging: Callable[..., list[Any]], texts: Sequence[Any], *, deadline: float) -> list[Any]:
    if not texts:
        return judging(texts, deadline=deadline)
    return within(deadline, "a judge", lambda: judging(texts, deadline=deadline))


class BoundedChat:
    """A chat model whose replies are cut at their `room`; what was wrong with one is told to the step's account."""

    def __init__(self, chat: ChatModel, ledger: Ledger) -> None:
        self._chat = chat
        self._ledger = ledger

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the model has
        return getattr(self._chat, name)

    def write(self, prompt: Prompt, *, max_tokens: int, **how: Any) -> Reply:  # noqa: ANN401 - see `ChatModel`
        """See `ChatModel`."""
        reply: Reply = self._chat.write(prompt, max_tokens=max_tokens, **how)
        if len(reply.text) > room(max_tokens):
            cut = overrun(self.name, max_tokens)
            reply = replace(reply, text=reply.text[: room(max_tokens)], finished=False, problem=cut, mend="")
        if reply.problem:
            self._tell(reply.problem, reply.mend or TRY)
        return reply

    def attempt(self, prompt: Prompt, *, max_tokens: int, **how: Any) -> Reply:  # noqa: ANN401 - as `write`
        """As `write`, for a step that has another way: of a model that fails an empty reply, and its failure is told.

        Raises what only the user can mend.
        """
        try:
            return self.write(prompt, max_tokens=max_tokens, **how)
        except MENDED_BY_USER:
            raise
        except ModelError as error:
            self._tell(error.problem, error.mend)
            return Reply("", 0, 0, finished=False, problem=error.problem)

    def _tell(self, problem: str, mend: str) -> None:
        told = Failure(node=CHAT, problem=problem, mend=mend)
        if told not in self._ledger.problems:
            self._ledger.problems.append(told)


def overrun(name: str, max_tokens: int) -> str:
    """What is told of a reply that had to be cut."""
    return f"{name} sent far more than the {max_tokens:,} tokens it was asked for."
