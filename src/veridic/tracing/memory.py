"""Spans of what is remembered and of what outside says: searched, and written."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from opentelemetry.trace import SpanKind

from veridic.tracing.retrieval import of_each_query, of_records, retrieval
from veridic.tracing.spans import Attributes
from veridic.tracing.watching import Watched, nothing, watching

if TYPE_CHECKING:
    from veridic.ports.memory import DecisionLog, ExperienceStore, GeneratedRecord, KnowledgeBase
    from veridic.ports.shapes import Passage, RecordStatus


def knowledge_base(knowledge: KnowledgeBase, *, text: bool) -> KnowledgeBase:
    """A knowledge base whose searches are spans `retrieval …`, and what changes it spans `write …`."""
    return watching(knowledge, _of_knowledge(text=text))


@cache
def _of_knowledge(*, text: bool) -> Mapping[str, Watched]:
    return {
        "search": retrieval("documents", of_each_query, text=text),
        "opening": retrieval("documents", _as_they_are, text=text),
        "search_outside": retrieval("kept", of_each_query, text=text),
        "recollect": retrieval("records", of_records, text=text),
        "remember": _write("remember", asked=_record),
        "refresh": _write("refresh", answered=_standing),
        "settle": _write("settle", answered=_standing),
        "contest": _write("contest"),
        "keep_outside": _write("keep_outside", asked=_kept),
    }


def experience_store(lessons: ExperienceStore) -> ExperienceStore:
    """A store of lessons, the same; `recall` says how many lessons it gave."""
    fixed = {"gen_ai.operation.name": "retrieval", "gen_ai.data_source.id": "lessons"}
    recall = Watched("retrieval lessons", fixed, answered=lambda found: {"veridic.retrieval.lessons": len(found)})
    return watching(lessons, {"recall": recall, "learn": _write("learn")})


def decision_log(log: DecisionLog) -> DecisionLog:
    """A decision log whose rows are spans `write log`."""
    return watching(log, {"write": _write("log")})


def outside(source: Any, name: str, *, text: bool) -> Any:  # noqa: ANN401 - an `EvidenceSource` of `protocols`, above
    """An outside source whose searches are spans `retrieval NAME`."""
    watched = retrieval(name, lambda found: found.passages, text=text, more=_left, kind=SpanKind.CLIENT)
    return watching(source, {"search": watched})


def _write(
    what: str,
    *,
    asked: Callable[..., Attributes] = nothing,
    answered: Callable[[Any], Attributes] = nothing,
) -> Watched:
    return Watched(f"write {what}", {"veridic.write": what}, asked, answered)


def _as_they_are(found: Sequence[Passage]) -> Sequence[Passage]:
    return found


def _record(record: GeneratedRecord, **_how: object) -> Attributes:
    return _standing(record.status)


def _standing(status: RecordStatus) -> Attributes:
    return {"veridic.write.status": status}


def _kept(passages: Sequence[Passage], **_how: object) -> Attributes:
    return {"veridic.write.passages": len(passages)}


def _left(found: Any) -> Attributes:  # noqa: ANN401 - a `Found` of `protocols`, above
    return {
        "veridic.retrieval.discarded": len(found.discarded),
        "veridic.retrieval.cached": found.cached,
        "veridic.retrieval.complete": found.complete,
    }
