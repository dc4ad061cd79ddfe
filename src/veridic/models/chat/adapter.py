"""One adapter over every chat model that LangChain knows."""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, FiniteFloat, TypeAdapter, ValidationError

from veridic.errors import ModelError, VeridicError
from veridic.models.chat.drawn import Drawn
from veridic.models.chat.failures import Origin, translated
from veridic.models.chat.thinking import ThinkingFilter
from veridic.models.weights import Progress
from veridic.ports.chat import Prompt, Reply
from veridic.ports.file_limits import CHARACTERS_PER_TOKEN, room
from veridic.ports.likelihood import WrittenToken
from veridic.ports.reflection import is_trained_for_it
from veridic.runtime.asked import overrun

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage, BaseMessageChunk
    from langchain_core.runnables import RunnableConfig

THOUGHT = 40_000
"""Characters that a model may think beside its reply; a piece without text counts as one."""
QUIET: "RunnableConfig" = {"tags": ["nostream"]}
"""LangGraph streams nothing of it: what a model writes is judged before it is told."""
ALTERNATIVES = 20
"""Tokens of which the probability is told at each place: the most that OpenAI and vLLM tell; a reflection token has at
most four others of its sort."""
LEAST_LOGPROB = -100.0
"""What stands for a probability of nothing, which servers tell as -9999 or as -inf."""
FASTER = "Give the run more time (`time_budget`), or choose a faster model."
_CUT_SHORT = frozenset({"length", "max_tokens", "MAX_TOKENS"})
_REASON_KEYS = ("finish_reason", "done_reason", "stop_reason")


@dataclass(frozen=True)
class Limits:
    """What one call may write."""

    max_tokens: int
    temperature: float
    seed: int
    prompt_tokens: int
    """Estimated."""
    schema: Mapping[str, Any] | None = None
    """JSON schema of the reply, for providers that can hold a model to one."""
    probabilities: bool = False
    """Whether the probabilities of its tokens are asked for, and of `ALTERNATIVES` at each place."""


def in_openais_form(limits: Limits) -> dict[str, Any]:
    """The limits as arguments of a client of OpenAI's protocol.

    A schema goes in as it is sent: given by name, the client parses the reply itself and raises when it was cut.
    """
    told: dict[str, Any] = {
        "max_tokens": limits.max_tokens,
        "temperature": limits.temperature,
        "seed": limits.seed,
        **asked_probabilities(limits),
    }
    if limits.schema is None:
        return told
    held = {"name": limits.schema["title"], "schema": dict(limits.schema), "strict": True}
    return {**told, "extra_body": {"response_format": {"type": "json_schema", "json_schema": held}}}


def asked_probabilities(limits: Limits) -> dict[str, Any]:
    """What asks for probabilities, by the names that OpenAI, Ollama, vLLM and llama.cpp know; else nothing."""
    return {"logprobs": True, "top_logprobs": ALTERNATIVES} if limits.probabilities else {}


class Backend(ABC):
    """Where a chat model comes from. Constructing one costs nothing."""

    keeps_to_length = True
    """Whether it can be told how long a reply may be; else a reply is cut at four characters a token."""
    tells_end = True
    """Whether a reply that is whole comes with a reason for its end."""

    @property
    @abstractmethod
    def origin(self) -> Origin:
        """Its name, and what to say when it fails."""

    @abstractmethod
    def open(self, progress: Progress) -> "BaseChatModel":
        """The model, the same at each call. Raises a `ModelError`."""

    def arguments(self, limits: Limits) -> dict[str, Any]:  # noqa: ARG002 - of a model that is told nothing
        """The limits as keyword arguments of the model's `stream`."""
        return {}

    def stream(self, messages: "list[BaseMessage]", limits: Limits) -> "Iterator[BaseMessageChunk]":
        """One reply as it comes; raises what the model's library raises."""
        yield from self.open(lambda _done, _total: None).stream(messages, config=QUIET, **self.arguments(limits))


@dataclass
class _Tally:
    """What is known about a reply while it comes; more than `room` characters are not shown."""

    room: int
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reason: str = ""
    filter: ThinkingFilter = field(default_factory=ThinkingFilter)
    characters: int = 0
    pieces: int = 0
    tokens: list[WrittenToken] = field(default_factory=list)

    @property
    def overran(self) -> bool:
        """Whether so much came that the rest need not be heard."""
        return len(self.filter.text) > self.room or max(self.characters, self.pieces) > self.room + THOUGHT

    def add(self, chunk: "BaseMessageChunk") -> str:
        """Count a chunk and return what it makes visible."""
        usage = getattr(chunk, "usage_metadata", None) or {}
        self.prompt_tokens += usage.get("input_tokens", 0)
        self.completion_tokens += usage.get("output_tokens", 0)
        for key in _REASON_KEYS:
            self.reason = chunk.response_metadata.get(key) or self.reason
        if len(self.tokens) <= self.room + THOUGHT:
            self.tokens += _tokens_of(chunk.response_metadata.get("logprobs"))
        text = chunk.text[: self.room + THOUGHT + 1]
        self.characters += len(text)
        self.pieces += 1
        return self._shown(self.filter.feed(text))

    def close(self) -> str:
        """Say that no more comes; returns what was held back."""
        return self._shown(self.filter.close())

    def _shown(self, piece: str) -> str:
        """Of what has just become visible what there is room for."""
        return piece[: max(0, len(piece) - max(0, len(self.filter.text) - self.room))]

    def reply(self, prompt_tokens: int, problem: str, mend: str = "") -> Reply:
        """The reply, with estimates for what the model did not count."""
        return Reply(
            text=self.filter.text[: self.room],
            prompt_tokens=self.prompt_tokens or prompt_tokens,
            completion_tokens=self.completion_tokens or math.ceil(self.characters / CHARACTERS_PER_TOKEN),
            finished=not (problem or self.overran or self.reason in _CUT_SHORT),
            problem=problem,
            mend=mend,
            tokens=tuple(_without_thinking(self.tokens)),
        )


class _Alternative(BaseModel):
    token: str
    logprob: FiniteFloat


class _Told(_Alternative):
    top_logprobs: list[_Alternative] | None = None


_TOLD = TypeAdapter(list[_Told])


def _tokens_of(told: object) -> "Iterator[WrittenToken]":
    """The tokens of a chunk: OpenAI's servers list them under `content`, Ollama's library lists objects.

    What is told in another form is not told.
    """
    given = told.get("content") if isinstance(told, Mapping) else told
    try:
        listed = _TOLD.validate_python(given or [], from_attributes=True)
    except ValidationError:
        return
    for one in listed:
        others = {other.token: _bounded(other.logprob) for other in (one.top_logprobs or ())[:ALTERNATIVES]}
        yield WrittenToken(one.token, _bounded(one.logprob), others)


def _bounded(logprob: float) -> float:
    return max(LEAST_LOGPROB, min(0.0, logprob))


def _without_thinking(tokens: list[WrittenToken]) -> "Iterator[WrittenToken]":
    """The tokens after what the model thought."""
    ended, at = "".join(token.text for token in tokens).rfind("</think>"), 0
    for token in tokens:
        if at > ended:
            yield token
        at += len(token.text)


class LangChainChat:
    """A `ChatModel` over a LangChain chat model; constructing it loads and asks nothing.

    Safe in several threads. Tokens are those the model reports, else estimated at four
    characters each; thinking is counted as written and never shown.
    """

    def __init__(self, backend: Backend, *, follows_instructions: bool) -> None:
        self._backend = backend
        self.follows_instructions = follows_instructions
        """Whether it can be trusted with rewriting, claims and citation markers."""
        self.name = backend.origin.name
        """As the user gave it."""
        self.reflects = is_trained_for_it(self.name)
        """Whether its name says that it was trained to write reflection tokens (Self-RAG)."""
        self.tells_probabilities = True
        """Whether it may be asked for probabilities; a server that refuses them is not asked again."""

    def prepare(self, progress: Progress = lambda _done, _total: None) -> None:
        """Do now what the first `write` would: fetch weights, start the server, find the key.

        Raises `WeightsUnavailable` or `WeightsDamaged` (go on without a chat model),
        `MissingKey`, `MissingExtra`, `ModelUnavailable`.
        """
        self._backend.open(progress)

    def write(
        self,
        prompt: Prompt,
        *,
        max_tokens: int,
        temperature: float,
        seed: int,
        deadline: float,
        on_token: Callable[[str], None] = lambda _: None,
        schema: Mapping[str, Any] | None = None,
        probabilities: bool = False,
    ) -> Reply:
        """Write one reply, calling `on_token` in this thread with each visible piece.

        Stops at the deadline with what was written so far (`finished` false), be the model still loading; so it
        does, and closes the stream, where far more comes than was asked for; `problem` tells of both.
        Raises the errors of `prepare`, `UnknownModel` and `PromptTooLong`.
        """
        estimate = math.ceil((len(prompt.system) + len(prompt.user)) / CHARACTERS_PER_TOKEN)
        limits = Limits(max_tokens, temperature, seed, estimate, schema, probabilities)
        most = room(max_tokens) if self._backend.keeps_to_length else max_tokens * CHARACTERS_PER_TOKEN
        tally, began = _Tally(most), time.time()
        drawn = Drawn(lambda: self._told(prompt, limits), deadline=deadline)
        with closing(iter(drawn)) as chunks:
            for chunk in chunks:
                if piece := tally.add(chunk):
                    on_token(piece)
                if tally.overran:
                    break
        if piece := tally.close():
            on_token(piece)
        if drawn.expired:
            took = f"{self.name} had not ended its reply after {time.time() - began:.1f} s, all there were."
            late = took if began < deadline else ""  # there was no time to begin it
            return replace(tally.reply(estimate, late, FASTER), finished=False)
        return tally.reply(estimate, self._problem(tally, max_tokens))

    def _problem(self, tally: _Tally, max_tokens: int) -> str:
        """What was wrong with a reply that came to its end in time."""
        if tally.overran:
            return overrun(self.name, max_tokens) if self._backend.keeps_to_length else ""
        if tally.reason or not self._backend.tells_end:
            return ""
        return f"{self.name} {'broke off its reply' if tally.characters else 'ended its reply before the first word'}."

    def _told(self, prompt: Prompt, limits: Limits) -> "Iterator[BaseMessageChunk]":
        """As `_stream`; a server that does not take a request for probabilities is asked without them."""
        begun = False
        try:
            for chunk in self._stream(prompt, limits):
                begun = True
                yield chunk
        except ModelError as error:
            if begun or not limits.probabilities or type(error) is not ModelError:
                raise
            yield from self._stream(prompt, replace(limits, probabilities=False))
            self.tells_probabilities = False

    def _stream(self, prompt: Prompt, limits: Limits) -> "Iterator[BaseMessageChunk]":
        try:
            yield from self._backend.stream(_messages(prompt), limits)
        except VeridicError:
            raise
        except Exception as error:
            raise translated(error, self._backend.origin) from error


def _messages(prompt: Prompt) -> "list[BaseMessage]":
    from langchain_core.messages import HumanMessage, SystemMessage

    user = HumanMessage(prompt.user)
    return [SystemMessage(prompt.system), user] if prompt.system else [user]
