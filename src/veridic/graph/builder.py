"""Nodes, edges, compile; nothing else happens here."""

from collections.abc import Callable, Mapping
from os import PathLike
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.retrievers import BaseRetriever
from langchain_core.vectorstores import VectorStore
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.store.base import BaseStore

from veridic.context import Context
from veridic.graph import policies, routing
from veridic.graph.binding import Opener, bind
from veridic.graph.handing import Handed, opener
from veridic.nodes.analyze import analyze
from veridic.nodes.critique import critique
from veridic.nodes.evaluate import evaluate
from veridic.nodes.extract_claims import extract_claims
from veridic.nodes.finish import finish
from veridic.nodes.follow import follow
from veridic.nodes.generate import generate
from veridic.nodes.keep_outside import keep_outside
from veridic.nodes.log import log
from veridic.nodes.look_up import look_up
from veridic.nodes.open_document import open_document
from veridic.nodes.read import read
from veridic.nodes.recall import recall
from veridic.nodes.refine import refine
from veridic.nodes.reply import reply
from veridic.nodes.retrieve import retrieve
from veridic.nodes.rewrite import rewrite
from veridic.nodes.search import search
from veridic.nodes.spell import spell
from veridic.nodes.validate import validate
from veridic.nodes.write_back import write_back
from veridic.protocols import ChatModel, Resources
from veridic.settings import Settings
from veridic.state import GraphState, InputState, LookUpTask, OutputState, SourceTask

STEPS_OUTSIDE_ATTEMPTS = 32
"""analyze, open_document, spell, recall, retrieve, evaluate, finish, write_back, keep_outside, log, and the failure
handlers of each once; twice extract_claims, look_up, validate and theirs."""

STEPS_PER_ATTEMPT = 14
"""rewrite, search or retrieve, evaluate, refine, read, generate, critique, and their handlers."""

STEPS_PER_HOP = 10
"""follow, retrieve, evaluate, rewrite, search, evaluate, refine, read, and handlers."""

Wiring = StateGraph[GraphState, Context, InputState, OutputState]
Graph = CompiledStateGraph[GraphState, Context, InputState, OutputState]


def recursion_limit(max_retries: int, max_hops: int) -> int:
    """LangGraph's step limit for a run: what the longest path takes, so that it never ends one in silence."""
    return STEPS_OUTSIDE_ATTEMPTS + STEPS_PER_ATTEMPT * (max_retries + 2) + STEPS_PER_HOP * (max_hops - 1)


def adder(graph: Wiring, resources: Opener) -> Callable[..., None]:
    """A function of (name, node, policies) that adds a node of ours to a graph, bound to the resources."""

    def add(name: str, node: Any, **policy: Any) -> None:  # noqa: ANN401 - LangGraph's own node types are private
        bound: Any = bind(name, node, resources, state=policy.pop("state", GraphState))
        graph.add_node(name, bound, **policy)

    return add


def state_graph(resources: Opener) -> Wiring:
    """The nodes and edges, not yet compiled; `resources` is first called when a node runs."""
    graph = StateGraph(GraphState, Context, input_schema=InputState, output_schema=OutputState)
    add = adder(graph, resources)

    add("analyze", analyze)
    add("reply", reply, retry_policy=policies.AGAIN, error_handler=policies.retrieval_failed)
    add("open_document", open_document, retry_policy=policies.AGAIN, error_handler=policies.opening_failed)
    add("spell", spell, retry_policy=policies.AGAIN, error_handler=policies.spelling_failed)
    add("recall", recall, retry_policy=policies.AGAIN, error_handler=policies.recall_failed)
    add("retrieve", retrieve, retry_policy=policies.AGAIN, error_handler=policies.retrieval_failed)
    add("evaluate", evaluate, error_handler=policies.evaluator_failed)
    add("rewrite", rewrite)
    add("search", search, state=SourceTask, error_handler=policies.source_failed)  # sources try again by their terms
    add("refine", refine, error_handler=policies.evaluator_failed)
    add("read", read, error_handler=policies.reader_failed)
    add("follow", follow)
    add("generate", generate, retry_policy=policies.AGAIN, error_handler=policies.writer_failed)
    add("critique", critique, error_handler=policies.critic_failed)
    add("extract_claims", extract_claims, retry_policy=policies.AGAIN, error_handler=policies.claims_failed)
    add("look_up", look_up, state=LookUpTask, retry_policy=policies.AGAIN, error_handler=policies.look_up_failed)
    add("validate", validate, retry_policy=policies.AGAIN, error_handler=policies.validation_failed)
    add("finish", finish)
    add("write_back", write_back, retry_policy=policies.AGAIN, error_handler=policies.write_back_failed)
    add("keep_outside", keep_outside, retry_policy=policies.AGAIN, error_handler=policies.keeping_failed)
    add("log", log, retry_policy=policies.AGAIN, error_handler=policies.log_failed)

    graph.add_edge(START, "analyze")
    graph.add_conditional_edges("analyze", routing.route_after_analyze)
    graph.add_conditional_edges("open_document", routing.route_after_open_document)
    graph.add_edge("reply", "finish")
    graph.add_edge("spell", "recall")
    graph.add_edge("recall", "retrieve")
    graph.add_edge("retrieve", "evaluate")
    graph.add_conditional_edges("evaluate", routing.route_after_evaluate)
    graph.add_conditional_edges("rewrite", routing.fan_out, ["search", "retrieve", "finish"])
    graph.add_edge("search", "evaluate")
    graph.add_conditional_edges("refine", routing.route_after_refine)
    graph.add_conditional_edges("read", routing.route_after_read)
    graph.add_edge("follow", "retrieve")
    graph.add_conditional_edges("generate", routing.route_after_generate)
    graph.add_conditional_edges("critique", routing.route_after_critique)
    graph.add_conditional_edges("extract_claims", routing.look_up_each, ["look_up", "validate"])
    graph.add_edge("look_up", "validate")
    graph.add_conditional_edges("validate", routing.route_after_validate)
    graph.add_edge("finish", "write_back")
    graph.add_edge("write_back", "keep_outside")
    graph.add_edge("keep_outside", "log")
    graph.add_edge("log", END)
    return graph


def build_graph(
    resources: Resources | None = None,
    *,
    settings: Settings | None = None,
    model: str | BaseChatModel | ChatModel | None = None,
    retriever: BaseRetriever | VectorStore | None = None,
    judges: Mapping[str, object] | None = None,
    store: str | PathLike[str] | BaseStore | None = None,
    **compile_options: Any,  # noqa: ANN401 - passed on
) -> Graph:
    """The compiled graph.

    Without `resources` the process's own are opened from `settings`, or from the environment and `veridic.toml`, when
    a node first needs them. What is handed in takes the place of theirs: see `graph.handing.Handed`. Raises `NotUsable`
    at once for an object that cannot be used, and for a name what the settings raise. `compile_options` go to
    LangGraph's `compile`: `checkpointer`, `cache`, `name`; so does a LangGraph `store`.
    """
    handed = Handed(model=model, retriever=retriever, judges=judges or {}, store=store)
    own_store = {"store": store} if isinstance(store, BaseStore) else {}
    wiring = state_graph(opener(resources, settings, handed))
    compiled = wiring.compile(**{"name": "veridic", **own_store, **compile_options})
    return compiled.with_config(recursion_limit=recursion_limit(_most("max_retries"), _most("max_hops")))


def _most(field: str) -> int:
    """The largest value that a choice of a run may have."""
    return max(int(bound.le) for bound in Context.model_fields[field].metadata if hasattr(bound, "le"))
