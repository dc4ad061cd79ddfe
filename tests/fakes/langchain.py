"""Chat models and retrievers of LangChain's kinds, as somebody else may have written them."""

import asyncio
from collections.abc import Iterator
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.retrievers import BaseRetriever


class StreamingChat(BaseChatModel):
    """Says the same to everybody, word by word; it takes no limit, and no argument but the messages."""

    says: str = "The bridge opened in 1931."
    error: Exception | None = None
    until: Any = None
    """An event that each word waits for."""
    heard: list[list[BaseMessage]] = []  # noqa: RUF012 - a pydantic field

    @property
    def _llm_type(self) -> str:
        return "streaming"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
    ) -> ChatResult:
        raise NotImplementedError

    def _stream(  # type: ignore[override]
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
    ) -> Iterator[ChatGenerationChunk]:
        self.heard.append(messages)
        if self.error:
            raise self.error
        for number, word in enumerate(self.words()):
            if self.until:
                self.until.wait(30)
            yield ChatGenerationChunk(message=AIMessageChunk(content=f" {word}" if number else word))
        if len(self.words()) < len(self.says.split(" ")):
            yield ChatGenerationChunk(message=AIMessageChunk(content="", response_metadata={"finish_reason": "length"}))

    def words(self) -> list[str]:
        return self.says.split(" ")


class LimitedChat(StreamingChat):
    """One that has fields for all limits; it notes those of each call."""

    model: str = "limited-7b"
    max_tokens: int | None = None
    temperature: float | None = None
    seed: int | None = None
    calls: list[tuple[Any, Any, Any]] = []  # noqa: RUF012

    def words(self) -> list[str]:
        return super().words()[: self.max_tokens]

    def _stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatGenerationChunk]:
        self.calls.append((self.max_tokens, self.temperature, self.seed))
        yield from super()._stream(*args, **kwargs)


class WholeChat(BaseChatModel):
    """Says all at once, as most fakes and small wrappers do."""

    says: str

    @property
    def _llm_type(self) -> str:
        return "whole"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=AIMessage(self.says))])


class AwaitedChat(WholeChat):
    """Can only be awaited; its client belongs to the loop in which it was asked first."""

    loops: list[Any] = []  # noqa: RUF012

    def _generate(self, *args: Any, **kwargs: Any) -> ChatResult:
        raise NotImplementedError("async only")

    async def _agenerate(self, *args: Any, **kwargs: Any) -> ChatResult:
        self.loops.append(asyncio.get_running_loop())
        return ChatResult(generations=[ChatGeneration(message=AIMessage(self.says))])


class AwaitedRetriever(BaseRetriever):
    """Can only be awaited."""

    gives: Any = None

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        raise NotImplementedError("async only")

    async def _aget_relevant_documents(self, query: str, **_: Any) -> list[Document]:  # type: ignore[override]
        await asyncio.sleep(0)
        given: list[Document] = self.gives
        return given


class GivingRetriever(BaseRetriever):
    """Gives what it was told to give, raises, or waits."""

    gives: Any = None
    error: Exception | None = None
    until: Any = None
    asked: list[str] = []  # noqa: RUF012

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        self.asked.append(query)
        if self.until:
            self.until.wait(30)
        if self.error:
            raise self.error
        given: list[Document] = self.gives
        return given
