"""How what a node or a caller writes into a channel of the state is joined with what is there.

Each raises `InvalidInput` for what cannot be joined: whoever has a thread can write into its state.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages

from veridic.errors import InvalidInput
from veridic.ports import shapes
from veridic.ports.shapes import Discarded, Flagged, Passage

T = TypeVar("T")
WRONG = (AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""What is raised over values of another shape."""

MERGED = frozenset({"findings", "looked_up", "sent", "unavailable", "discarded", "failures", "grades", "flagged"})
"""Channels that are lists of which each node adds items."""


def _of_any(merge: Callable[[T, T], T]) -> Callable[[T, T], T]:
    """The same function, but for what it raises."""

    @wraps(merge)
    def merged(old: T, new: T) -> T:
        """As `merge`, or `InvalidInput`."""
        try:
            return merge(old, new)
        except WRONG as error:
            raise InvalidInput(
                f"What was sent for a channel of the state is of another shape ({_told(error)}).",
                "Send it as the state of the thread shows it, or ask on a new thread.",
            ) from error

    return merged


def _told(error: Exception) -> str:
    """An error's kind and the first line of what it says."""
    return f"{type(error).__name__}: {str(error).partition(chr(10))[0][:200]}"


merge_usage = _of_any(shapes.merge_usage)
merge_grades = _of_any(shapes.merge_grades)


def merge_messages(old: list[AnyMessage], new: list[AnyMessage]) -> list[AnyMessage]:
    """Add messages, or what LangChain takes for messages, each of which has a text."""
    try:
        merged: Any = add_messages(old, new)  # type: ignore[arg-type]
        for message in merged:
            str(message.text)
    except WRONG as error:
        raise InvalidInput(
            f"The messages cannot be read ({_told(error)}).",
            'Send each as {"role": "user", "content": "…"}; one of a tool has a `tool_call_id` too.',
        ) from error
    return list(merged)


@_of_any
def merge_lists(old: list[T], new: list[T]) -> list[T]:
    """Add items."""
    return old + new


@_of_any
def merge_seconds(old: dict[str, float], new: dict[str, float]) -> dict[str, float]:
    """Add seconds by node."""
    return {name: old.get(name, 0.0) + new.get(name, 0.0) for name in [*old, *(new.keys() - old.keys())]}


@_of_any
def merge_findings(old: list[Passage], new: list[Passage]) -> list[Passage]:
    """Add the passages that are not there yet; one that is takes the score that is now known of it."""
    merged = {passage["id"]: passage for passage in old}
    for passage in new:
        if passage["id"] not in merged or passage["score"] is not None:
            merged[passage["id"]] = passage
    return list(merged.values())


@_of_any
def merge_discarded(old: list[Discarded], new: list[Discarded]) -> list[Discarded]:
    """Add the pages that are not listed yet with the same reason."""
    merged = list(old)
    for page in new:
        if page not in merged:
            merged.append(page)
    return merged


@_of_any
def merge_seals(old: dict[str, list[str]], new: dict[str, list[str]]) -> dict[str, list[str]]:
    """The newest seal of each channel; of a merged one those of every item."""
    both = {name: [*old.get(name, []), *seals] if name in MERGED else seals for name, seals in new.items()}
    return {**old, **both}


@_of_any
def merge_flagged(old: list[Flagged], new: list[Flagged]) -> list[Flagged]:
    """Add what is not listed yet; the same passage is looked at whenever it is found."""
    merged = {(one["document_id"], one["part"], one["start"], one["text"]): one for one in [*new, *old]}
    return sorted(merged.values(), key=lambda one: one not in old)
