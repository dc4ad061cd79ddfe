"""What a node asks of the world, with all that holds of each call.

A call stands in a span, which tells how much was asked and found, and no text. A judge is waited for until its deadline
and no longer, whoever made it; a chat model's reply is cut at its `room`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar, cast

from opentelemetry.trace import SpanKind

from veridic.errors import MENDED_BY_USER, ModelError
from veridic.ports.chat import ChatModel, Prompt, Reply
from veridic.ports.file_limits import room
from veridic.ports.memory import KnowledgeBase
from veridic.ports.reflection import ReflectionFilter
from veridic.ports.shapes import Failure, Passage
from veridic.runtime.deadline import within
from veridic.runtime.ledger import Ledger
from veridic.tracing.spans import BEST, asked_of_chat, found_in, judged, replied, span, tell

C = TypeVar("C")
"""Whatever a protocol describes."""
Call = Callable[..., Any]

CHAT = "chat"
"""The name of the chat model among what failed."""
TRY = "Try it alone: it is to keep to max_tokens and to end each reply with a finish_reason."
SEARCHES = {"search": "documents", "opening": "documents", "search_outside": "kept", "recollect": "records"}
"""By the knowledge base's method, where it searches; on this machine."""


class _Asked:
    """A collaborator, some of whose methods are called by the function of their name, which is handed the method."""

    def __init__(self, collaborator: object, ways: Mapping[str, Call]) -> None:
        self._collaborator = collaborator
        self._ways = ways

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the collaborator has
        found = getattr(self._collaborator, name)
        return partial(self._ways[name], found) if name in self._ways else found


def judge(one: C, name: str) -> C:
    """A judge that keeps to its deadline, raising `DeadlineExceeded`; its batches are spans `judge NAME`."""
    return cast("C", _Asked(one, {method: partial(_judged, name, method) for method in (*BEST, "read")}))


def _judged(name: str, method: str, call: Call, given: Sequence[Any], *, deadline: float) -> Any:  # noqa: ANN401 - the judge's
    about: dict[str, Any] = {"veridic.judge": name, "veridic.judge.method": method, "veridic.judge.pairs": len(given)}
    judging = partial(call, given, deadline=deadline)
    with span(f"judge {name}", about) as opened:
        found = within(deadline, "a judge", judging) if given else judging()
        tell(opened, lambda: judged(method, found))
        return found


def knowledge_base(known: KnowledgeBase, clean: Callable[[Any, float], Any]) -> KnowledgeBase:
    """A knowledge base whose searches are spans `retrieval …` and come clean."""
    searches = {method: partial(searched, place, clean) for method, place in SEARCHES.items()}
    return cast("KnowledgeBase", _Asked(known, searches))


def searched(
    place: str,
    clean: Callable[[Any, float], Any],
    call: Call,
    query: str | Sequence[str],
    **how: Any,  # noqa: ANN401 - the search's own
) -> Any:  # noqa: ANN401
    """What a search of a place returns, cleaned."""
    kind = SpanKind.INTERNAL if place in SEARCHES.values() else SpanKind.CLIENT
    asked: dict[str, Any] = {"gen_ai.operation.name": "retrieval", "gen_ai.data_source.id": place}
    asked["veridic.retrieval.queries"] = 1 if isinstance(query, str) else len(query)
    if "limit" in how:
        asked["veridic.retrieval.limit"] = how["limit"]
    with span(f"retrieval {place}", asked, kind=kind) as opened:
        answer = clean(call(query, **how), how["deadline"])
        tell(opened, lambda: found_in(answer, passages_in(answer)))
        return answer


def passages_in(found: Any) -> list[Passage]:  # noqa: ANN401 - passages, lists of them, or what holds them
    """The passages of what a search gave, in order."""
    if isinstance(found, list):
        return [passage for one in found for passage in passages_in(one)]
    return [cast("Passage", found)] if isinstance(found, dict) else list(found.passages)


def with_passages(found: C, others: Iterator[Passage]) -> C:
    """What a search gave, with the next of the others in the place of each passage."""
    if isinstance(found, list):
        return cast("C", [with_passages(one, others) for one in found])
    if isinstance(found, dict):
        return cast("C", next(others))
    held: Any = found
    return cast("C", replace(held, passages=[next(others) for _ in held.passages]))


class AskedChat:
    """A chat model whose calls are spans `chat NAME`; what was wrong with a reply is told to the step's account.

    No reflection token leaves it: here alone a piece of a reply is told while it comes.
    """

    def __init__(self, chat: ChatModel, ledger: Ledger) -> None:
        self._chat = chat
        self._ledger = ledger

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the model has
        return getattr(self._chat, name)

    def write(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,
        probabilities: bool = False,
        on_token: Callable[[str], None] | None = None,
        **how: Any,  # noqa: ANN401 - see `ChatModel`
    ) -> Reply:
        """See `ChatModel`; `probabilities` are asked for of a model that can tell them."""
        shown = ReflectionFilter()

        def tell_visible(piece: str) -> None:
            if on_token and piece:
                on_token(piece)

        if on_token:
            how["on_token"] = lambda piece: tell_visible(shown.feed(piece))
        if probabilities and getattr(self._chat, "tells_probabilities", False):
            how["probabilities"] = True
        about = asked_of_chat(self.name, {**how, "max_tokens": max_tokens})
        with span(f"chat {about['gen_ai.request.model']}", about, kind=SpanKind.CLIENT) as opened:
            reply: Reply = self._chat.write(prompt, max_tokens=max_tokens, **how)
            tell(opened, lambda: replied(reply))
        tell_visible(shown.close())
        if len(reply.text) > room(max_tokens):
            cut = overrun(self.name, max_tokens)
            reply = replace(reply, text=reply.text[: room(max_tokens)], finished=False, problem=cut, mend="")
        if reply.problem:
            self._ledger.tell(Failure(node=CHAT, problem=reply.problem, mend=reply.mend or TRY))
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
            self._ledger.tell(Failure(node=CHAT, problem=error.problem, mend=error.mend))
            return Reply("", 0, 0, finished=False, problem=error.problem)


def overrun(name: str, max_tokens: int) -> str:
    """What is told of a reply that had to be cut."""
    return f"{name} sent far more than the {max_tokens:,} tokens it was asked for."
