"""Questions and texts: answered as a stream of events, or at once."""

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any, cast

from langchain_core.messages import AnyMessage
from pydantic import BaseModel, ConfigDict, Field
from sse_starlette import EventSourceResponse, JSONServerSentEvent, ServerSentEvent
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from veridic.api.conversations import messages_of, thread_named, thread_runs
from veridic.api.documents import list_documents
from veridic.context import Context
from veridic.errors import DocumentMissing, VeridicError, nearest_of
from veridic.exporting.outgoing import for_json
from veridic.graph.checking import CHECK
from veridic.graph.serving import graph_in
from veridic.resources import held_knowledge_base, own_settings, resources_of
from veridic.runtime.turns import TURNS_READ
from veridic.server.callers import ANYBODY, Caller
from veridic.server.requests import caller_of, seen_by, sent, settings_of, told_error, told_to

STREAM = "text/event-stream"
_log = logging.getLogger(__name__)


class Question(BaseModel):
    """What is asked; with `messages` a conversation that ends with the question, or went before it.

    With `thread`, a name of the caller's own, the server keeps the conversation: what was asked and told on it goes
    before the question.

    `context` holds choices of a run. Its `scope` names documents by the ids that `GET /veridic/documents` lists, or by
    the names of their files; where nothing is held at one, the question is refused.
    """

    model_config = ConfigDict(extra="forbid")

    question: str | None = None
    messages: list[dict[str, Any]] = Field(default_factory=list, max_length=200)
    thread: str | None = None
    system: str = "veridic"
    context: dict[str, Any] = Field(default_factory=dict)

    def given(self, earlier: Sequence[AnyMessage]) -> dict[str, Any]:
        """The graph's input, after what went before on its thread."""
        question = {} if self.question is None else {"question": self.question}
        messages = [*earlier, *self.messages]
        return {**question, **({"messages": messages} if messages else {})}


class Thread:
    """A conversation that the decision log keeps, so that any server of the knowledge base can go on with it.

    Without keys it is the one that `veridic chat --thread` has by this name; with keys each has threads of its own.
    """

    def __init__(self, caller: Caller, name: str) -> None:
        """Raises `UsageError` for what is no name."""
        own = "" if caller.identity == ANYBODY else f"{caller.identity}/"
        self._name = f"{own}{thread_named(name)}"
        self._settings = settings_of(caller)

    def messages(self) -> list[AnyMessage]:
        """What was asked and told on it lately, oldest first."""
        resources_of(self._settings.namespace)  # makes the knowledge base where none is yet
        return messages_of(thread_runs(self._name, last=TURNS_READ, settings=self._settings))

    def add(self, run_id: str) -> None:
        """Put a run at its end. What cannot be kept is told in the log, and the answer is given all the same."""
        try:
            with closing(held_knowledge_base(self._settings)) as knowledge:
                knowledge.threads.add(self._name, run_id)
        except VeridicError as error:
            _log.warning("A run is not in its thread: %s", error)


class Text(BaseModel):
    """What is checked."""

    model_config = ConfigDict(extra="forbid")

    text: str
    context: dict[str, Any] = Field(default_factory=dict)


async def ask(request: Request) -> Response:
    """POST: the result of a question; to who accepts an event stream the steps too, as they happen."""
    caller, question = await run_in_threadpool(caller_of, request), await sent(request, Question)
    thread = None if question.thread is None else Thread(caller, question.thread)
    earlier = await run_in_threadpool(thread.messages) if thread else []
    given = question.given(earlier)
    return await _answered(request, caller, question.system, given, question.context, "result", thread)


async def check(request: Request) -> Response:
    """POST: what the documents say of each claim of a text."""
    caller, text = await run_in_threadpool(caller_of, request), await sent(request, Text)
    return await _answered(request, caller, CHECK.name, {"text": text.text}, text.context, "report")


async def _answered(
    request: Request,
    caller: Caller,
    name: str,
    given: dict[str, Any],
    choices: dict[str, Any],
    ending: str,
    thread: Thread | None = None,
) -> Response:
    context = await run_in_threadpool(_within, Context(**choices), caller)
    graph = await run_in_threadpool(graph_in, caller.namespace, name)
    if STREAM in request.headers.get("accept", ""):
        return EventSourceResponse(_events(_streamed(graph, given, context, ending, thread), caller))
    async for kind, content in _streamed(graph, given, context, ending, thread):
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
    thread: Thread | None,
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
            if thread:
                await run_in_threadpool(thread.add, last["run_id"])
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
