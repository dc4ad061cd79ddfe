"""A graph as a server asks for it: by the run's caller, so that each sees what is in a namespace of its own alone."""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial

from langgraph_sdk.auth.types import BaseUser
from langgraph_sdk.runtime import ServerRuntime

from veridic.context import Context, unknown_choice
from veridic.errors import NotAllowed
from veridic.graph.builder import AnyGraph, graph_of
from veridic.graph.checking import CHECK
from veridic.graph.opening import fitted
from veridic.graph.systems import system_named
from veridic.resources import default_resources, resources_of

OF_THE_SERVER = frozenset("assistant_id checkpoint_id checkpoint_ns graph_id run_id thread_id".split())
"""Names beside a run's choices, where a client sends them as `configurable`; so are those that begin with `__`."""
KEPT = 256
"""Graphs that are kept, of all systems and namespaces."""


def served(name: str) -> Callable[[ServerRuntime[Context]], AnyGraph]:
    """What gives the graph of that name for every run, by its caller's namespace.

    The function raises `InvalidSetting` for a choice that no run has: the server itself leaves out what the graph does
    not know, in silence, before it runs it. It raises `NotAllowed` for a caller without a namespace.
    """

    def given(runtime: ServerRuntime[Context]) -> AnyGraph:
        execution = runtime.execution_runtime
        if execution is not None:
            _check(execution.context)
        return graph_in(_namespace_of(runtime.user), name)

    return given


@lru_cache(maxsize=KEPT)
def graph_in(namespace: str | None, name: str) -> AnyGraph:
    """The graph of a system, or `check`, over what a namespace holds; None: the process's own.

    Its resources are opened when a node first needs them. Raises `UnknownSystem`.
    """
    opened = default_resources if namespace is None else partial(resources_of, namespace)
    system = CHECK if name == CHECK.name else system_named(name)
    return graph_of(system, fitted(system, opened))


def _namespace_of(user: BaseUser | None) -> str | None:
    if user is None or not user.is_authenticated:
        return None
    namespace = getattr(user, "namespace", None)  # Aegra's callers have it as an attribute alone
    if namespace is None:
        raise NotAllowed(
            "This server does not say whose documents its callers may ask.",
            "Its `auth` is to give each a `namespace`, as veridic.server.auth does.",
        )
    return str(namespace)


def _check(sent: object) -> None:
    """Look at a run's choices as they were sent, their names alone."""
    for name in sent if isinstance(sent, Mapping) else ():
        if name not in Context.model_fields and name not in OF_THE_SERVER and not name.startswith("__"):
            raise unknown_choice(name, Context.model_fields)
