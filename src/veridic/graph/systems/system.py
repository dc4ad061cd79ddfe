"""What a system is: a graph, the choices it is run with, its paper's numbers and what differs from the paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from langgraph.graph import StateGraph
from pydantic import create_model

from veridic.context import Context
from veridic.ports.method import Method

if TYPE_CHECKING:
    from veridic.graph.wrapping import Around


@dataclass(frozen=True)
class Number:
    """A number a paper gives, and where it stands here."""

    name: str
    value: str
    source: str
    """Paper and place."""
    here: str
    """The choice, setting or constant that holds it; or what stands in its place, and why."""


@dataclass(frozen=True)
class System:
    """A method as a graph of our nodes."""

    name: str
    title: str
    source: str
    build: Callable[[Around], StateGraph[Any, Any, Any, Any]]
    """Gives nodes and edges, wrapped."""
    choices: Mapping[str, Any] = field(default_factory=dict)
    """Fields of `Context` whose defaults are other ones here; a run may choose otherwise."""
    method: Method = Method()  # noqa: RUF009 - frozen
    """Its numbers that no run chooses; `build_graph(method=…)` takes others."""
    numbers: tuple[Number, ...] = ()
    differs: tuple[str, ...] = ()
    """What is not as in the paper, and why."""
    learns_unchecked: bool = False
    """Whether what it writes back passed fewer gates than ours, so that its knowledge base is a copy of its own."""
    chat_grades: bool = False
    """Whether the chat model is its evaluator and critic, unless the settings name others."""
    opens_documents: bool = False
    """Whether it can open a document or what is told of a subject."""
    steps: int | None = None
    """LangGraph's step limit for one run; None: what retries take."""

    @cached_property
    def schema(self) -> type[Context]:
        """`Context` with this system's defaults, within the same bounds."""
        if not self.choices:
            return Context
        named = "".join(part.capitalize() for part in self.name.split("_"))
        return create_model(f"{named}Context", __base__=Context, **{name: self._field(name) for name in self.choices})

    def _field(self, name: str) -> Any:  # noqa: ANN401 - pydantic's own pair of type and field
        own = copy(Context.model_fields[name])
        own.default = self.choices[name]
        return own.annotation, own
