"""What nodes ask of the world, with spans around the calls: chat models, judges, what is remembered, what is outside.

A span tells how much was asked and found; texts stand in it only with `text`, in the JSON that OpenTelemetry's
conventions for generative AI give them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from opentelemetry.trace import SpanKind

from veridic.tracing.spans import Attributes, span, tell

if TYPE_CHECKING:
    from veridic.ports.chat import ChatModel, Prompt, Reply
    from veridic.ports.memory import DecisionLog, ExperienceStore, KnowledgeBase
    from veridic.ports.shapes import Passage

C = TypeVar("C")
"""Whatever a protocol describes."""
REQUESTED = {"max_tokens": "gen_ai.request.max_tokens", "temperature": "gen_ai.request.temperature"}
PROBABILITY: Mapping[str, Callable[[Any], float]] = {
    "score": lambda verdict: verdict.probability,
    "usefulness": float,
    "judge": lambda verdict: verdict.entailment,
    "orders": float,
}
"""By the judge's method, what it says of one pair or text: that it helps, that it answers, that it follows, that it
gives orders."""


def nothing(*_asked: object, **_how: object) -> Attributes:
    """No attributes."""
    return {}


@dataclass(frozen=True)
class Watched:
    """How the calls of one method are told."""

    name: str
    """The span's: low in cardinality, without anything that was asked."""
    fixed: Attributes
    asked: Callable[..., Attributes] = nothing
    """Of the call's arguments; made only where a span is recorded."""
    answered: Callable[[Any], Attributes] = nothing
    """Of what the call returned."""
    kind: SpanKind = SpanKind.INTERNAL


class _Watching:
    def __init__(self, collaborator: object, methods: Mapping[str, Watched]) -> None:
        self._collaborator = collaborator
        self._methods = methods

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the collaborator has
        found = getattr(self._collaborator, name)
        watched = self._methods.get(name)
        return partial(_told, found, watched) if watched else found


def _watching(collaborator: C, methods: Mapping[str, Watched]) -> C:
    """The collaborator, but that each call of these methods is a span."""
    return cast("C", _Watching(collaborator, methods))


def _told(call: Callable[..., Any], watched: Watched, *asked: Any, **how: Any) -> Any:  # noqa: ANN401 - the method's own
    with span(watched.name, watched.fixed, kind=watched.kind) as opened:
        tell(opened, lambda: watched.asked(*asked, **how))
        answer = call(*asked, **how)
        tell(opened, lambda: watched.answered(answer))
        return answer


def message(role: str, text: str, **more: str) -> str:
    """A list of one message."""
    return _json([{"role": role, "parts": [{"type": "text", "content": text}], **more}])


def _json(content: object) -> str:
    return json.dumps(content, ensure_ascii=False)


def chat_model(chat: ChatModel, *, text: bool) -> ChatModel:
    """A chat model whose calls are spans `chat NAME`, with their tokens; with `text` prompt and reply too."""
    provider, _, named = chat.name.partition(":")
    model = named or provider
    fixed = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": provider, "gen_ai.request.model": model}

    def asked(prompt: Prompt, **how: Any) -> Attributes:  # noqa: ANN401 - as `ChatModel.write`
        told = {name: how[given] for given, name in REQUESTED.items() if given in how}
        if text:
            told["gen_ai.system_instructions"] = _json([{"type": "text", "content": prompt.system}])
            told["gen_ai.input.messages"] = message("user", prompt.user)
        return told

    def answered(reply: Reply) -> Attributes:
        reason = "stop" if reply.finished else "length"
        said = {"gen_ai.output.messages": message("assistant", reply.text, finish_reason=reason)} if text else {}
        return {
            "gen_ai.usage.input_tokens": reply.prompt_tokens,
            "gen_ai.usage.output_tokens": reply.completion_tokens,
            "gen_ai.response.finish_reasons": [reason],
            **said,
        }

    return _watching(chat, {"write": Watched(f"chat {model}", fixed, asked, answered, SpanKind.CLIENT)})


def judge(one: C, name: str) -> C:
    """A judge whose batches are spans `judge NAME`: how many pairs or texts, and the largest probability given."""
    return _watching(one, _of_judge(name))


@cache
def _of_judge(name: str) -> Mapping[str, Watched]:
    answered: dict[str, Callable[[Any], Attributes]] = {
        method: partial(_best, probability) for method, probability in PROBABILITY.items()
    }
    answered["read"] = lambda found: {"veridic.judge.answers": sum(bool(one.spans) for one in found)}
    return {
        method: Watched(
            f"judge {name}", {"veridic.judge": name, "veridic.judge.method": method}, _counted("judge.pairs"), told
        )
        for method, told in answered.items()
    }


def _best(probability: Callable[[Any], float], verdicts: Sequence[Any]) -> Attributes:
    return {"veridic.judge.best": max(map(probability, verdicts))} if verdicts else {}


def _counted(what: str) -> Callable[..., Attributes]:
    return lambda given, **_how: {f"veridic.{what}": len(given)}


def knowledge_base(knowledge: KnowledgeBase, *, text: bool) -> KnowledgeBase:
    """A knowledge base whose searches are spans `retrieval …`, and what changes it spans `write …`."""
    return _watching(knowledge, _of_knowledge(text=text))


@cache
def _of_knowledge(*, text: bool) -> Mapping[str, Watched]:
    def of_queries(found: Sequence[Sequence[Passage]]) -> Sequence[Passage]:
        return [passage for passages in found for passage in passages]

    def of_records(found: Sequence[Any]) -> Sequence[Passage]:
        return [passage for record in found for passage in record.passages]

    return {
        "search": _retrieval("documents", of_queries, text=text),
        "opening": _retrieval("documents", lambda found: found, text=text),
        "search_outside": _retrieval("kept", of_queries, text=text),
        "recollect": _retrieval("records", of_records, text=text),
        "remember": _write("remember", asked=lambda record, **_: {"veridic.write.status": record.status}),
        "refresh": _write("refresh", answered=_standing),
        "settle": _write("settle", answered=_standing),
        "contest": _write("contest"),
        "keep_outside": _write("keep_outside", asked=_counted("write.passages")),
    }


def experience_store(lessons: ExperienceStore) -> ExperienceStore:
    """A store of lessons, the same; `recall` says how many lessons it gave."""
    fixed = {"gen_ai.operation.name": "retrieval", "gen_ai.data_source.id": "lessons"}
    recall = Watched("retrieval lessons", fixed, answered=_counted("retrieval.lessons"))
    return _watching(lessons, {"recall": recall, "learn": _write("learn")})


def decision_log(log: DecisionLog) -> DecisionLog:
    """A decision log whose rows are spans `write log`."""
    return _watching(log, {"write": _write("log")})


def outside(source: Any, name: str, *, text: bool) -> Any:  # noqa: ANN401 - an `EvidenceSource` of `protocols`, above
    """An outside source whose searches are spans `retrieval NAME`."""

    def more(found: Any) -> Attributes:  # noqa: ANN401 - a `Found` of `protocols`, above
        told = {"discarded": len(found.discarded), "cached": found.cached, "complete": found.complete}
        return {f"veridic.retrieval.{what}": value for what, value in told.items()}

    search = _retrieval(name, lambda found: found.passages, text=text, more=more, kind=SpanKind.CLIENT)
    return _watching(source, {"search": search})


def _write(
    what: str, *, asked: Callable[..., Attributes] = nothing, answered: Callable[[Any], Attributes] = nothing
) -> Watched:
    return Watched(f"write {what}", {"veridic.write": what}, asked, answered)


def _standing(status: str) -> Attributes:
    return {"veridic.write.status": status}


def _retrieval(
    place: str,
    found: Callable[[Any], Sequence[Passage]],
    *,
    text: bool,
    more: Callable[[Any], Attributes] = nothing,
    kind: SpanKind = SpanKind.INTERNAL,
) -> Watched:
    """Calls that search a place: a span `retrieval PLACE`; `found` are the passages in what they return."""

    def asked(query: str | Sequence[str], **how: Any) -> Attributes:  # noqa: ANN401 - the search's own
        each = [query] if isinstance(query, str) else query
        told: dict[str, Any] = {"veridic.retrieval.queries": len(each)}
        if "limit" in how:
            told["veridic.retrieval.limit"] = how["limit"]
        return {**told, "gen_ai.retrieval.query.text": "\n".join(each)} if text else told

    def answered(answer: Any) -> Attributes:  # noqa: ANN401 - the search's own
        passages = found(answer)
        told = {"veridic.retrieval.passages": len(passages), **more(answer)}
        texts = [{"id": one["id"], "document": one["document_id"], "content": one["text"]} for one in passages]
        return {**told, "gen_ai.retrieval.documents": _json(texts)} if text else told

    fixed = {"gen_ai.operation.name": "retrieval", "gen_ai.data_source.id": place}
    return Watched(f"retrieval {place}", fixed, asked, answered, kind)
