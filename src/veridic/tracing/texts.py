"""Texts as attributes, in the JSON that OpenTelemetry's conventions for generative AI give them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veridic.ports.shapes import Passage


def message(role: str, text: str, **more: str) -> str:
    """A list of one message."""
    return json.dumps([{"role": role, "parts": _parts(text), **more}], ensure_ascii=False)


def instructions(text: str) -> str:
    """What a model is told before the messages."""
    return json.dumps(_parts(text), ensure_ascii=False)


def queries(asked: Sequence[str]) -> str:
    """The query, or of several a line each."""
    return "\n".join(asked)


def documents(found: Sequence[Passage]) -> str:
    """Passages with where they stand."""
    return json.dumps(
        [{"id": one["id"], "document": one["document_id"], "content": one["text"]} for one in found],
        ensure_ascii=False,
    )


def _parts(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "content": text}]
