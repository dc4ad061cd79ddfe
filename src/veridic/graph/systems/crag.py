"""CRAG, and CRAG with a chat model as its evaluator."""

from langgraph.graph import END, START, StateGraph

from veridic.context import Context
from veridic.graph import policies, routing
from veridic.graph.policies import AGAIN
from veridic.graph.systems.system import Number, System
from veridic.graph.wrapping import Around
from veridic.nodes.analyze import analyze
from veridic.nodes.evaluate import evaluate
from veridic.nodes.find import find
from veridic.nodes.generate import generate
from veridic.nodes.give import give
from veridic.nodes.log import log
from veridic.nodes.refine import refine
from veridic.nodes.rewrite import rewrite
from veridic.nodes.search import search
from veridic.nodes.take import take
from veridic.ports.method import Method
from veridic.state import GraphState, InputState, OutputState, SourceTask

PAGE = "patterns page, Corrective RAG"
PAPER = "CRAG (Yan et al., arXiv:2401.15884)"
ARTICLE = "Self-Correction Loops (Shenvi)"


def crag(around: Around) -> StateGraph[GraphState, Context, InputState, OutputState]:
    """Grade what was retrieved; correct it by a search; write from the strips that help."""
    graph = StateGraph(GraphState, around.schema, input_schema=InputState, output_schema=OutputState)
    graph.set_node_defaults(retry_policy=AGAIN)
    node, handler, route = around.node, around.handler, around.route

    graph.add_node("analyze", node(analyze))
    graph.add_node("retrieve", node(find), error_handler=handler(policies.knowledge_failed))
    graph.add_node("evaluate", node(evaluate), error_handler=handler(policies.ungraded("refine")))
    graph.add_node("rewrite", node(rewrite))
    graph.add_node("search", node(search, SourceTask), error_handler=handler(policies.source_failed, SourceTask))
    graph.add_node("refine", node(refine), error_handler=handler(policies.ungraded("refine")))
    graph.add_node("generate", node(generate), error_handler=handler(policies.unwritten("generate")))
    graph.add_node("finish", node(give))
    graph.add_node("log", node(log), error_handler=handler(policies.log_failed))

    graph.add_edge(START, "analyze")
    graph.add_edge("analyze", "retrieve")
    beside = around.system.method.search == "beside"
    onward = routing.route_beside if beside else routing.route_to_evaluate
    graph.add_conditional_edges("retrieve", route(onward), ["rewrite", "evaluate"])
    graph.add_conditional_edges("evaluate", route(routing.route_after_evaluate), ["refine", "rewrite"])
    graph.add_conditional_edges("rewrite", route(routing.fan_out), ["search", "retrieve", "finish"])
    graph.add_edge("search", "evaluate")
    graph.add_edge("refine", "generate")
    graph.add_edge("generate", "finish")
    graph.add_edge("finish", "log")
    graph.add_edge("log", END)
    return graph


CRAG = System(
    name="crag",
    title="CRAG: a retrieval evaluator, three actions, knowledge strips",
    source=f"{PAPER}; {PAGE}",
    build=crag,
    choices={"retrieval": "always", "passages": 5, "validate_claims": "off"},
    method=Method(keeps="relevant"),
    numbers=(
        Number("k", "5", f"{PAGE}, pseudocode", "`passages`"),
        Number("upper, lower", "hand-set for each data set", PAPER, "`upper`, `lower`: the evaluator's calibration, "
               "since thresholds belong to a scorer"),
        Number("strip threshold", "hand-set", PAPER, "`strip`: the evaluator's calibration"),
        Number("search", "web, once", PAGE, "every allowed source, side by side; `Method.search` = beside: every time"),
    ),
    differs=(
        "What is found outside is graded before it counts; the patterns page asks for this second pass, the paper has "
        "none.",
        "Without an allowed source the knowledge base is asked once more with another query (the article's secondary "
        "retrieval).",
        "Nothing checks the answer: it is given as unverified.",
    ),
)  # fmt: skip


def llm_judge_crag(around: Around) -> StateGraph[GraphState, Context, InputState, OutputState]:
    """As CRAG, graded passage by passage, without strips."""
    graph = StateGraph(GraphState, around.schema, input_schema=InputState, output_schema=OutputState)
    graph.set_node_defaults(retry_policy=AGAIN)
    node, handler, route = around.node, around.handler, around.route

    graph.add_node("analyze", node(analyze))
    graph.add_node("retrieve", node(find), error_handler=handler(policies.knowledge_failed))
    graph.add_node("take", node(take))
    graph.add_node("evaluate", node(evaluate), error_handler=handler(policies.ungraded("take")))
    graph.add_node("rewrite", node(rewrite))
    graph.add_node("search", node(search, SourceTask), error_handler=handler(policies.source_failed, SourceTask))
    graph.add_node("generate", node(generate), error_handler=handler(policies.unwritten("generate")))
    graph.add_node("finish", node(give))
    graph.add_node("log", node(log), error_handler=handler(policies.log_failed))

    graph.add_edge(START, "analyze")
    graph.add_edge("analyze", "retrieve")
    graph.add_edge("retrieve", "evaluate")
    graph.add_conditional_edges("evaluate", route(routing.route_after_grades), ["take", "rewrite"])
    graph.add_conditional_edges("rewrite", route(routing.fan_out), ["search", "retrieve", "finish"])
    graph.add_edge("search", "evaluate")
    graph.add_edge("take", "generate")
    graph.add_edge("generate", "finish")
    graph.add_edge("finish", "log")
    graph.add_edge("log", END)
    return graph


LLM_JUDGE_CRAG = System(
    name="llm_judge_crag",
    title="CRAG as tutorials build it: a chat model grades each passage yes or no",
    source=f"{ARTICLE}; LangGraph's CRAG tutorial",
    build=llm_judge_crag,
    choices={"retrieval": "always", "passages": 4, "validate_claims": "off"},
    method=Method(keeps="relevant"),
    numbers=(
        Number("k", "4", "LangGraph's tutorial (the retriever's default)", "`passages`"),
        Number("grade", "yes or no", ARTICLE, "a scale of 0 to 2, of which 2 is yes; nothing unreadable passes"),
        Number("retries", "a `max_retries` counter", ARTICLE, "one correction, as in the tutorial's graph"),
        Number("latency of the grader", "0.3 to 0.8 s", ARTICLE, "told in the result, with its calls and tokens"),
    ),
    differs=(
        "The passages graded no are dropped, and the question goes outside when none is left; the tutorial goes "
        "outside as soon as one is dropped.",
        "The grader is the chat model itself unless `VERIDIC_JUDGE=llm:PROVIDER:NAME` names another.",
        "A passage is not cut into strips, and nothing checks the answer: it is given as unverified.",
    ),
    chat_grades=True,
)  # fmt: skip
