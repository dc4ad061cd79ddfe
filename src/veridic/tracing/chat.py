"""Spans of a chat model: one a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opentelemetry.trace import SpanKind

from veridic.tracing import texts
from veridic.tracing.spans import Attributes
from veridic.tracing.watching import Watched, watching

if TYPE_CHECKING:
    from veridic.ports.chat import ChatModel, Prompt, Reply

REQUESTED = {"max_tokens": "gen_ai.request.max_tokens", "temperature": "gen_ai.request.temperature"}


def chat_model(chat: ChatModel, *, text: bool) -> ChatModel:
    """A chat model whose calls are spans `chat NAME`, with their tokens; with `text` prompt and reply too."""
    provider, _, model = chat.name.partition(":")
    fixed = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": model or provider,
    }

    def asked(prompt: Prompt, **how: Any) -> Attributes:  # noqa: ANN401 - as `ChatModel.write`
        told = {name: how[given] for given, name in REQUESTED.items() if given in how}
        if text:
            told["gen_ai.system_instructions"] = texts.instructions(prompt.system)
            told["gen_ai.input.messages"] = texts.message("user", prompt.user)
        return told

    def answered(reply: Reply) -> Attributes:
        reason = "stop" if reply.finished else "length"
        told: dict[str, Any] = {
            "gen_ai.usage.input_tokens": reply.prompt_tokens,
            "gen_ai.usage.output_tokens": reply.completion_tokens,
            "gen_ai.response.finish_reasons": [reason],
        }
        if text:
            told["gen_ai.output.messages"] = texts.message("assistant", reply.text, finish_reason=reason)
        return told

    return watching(chat, {"write": Watched(f"chat {model or provider}", fixed, asked, answered, SpanKind.CLIENT)})
