"""A collaborator of the nodes with spans around some of its calls; whatever else it has is its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar, cast

from opentelemetry.trace import SpanKind

from veridic.tracing.spans import Attributes, span, tell

C = TypeVar("C")
"""Whatever a protocol describes."""


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


def watching(collaborator: C, methods: Mapping[str, Watched]) -> C:
    """The collaborator, but that each call of these methods is a span."""
    return cast("C", _Watching(collaborator, methods))


def _told(call: Callable[..., Any], watched: Watched, *asked: Any, **how: Any) -> Any:  # noqa: ANN401 - the method's own
    with span(watched.name, watched.fixed, kind=watched.kind) as opened:
        tell(opened, lambda: watched.asked(*asked, **how))
        answer = call(*asked, **how)
        tell(opened, lambda: watched.answered(answer))
        return answer
