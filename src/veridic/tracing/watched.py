"""What nodes ask of the world, with spans around the calls: chat models, judges, what is remembered, what is outside.

A span tells how much was asked and found; texts stand in it only with `text`, in the JSON that OpenTelemetry's
conventions for generative AI give them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from opentelemetry.trace import SpanKind

from veridic.tracing.spans import Attributes, span, tell

if TYPE_CHECKING:
    from veridic.ports.chat import ChatModel, Prompt, Reply
    from veridic.ports.memory import DecisionLog, ExperienceStore, KnowledgeBase
    from veridic.ports.shapes import Passage

C = TypeVar("C")
"""Whatever a protocol describes."""
Call = Callable[..., Any]
REQUESTED = {"max_tokens": "gen_ai.request.max_tokens", "temperature": "gen_ai.request.temperature"}
BEST: Mapping[str, Callable[[Any], float]] = {
    "score": lambda verdict: verdict.probability,
    "usefulness": float,
    "judge": lambda verdict: verdict.entailment,
    "orders": float,
}
"""By the judge's method, what it says of one pair or text: that it helps, that it answers, that it follows, that it
gives orders."""
OURS = ("documents", "kept", "records")
"""Places that are searched on this machine."""
SETTLING = ("refresh", "settle")
"""Writes that return the status of a record."""


class _Watching:
    """A collaborator, some of whose methods are called within a span."""

    def __init__(self, collaborator: object, methods: Mapping[str, Call]) -> None:
        self._collaborator = collaborator
        self._methods = methods

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the collaborator has
        found = getattr(self._collaborator, name)
        return partial(self._methods[name], found) if name in self._methods else found


def _watching(collaborator: C, methods: Mapping[str, Call]) -> C:
    """The collaborator, but that each of these methods is handed to the function of its name, which calls it."""
    return cast("C", _Watching(collaborator, methods))


def message(role: str, text: str, **more: str) -> str:
    """A list of one message."""
    return _json([{"role": role, "parts": [{"type": "text", "content": text}], **more}])


def _json(content: object) -> str:
    return json.dumps(content, ensure_ascii=False)


def chat_model(chat: ChatModel, *, text: bool) -> ChatModel:
    """A chat model whose calls are spans `chat NAME`, with their tokens; with `text` prompt and reply too."""
    provider, _, named = chat.name.partition(":")
    model = named or provider

    def write(call: Call, prompt: Prompt, **how: Any) -> Reply:  # noqa: ANN401 - as `ChatModel.write`
        """The reply, told by a span."""
        asked: dict[str, Any] = {"gen_ai.operation.name": "chat", "gen_ai.provider.name": provider}
        asked["gen_ai.request.model"] = model
        asked |= {name: how[given] for given, name in REQUESTED.items() if given in how}
        if text:
            asked["gen_ai.system_instructions"] = _json([{"type": "text", "content": prompt.system}])
            asked["gen_ai.input.messages"] = message("user", prompt.user)
        with span(f"chat {model}", asked, kind=SpanKind.CLIENT) as opened:
            reply: Reply = call(prompt, **how)
            tell(opened, lambda: _replied(reply, text=text))
            return reply

    return _watching(chat, {"write": write})


def _replied(reply: Reply, *, text: bool) -> Attributes:
    reason = "stop" if reply.finished else "length"
    said = {"gen_ai.output.messages": message("assistant", reply.text, finish_reason=reason)} if text else {}
    return {
        "gen_ai.usage.input_tokens": reply.prompt_tokens,
        "gen_ai.usage.output_tokens": reply.completion_tokens,
        "gen_ai.response.finish_reasons": [reason],
        **said,
    }


def judge(one: C, name: str) -> C:
    """A judge whose batches are spans `judge NAME`: how many pairs or texts, and the largest probability given."""
    return _watching(one, {method: partial(_judged, name, method) for method in (*BEST, "read")})


def _judged(name: str, method: str, call: Call, given: Sequence[Any], **how: Any) -> Any:  # noqa: ANN401 - the judge's
    asked: dict[str, Any] = {"veridic.judge": name, "veridic.judge.method": method, "veridic.judge.pairs": len(given)}
    with span(f"judge {name}", asked) as opened:
        found = call(given, **how)
        tell(opened, lambda: _judgements(method, found))
        return found


def _judgements(method: str, found: Sequence[Any]) -> Attributes:
    if method == "read":
        return {"veridic.judge.answers": sum(bool(one.spans) for one in found)}
    return {"veridic.judge.best": max(map(BEST[method], found))} if found else {}


def knowledge_base(knowledge: KnowledgeBase, *, text: bool) -> KnowledgeBase:
    """A knowledge base whose searches are spans `retrieval …`, and what changes it spans `write …`."""
    searches = {
        "search": partial(_searched, "documents", _of_queries, text),
        "opening": partial(_searched, "documents", list, text),
        "search_outside": partial(_searched, "kept", _of_queries, text),
        "recollect": partial(_searched, "records", _of_records, text),
    }
    writes = ("remember", *SETTLING, "contest", "keep_outside")
    return _watching(knowledge, {**searches, **{what: partial(_written, what) for what in writes}})


def experience_store(lessons: ExperienceStore) -> ExperienceStore:
    """A store of lessons, the same; `recall` says how many lessons it gave."""
    return _watching(lessons, {"recall": _recalled, "learn": partial(_written, "learn")})


def decision_log(log: DecisionLog) -> DecisionLog:
    """A decision log whose rows are spans `write log`."""
    return _watching(log, {"write": partial(_written, "log")})


def outside(source: Any, name: str, *, text: bool) -> Any:  # noqa: ANN401 - an `EvidenceSource` of `ports`
    """An outside source whose searches are spans `retrieval NAME`."""
    return _watching(source, {"search": partial(_searched, name, lambda found: found.passages, text)})


def _of_queries(found: Sequence[Sequence[Passage]]) -> list[Passage]:
    return [passage for passages in found for passage in passages]


def _of_records(found: Sequence[Any]) -> list[Passage]:
    return [passage for record in found for passage in record.passages]


def _recalled(call: Call, question: str, **how: Any) -> Any:  # noqa: ANN401 - the store's
    with span("retrieval lessons", _retrieval("lessons")) as opened:
        found = call(question, **how)
        tell(opened, lambda: {"veridic.retrieval.lessons": len(found)})
        return found


def _written(what: str, call: Call, *given: Any, **how: Any) -> Any:  # noqa: ANN401 - the method's own
    """What a write returns, told with the status that a record has or gets, or how many passages are kept."""
    asked: dict[str, Any] = {"veridic.write": what}
    if what == "remember":
        asked["veridic.write.status"] = given[0].status
    if what == "keep_outside":
        asked["veridic.write.passages"] = len(given[0])
    with span(f"write {what}", asked) as opened:
        answer = call(*given, **how)
        if what in SETTLING:
            tell(opened, lambda: {"veridic.write.status": answer})
        return answer


def _retrieval(place: str) -> dict[str, Any]:
    return {"gen_ai.operation.name": "retrieval", "gen_ai.data_source.id": place}


def _searched(
    place: str,
    passages_in: Callable[[Any], Sequence[Passage]],
    text: bool,
    call: Call,
    query: str | Sequence[str],
    **how: Any,  # noqa: ANN401 - the search's own
) -> Any:  # noqa: ANN401
    """What a search of a place returns; of an outside one it is told too whether it came whole, and from where."""
    each = [query] if isinstance(query, str) else query
    asked = {**_retrieval(place), "veridic.retrieval.queries": len(each)}
    if "limit" in how:
        asked["veridic.retrieval.limit"] = how["limit"]
    if text:
        asked["gen_ai.retrieval.query.text"] = "\n".join(each)
    kind = SpanKind.INTERNAL if place in OURS else SpanKind.CLIENT
    with span(f"retrieval {place}", asked, kind=kind) as opened:
        answer = call(query, **how)
        tell(opened, lambda: _found(answer, passages_in(answer), text=text))
        return answer


def _found(answer: Any, passages: Sequence[Passage], *, text: bool) -> Attributes:  # noqa: ANN401 - the search's own
    told: dict[str, Any] = {"veridic.retrieval.passages": len(passages)}
    if hasattr(answer, "discarded"):
        told["veridic.retrieval.discarded"] = len(answer.discarded)
        told |= {f"veridic.retrieval.{what}": getattr(answer, what) for what in ("cached", "complete")}
    if text:
        texts = [{"id": one["id"], "document": one["document_id"], "content": one["text"]} for one in passages]
        told["gen_ai.retrieval.documents"] = _json(texts)
    return told
