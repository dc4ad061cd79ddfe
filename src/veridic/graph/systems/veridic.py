"""The default: all four methods in one graph."""

from langgraph.graph import END, START, StateGraph

from veridic.context import Context
from veridic.graph import policies, routing
from veridic.graph.policies import AGAIN
from veridic.graph.systems.system import System
from veridic.graph.wrapping import Around
from veridic.nodes.analyze import analyze
from veridic.nodes.critique import critique
from veridic.nodes.evaluate import evaluate
from veridic.nodes.extract_claims import extract_claims
from veridic.nodes.finish import finish
from veridic.nodes.generate import generate
from veridic.nodes.log import log
from veridic.nodes.look_up import look_up
from veridic.nodes.open_document import open_document
from veridic.nodes.read import read
from veridic.nodes.refine import refine
from veridic.nodes.reply import reply
from veridic.nodes.retrieve import retrieve
from veridic.nodes.review import review
from veridic.nodes.rewrite import rewrite
from veridic.nodes.search import search
from veridic.nodes.validate import validate
from veridic.nodes.write_back import write_back
from veridic.state import GraphState, InputState, LookUpTask, OutputState, SourceTask


def veridic(around: Around) -> StateGraph[GraphState, Context, InputState, OutputState]:
    """The nodes and edges of the default graph."""
    graph = StateGraph(GraphState, around.schema, input_schema=InputState, output_schema=OutputState)
    graph.set_node_defaults(retry_policy=AGAIN)
    node, handler, route = around.node, around.handler, around.route
    graph.add_node("analyze", node(analyze))
    graph.add_node("reply", node(reply), error_handler=handler(policies.knowledge_failed))
    graph.add_node("open_document", node(open_document), error_handler=handler(policies.opening_failed))
    graph.add_node("retrieve", node(retrieve), error_handler=handler(policies.retrieval_failed))
    graph.add_node("evaluate", node(evaluate), error_handler=handler(policies.ungraded("refine")))
    graph.add_node("rewrite", node(rewrite))
    graph.add_node("search", node(search, SourceTask), error_handler=handler(policies.source_failed, SourceTask))
    graph.add_node("refine", node(refine), error_handler=handler(policies.ungraded("refine")))
    graph.add_node("read", node(read), error_handler=handler(policies.reader_failed))
    graph.add_node("generate", node(generate), error_handler=handler(policies.unwritten("generate")))
    graph.add_node("critique", node(critique), error_handler=handler(policies.critic_failed))
    graph.add_node("extract_claims", node(extract_claims), error_handler=handler(policies.claims_failed))
    graph.add_node(
        "look_up", node(look_up, LookUpTask), error_handler=handler(policies.look_up_failed("validate"), LookUpTask)
    )
    graph.add_node("validate", node(validate), error_handler=handler(policies.validation_failed))
    graph.add_node("finish", node(finish))
    graph.add_node("write_back", node(write_back), error_handler=handler(policies.unlearned("log")))
    graph.add_node("review", node(review), error_handler=handler(policies.unlearned("__end__")))
    graph.add_node("log", node(log), error_handler=handler(policies.log_failed))

    graph.add_edge(START, "analyze")
    graph.add_conditional_edges(
        "analyze", route(routing.route_after_analyze), ["reply", "open_document", "retrieve", "generate"]
    )
    graph.add_edge("reply", "finish")
    graph.add_conditional_edges("open_document", route(routing.route_after_open_document), ["retrieve", "generate"])
    graph.add_edge("retrieve", "evaluate")
    graph.add_conditional_edges("evaluate", route(routing.route_after_evaluate), ["refine", "rewrite", "retrieve"])
    graph.add_conditional_edges("rewrite", route(routing.fan_out), ["search", "retrieve", "finish"])
    graph.add_edge("search", "evaluate")
    graph.add_conditional_edges("refine", route(routing.route_after_refine), ["read", "critique"])
    graph.add_conditional_edges("read", route(routing.route_after_read), ["generate", "retrieve"])
    graph.add_conditional_edges("generate", route(routing.route_after_generate), ["critique", "finish"])
    graph.add_conditional_edges(
        "critique", route(routing.route_after_critique), ["finish", "extract_claims", "rewrite", "retrieve"]
    )
    graph.add_conditional_edges("extract_claims", route(routing.look_up_each), ["look_up", "validate"])
    graph.add_edge("look_up", "validate")
    graph.add_conditional_edges("validate", route(routing.route_after_validate), ["read", "finish"])
    graph.add_edge("finish", "write_back")
    graph.add_edge("write_back", "log")
    graph.add_conditional_edges("log", route(routing.route_after_log), ["review", END])
    graph.add_edge("review", END)
    return graph


VERIDIC = System(
    name="veridic",
    title="Veridic: CRAG, Self-RAG, Hybrid Self-RAG and Bidirectional RAG in one graph",
    source="docs/decisions.md",
    build=veridic,
    opens_documents=True,
)
