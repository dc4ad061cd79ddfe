"""Questions and texts: answered as a stream of events, or at once."""

import asyncio
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field
from sse_starlette import EventSourceResponse, JSONServerSentEvent, ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from veridic.api.documents import list_documents
from veridic.context import Context
from veridic.errors import DocumentMissing, VeridicError, nearest_of
from veridic.graph.checking import CHECK
from veridic.graph.serving import graph_in
from veridic.resources import own_settings, resources_of
from veridic.server.callers import Caller
from veridic.server.requests import caller_of, seen_by, sent, settings_of, told_error, told_to
from veridic.text.outgoing import for_json

STREAM = "text/event-stream"


class Question(BaseModel):
    """What is asked; with `messages` a conversation that ends with the question, or went before it.

    `context` holds choices of a run. Its `scope` names documents by the ids that `GET /veridic/documents` lists, or by
    the names of their files; where nothing is held at one, the question is refused.
    """

    model_config = ConfigDict(extra="forbid")

    question: str | None = None
    messages: list[dict[str, Any]] = Field(default_factory=list, max_length=200)
    system: str = "veridic"
    context: dict[str, Any] = Field(default_factory=dict)

    def given(self) -> dict[str, Any]:
        """The graph's input."""
        question = {} if self.question is None else {"question": self.question}
        return {**question, **({"messages": self.messages} if self.messages else {})}


class Text(BaseModel):
    """What is checked."""

    model_config = ConfigDict(extra="forbid")

    text: str
    context: dict[str, Any] = Field(default_factory=dict)


async def ask(request: Request) -> Response:
    """POST: the result of a question; to who accepts an event stream the steps too, as they happen."""
    caller, question = await run_in_threadpool(caller_of, request), await sent(request, Question)
    return await _answered(request, caller, question.system, question.given(), question.context, "result")


async def check(request: Request) -> Response:
    """POST: what the documents say of each claim of a text."""
    caller, text = await run_in_threadpool(caller_of, request), await sent(request, Text)
    return await _answered(request, caller, CHECK.name, {"text": text.text}, text.context, "report")


async def _answered(
    request: Request, caller: Caller, name: str, given: dict[str, Any], choices: dict[str, Any], ending: str
) -> Response:
    context = await run_in_threadpool(_within, Context(**choices), caller)
    graph = await run_in_threadpool(graph_in, caller.namespace, name)
    if STREAM in request.headers.get("accept", ""):
        return EventSourceResponse(_events(_streamed(graph, given, context, ending), caller))
    async for kind, content in _streamed(graph, given, context, ending):
        if kind == ending:
            return told_to(caller, content)
    raise RuntimeError("the graph ended without a result")


def _within(context: Context, caller: Caller) -> Context:
    """The choices with the documents that their scope names, by id or by the name of a file.

    Raises `DocumentMissing` for a place at which nothing is held: asked of nothing, a question would find nothing.
    """
    if context.scope is None:
        return context
    resources_of(caller.namespace)  # takes in what the settings begin with
    scope = [meant for place in context.scope for meant in _meant(place, caller)]
    return context.model_copy(update={"scope": tuple(scope)})


def _meant(place: str, caller: Caller) -> list[str]:
    """The places that a place of a scope stands for; who only asks names documents, and no folder of the disk."""
    settings = settings_of(caller)
    there = list_documents(settings=settings, under=place)
    if there if caller.manages else any(one.id == place for one in there):
        return [place]
    names = {one.id: Path(one.url).name for one in list_documents(settings=settings) if one.kind == "human"}
    if called := [identifier for identifier, name in names.items() if name == place]:
        return called
    known = "GET /veridic/documents lists what is held, with its ids."
    raise DocumentMissing(f"No document is held at {place!a}.", nearest_of(place, names.values(), known))


async def _streamed(
    graph: Any,  # noqa: ANN401 - a compiled graph
    given: dict[str, Any],
    context: Context,
    ending: str,
) -> AsyncIterator[tuple[str, Any]]:
    """The events of a run by their names, then what it ends with; no more runs at once than the settings say."""
    if _places().locked():
        yield "waiting", {"event": "waiting"}
    async with _places():
        last = None
        async for mode, item in graph.astream(given, context=context, stream_mode=["custom", "values"]):
            if mode == "custom":
                yield item["event"], item
            else:
                last = cast("dict[str, Any]", item).get(ending, last)
        if last is not None:
            yield ending, last


async def _events(items: AsyncIterator[tuple[str, Any]], caller: Caller) -> AsyncIterator[ServerSentEvent]:
    """As the caller's browser reads them; an error of ours ends the stream as an event of its own."""
    try:
        async for kind, content in items:
            yield ServerSentEvent(for_json(seen_by(caller, content), indent=None), event=kind)
    except VeridicError as error:
        yield JSONServerSentEvent(told_error(error), event="error")


@cache
def _places() -> asyncio.Semaphore:
    """How many runs may go on at once, in this process."""
    return asyncio.Semaphore(own_settings().runs_at_once)
