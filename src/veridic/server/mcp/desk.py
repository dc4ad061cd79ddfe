"""What every call of a server shares: one set of models, and one compiled graph for each system."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Lock

from veridic.graph.builder import Graph, graph_of
from veridic.graph.checking import CHECK, CheckGraph
from veridic.graph.opening import fitted
from veridic.graph.systems import system_named
from veridic.resources import Opener, once, open_resources
from veridic.runtime.run import Resources
from veridic.settings import Settings


class Desk:
    """The resources of a process, opened at the first call that needs them, and the graphs over them."""

    def __init__(self, settings: Settings, opened: Callable[[], Resources] | None = None) -> None:
        """With `opened` these resources, else the settings' own."""
        self.settings = settings
        self.resources: Opener = once(opened or partial(open_resources, settings))
        self._lock = Lock()
        self._graphs = dict[str, Graph]()
        self.checking: CheckGraph = graph_of(CHECK, self.resources)

    def graph(self, name: str) -> Graph:
        """The graph of a system, compiled at its first question. Raises `UnknownSystem`."""
        system = system_named(name)
        with self._lock:
            if name not in self._graphs:
                self._graphs[name] = graph_of(system, fitted(system, self.resources))
            return self._graphs[name]
