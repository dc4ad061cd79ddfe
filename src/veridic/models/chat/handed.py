"""A LangChain chat model that was handed in, held to the same promises as those chosen by name."""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from veridic.models.chat.adapter import QUIET, Backend, LangChainChat, Limits, asked_probabilities
from veridic.models.chat.by_name import follows_instructions
from veridic.models.chat.failures import Origin
from veridic.models.weights import Progress
from veridic.runtime.deadline import awaited
from veridic.settings import Settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage, BaseMessageChunk

NAMES = ("model_name", "model", "model_id")
"""Fields in which LangChain's chat models keep the model's name."""

LENGTHS = ("max_tokens", "max_output_tokens", "max_completion_tokens", "num_predict", "max_new_tokens")
"""Fields in which they keep the longest reply, in tokens."""

TEMPERATURES = ("temperature",)
SEEDS = ("seed", "random_seed")


class HandedBackend(Backend):
    """A model that is there already. It is asked by its fields: keyword arguments are refused by some in mid-call."""

    tells_end = False

    def __init__(self, model: "BaseChatModel") -> None:
        """Nothing is asked yet."""
        self.model = model
        self.keeps_to_length = bool(self._field(LENGTHS))
        named = (getattr(model, name, None) for name in NAMES)
        self.known_as = next((name for name in named if isinstance(name, str) and name), "")
        """The model's name, where a field says it; else empty."""

    @property
    def origin(self) -> Origin:
        """For messages."""
        return Origin(
            name=self.known_as or type(self.model).__name__,
            endpoint=f"The handed-in {type(self.model).__name__}",
            absent="Check that its endpoint runs, then try again.",
            unknown="Check the model's name.",
            key="Give it a key that is valid there.",
            otherwise="Try it alone: `model.invoke('Hello')`.",
            handed_in=True,
        )

    def open(self, progress: Progress) -> "BaseChatModel":  # noqa: ARG002 - nothing is fetched
        """The model as it was given."""
        return self.model

    def stream(self, messages: "list[BaseMessage]", limits: Limits) -> "Iterator[BaseMessageChunk]":
        """See `Backend`; one that can only be awaited is."""
        model, begun = self._limited(limits), False
        try:
            for chunk in model.stream(messages, config=QUIET):
                begun = True
                yield chunk
        except NotImplementedError:  # one that can only be awaited says so before its first word
            if begun:
                raise
            yield from _awaited(model.astream(messages, config=QUIET))

    def _limited(self, limits: Limits) -> "BaseChatModel":
        """The model with those of the limits that it has fields for; as it was given when it has none.

        A shorter reply than the call allows stays as it was set; a model whose profile says that it takes no
        temperature is given neither temperature nor seed.
        """
        fixed = (getattr(self.model, "profile", None) or {}).get("temperature") is False
        own = getattr(self.model, self._field(LENGTHS) or "_", None)
        wanted: Mapping[tuple[str, ...], float] = {
            LENGTHS: min(own, limits.max_tokens) if isinstance(own, int) and own > 0 else limits.max_tokens,
            **({} if fixed else {TEMPERATURES: limits.temperature, SEEDS: limits.seed}),
            **{(name,): value for name, value in asked_probabilities(limits).items()},
        }
        fields = {name: value for names, value in wanted.items() if (name := self._field(names))}
        return self.model.model_copy(update=fields) if fields else self.model

    def _field(self, names: tuple[str, ...]) -> str:
        """The first of these names that is a field of the model's; else empty."""
        return next((name for name in names if name in type(self.model).model_fields), "")


def handed_chat(model: "BaseChatModel", settings: Settings) -> LangChainChat:
    """The model as a `ChatModel`, trusted to follow instructions unless its name or the settings say otherwise."""
    backend = HandedBackend(model)
    return LangChainChat(backend, follows_instructions=follows_instructions(backend.known_as, settings))


def _awaited(chunks: "AsyncIterator[BaseMessageChunk]") -> "Iterator[BaseMessageChunk]":
    with suppress(StopAsyncIteration):
        while True:
            yield awaited(anext(chunks))
