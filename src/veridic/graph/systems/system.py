"""What a system is: a wiring, the choices it is run with, its paper's numbers and what differs from the paper."""

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pydantic import create_model

from veridic.context import Context
from veridic.graph.wiring import Wiring


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
    wiring: Wiring
    choices: Mapping[str, Any] = field(default_factory=dict)
    """Fields of `Context` whose defaults are other ones here; a run may choose otherwise."""
    numbers: tuple[Number, ...] = ()
    differs: tuple[str, ...] = ()
    """What is not as in the paper, and why."""
    learns_unchecked: bool = False
    """Whether what it writes back passed fewer gates than ours, so that its knowledge base is a copy of its own."""
    chat_grades: bool = False
    """Whether the chat model is its evaluator and critic, unless the settings name others."""

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
