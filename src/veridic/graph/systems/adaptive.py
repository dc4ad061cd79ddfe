"""The patterns page's reference design: five layers, a bounded loop."""

from langgraph.graph import END, START, StateGraph

from veridic.context import Context
from veridic.graph import policies, routing
from veridic.graph.policies import AGAIN
from veridic.graph.systems.system import Number, System
from veridic.graph.wrapping import Around
from veridic.nodes.analyze import analyze
from veridic.nodes.critique import critique
from veridic.nodes.evaluate import evaluate
from veridic.nodes.find import find
from veridic.nodes.finish import finish
from veridic.nodes.generate import generate
from veridic.nodes.log import log
from veridic.nodes.refine import refine
from veridic.nodes.reply import reply
from veridic.nodes.rewrite import rewrite
from veridic.nodes.search import search
from veridic.ports.method import Method
from veridic.state import GraphState, InputState, OutputState, SourceTask

PAGE = "patterns page, unified adaptive-RAG design"


def adaptive(around: Around) -> StateGraph[GraphState, Context, InputState, OutputState]:
    """Five layers: analysis, retrieval, evaluation, generation with critique, the log."""
    graph = StateGraph(GraphState, around.schema, input_schema=InputState, output_schema=OutputState)
    graph.set_node_defaults(retry_policy=AGAIN)
    node, handler, route = around.node, around.handler, around.route

    graph.add_node("analyze", node(analyze))
    graph.add_node("reply", node(reply), error_handler=handler(policies.knowledge_failed))
    graph.add_node("retrieve", node(find), error_handler=handler(policies.knowledge_failed))
    graph.add_node("evaluate", node(evaluate), error_handler=handler(policies.ungraded("refine")))
    graph.add_node("rewrite", node(rewrite))
    graph.add_node("search", node(search, SourceTask), error_handler=handler(policies.source_failed, SourceTask))
    graph.add_node("refine", node(refine), error_handler=handler(policies.ungraded("refine")))
    graph.add_node("generate", node(generate), error_handler=handler(policies.unwritten("generate")))
    graph.add_node("critique", node(critique), error_handler=handler(policies.critic_failed))
    graph.add_node("finish", node(finish))
    graph.add_node("log", node(log), error_handler=handler(policies.log_failed))

    graph.add_edge(START, "analyze")
    graph.add_conditional_edges("analyze", route(routing.route_after_analysis), ["reply", "retrieve", "generate"])
    graph.add_edge("reply", "finish")
    graph.add_edge("retrieve", "evaluate")
    graph.add_conditional_edges("evaluate", route(routing.route_after_evaluate), ["refine", "rewrite"])
    graph.add_conditional_edges("rewrite", route(routing.fan_out), ["search", "retrieve", "finish"])
    graph.add_edge("search", "evaluate")
    graph.add_edge("refine", "generate")
    graph.add_conditional_edges("generate", route(routing.route_after_generate), ["critique", "finish"])
    graph.add_conditional_edges("critique", route(routing.route_after_plain_critique), ["rewrite", "finish"])
    graph.add_edge("finish", "log")
    graph.add_edge("log", END)
    return graph


ADAPTIVE = System(
    name="adaptive",
    title="Adaptive RAG: query analysis, evaluation, preparation, critique, log",
    source=PAGE,
    build=adaptive,
    choices={"validate_claims": "off"},
    method=Method(keeps="relevant"),
    numbers=(
        Number("retries", "2", f"{PAGE}, checklist: two iterations maximum", "`max_retries`"),
        Number("thresholds", "set on held-out questions", f"{PAGE}, checklist", "`veridic calibrate`, `veridic fit`"),
    ),
    differs=(
        "Layer 4 checks each sentence with the critic and the whole with the evaluator; the page leaves open how.",
    ),
)  # fmt: skip
