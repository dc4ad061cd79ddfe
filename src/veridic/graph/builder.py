"""From a system's name to the compiled graph."""

from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import VectorStore
from langgraph.graph.state import CompiledStateGraph
from langgraph.store.base import BaseStore

from veridic.context import MOST_RETRIES, Context
from veridic.graph.observed import RunObserver
from veridic.graph.opening import Handed, opener
from veridic.graph.systems import System, system_named
from veridic.graph.usable import look_at_options
from veridic.graph.wrapping import Around
from veridic.ports.chat import ChatModel
from veridic.ports.method import Method
from veridic.resources import Opener
from veridic.runtime.run import Resources
from veridic.settings import Settings
from veridic.state import GraphState, InputState, OutputState

Graph = CompiledStateGraph[GraphState, Context, InputState, OutputState]
AnyGraph = CompiledStateGraph[Any, Any, Any, Any]

STEPS_OUTSIDE_ATTEMPTS = 48
"""analyze, open_document, retrieve, evaluate, finish, write_back, log, review, and the failure handlers of each once;
twice extract_claims, look_up, validate and theirs; before it evaluate, refine,
read, generate and critique of what an earlier answer rests on."""

STEPS_PER_ATTEMPT = 14
"""rewrite, search or retrieve, evaluate, refine, read, generate, critique, and their handlers."""


def recursion_limit(max_retries: int) -> int:
    """LangGraph's step limit for a run: what the longest path takes, so that it never ends one in silence."""
    return STEPS_OUTSIDE_ATTEMPTS + STEPS_PER_ATTEMPT * (max_retries + 2)


def build_graph(
    resources: Resources | None = None,
    *,
    system: str | System = "veridic",
    method: Method | None = None,
    settings: Settings | None = None,
    model: str | BaseChatModel | ChatModel | None = None,
    retriever: BaseRetriever | VectorStore | None = None,
    judges: Mapping[str, object] | None = None,
    store: str | PathLike[str] | BaseStore | None = None,
    **compile_options: Any,  # noqa: ANN401 - passed on
) -> Graph:
    """The compiled graph of a system, by its name in `veridic.graph.systems`.

    Without `resources` the process's own are opened from `settings`, or from the environment and `veridic.toml`, when
    a node first needs them. What is handed in takes the place of theirs:

    - `model`: a name as the settings take it, a LangChain chat model, or an object of `veridic.ports.ChatModel`.
    - `retriever`: a LangChain retriever or vector store in place of the knowledge base's documents.
    - `judges`: any of `evaluator`, `critic`, `reader`, each an object of that protocol (`veridic.ports`), or a name
      as the settings take it: a folder, or with `veridic[hf]` a model's name.
    - `store`: a path to another knowledge base, which takes the place of the settings' `kb` whole; a LangGraph store
      goes to `compile`, and nodes of ours keep nothing there.

    `method` takes the place of the system's own numbers: `replace(system_named("crag").method, upper=0.8)`.

    Raises `NotUsable` at once for an object that cannot be used, and for a name what the settings raise.
    `compile_options` go to LangGraph's `compile`: `checkpointer`, `cache`, `name`.
    """
    look_at_options(compile_options)
    chosen = system_named(system) if isinstance(system, str) else system
    if method is not None:
        chosen = replace(chosen, method=method)
    if isinstance(store, BaseStore):
        compile_options["store"], store = store, None
    handed = Handed(model=model, retriever=retriever, judges=judges or {}, store=store)
    return graph_of(chosen, opener(chosen, resources, settings, handed), **compile_options)


def graph_of(system: System, resources: Opener, **compile_options: Any) -> AnyGraph:  # noqa: ANN401 - passed on
    """The compiled graph of a system, its runs observed; `resources` is first called when a node runs."""
    graph = system.build(Around(system, resources)).compile(**{"name": system.name, **compile_options})
    limit = system.steps or recursion_limit(MOST_RETRIES)
    return graph.with_config(recursion_limit=limit, callbacks=[RunObserver(graph.name)])
