"""Spans of what is searched: the knowledge base, lessons, and sources outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from opentelemetry.trace import SpanKind

from veridic.tracing import texts
from veridic.tracing.spans import Attributes
from veridic.tracing.watching import Watched

if TYPE_CHECKING:
    from veridic.ports.memory import Recollected
    from veridic.ports.shapes import Passage

PASSAGES = "veridic.retrieval.passages"


def retrieval(
    place: str,
    found: Callable[[Any], Sequence[Passage]],
    *,
    text: bool,
    more: Callable[[Any], Attributes] | None = None,
    kind: SpanKind = SpanKind.INTERNAL,
) -> Watched:
    """Calls that search a place: a span `retrieval PLACE`; `found` are the passages in what they return."""

    def asked(query: str | Sequence[str], **how: Any) -> Attributes:  # noqa: ANN401 - the search's own
        each = [query] if isinstance(query, str) else query
        told: dict[str, Any] = {"veridic.retrieval.queries": len(each)}
        if "limit" in how:
            told["veridic.retrieval.limit"] = how["limit"]
        if text:
            told["gen_ai.retrieval.query.text"] = texts.queries(each)
        return told

    def answered(answer: Any) -> Attributes:  # noqa: ANN401
        passages = found(answer)
        told = {PASSAGES: len(passages), **(more(answer) if more else {})}
        return {**told, "gen_ai.retrieval.documents": texts.documents(passages)} if text else told

    fixed = {"gen_ai.operation.name": "retrieval", "gen_ai.data_source.id": place}
    return Watched(f"retrieval {place}", fixed, asked, answered, kind)


def of_each_query(answer: Sequence[Sequence[Passage]]) -> Sequence[Passage]:
    """The passages of a search for several queries."""
    return [passage for passages in answer for passage in passages]


def of_records(answer: Sequence[Recollected]) -> Sequence[Passage]:
    """The passages that records rest on."""
    return [passage for record in answer for passage in record.passages]
