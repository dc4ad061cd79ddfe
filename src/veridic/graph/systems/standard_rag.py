"""Plain RAG, the baseline of Bidirectional RAG's paper, and the same with everything written back."""

from langgraph.graph import END, START, StateGraph

from veridic.context import Context
from veridic.graph import policies
from veridic.graph.policies import AGAIN
from veridic.graph.systems.system import Number, System
from veridic.graph.wrapping import Around
from veridic.nodes.analyze import analyze
from veridic.nodes.find import find
from veridic.nodes.generate import generate
from veridic.nodes.give import give
from veridic.nodes.log import log
from veridic.nodes.take import take
from veridic.nodes.write_all import write_all
from veridic.state import GraphState, InputState, OutputState

PAPER = "Bidirectional RAG (Chinthala)"


def standard_rag(around: Around) -> StateGraph[GraphState, Context, InputState, OutputState]:
    """Retrieve, then write."""
    graph = StateGraph(GraphState, around.schema, input_schema=InputState, output_schema=OutputState)
    graph.set_node_defaults(retry_policy=AGAIN)
    node, handler = around.node, around.handler

    graph.add_node("analyze", node(analyze))
    graph.add_node("retrieve", node(find), error_handler=handler(policies.knowledge_failed))
    graph.add_node("take", node(take))
    graph.add_node("generate", node(generate), error_handler=handler(policies.unwritten("generate")))
    graph.add_node("finish", node(give))
    graph.add_node("log", node(log), error_handler=handler(policies.log_failed))

    graph.add_edge(START, "analyze")
    graph.add_edge("analyze", "retrieve")
    graph.add_edge("retrieve", "take")
    graph.add_edge("take", "generate")
    graph.add_edge("generate", "finish")
    graph.add_edge("finish", "log")
    graph.add_edge("log", END)
    return graph


STANDARD_RAG = System(
    name="standard_rag",
    title="Standard RAG: retrieve, then write",
    source=f"{PAPER}, V.B: retrieve-and-generate with a static corpus",
    build=standard_rag,
    choices={"retrieval": "always", "passages": 5},
    numbers=(
        Number("k", "not given", f"{PAPER}, V.D", "`passages` = 5, as the pseudocode of the patterns page; the bench "
               "chooses it on other questions"),
        Number("embedder", "all-MiniLM-L6-v2", f"{PAPER}, V.D", "the same, int8"),
    ),
    differs=(
        "Retrieval is dense and lexical, as in every system here, where the paper's is dense alone: what is compared "
        "is what follows it.",
        "Without a chat model the answer is the window nearest to the question.",
    ),
)  # fmt: skip


def naive_write_back(around: Around) -> StateGraph[GraphState, Context, InputState, OutputState]:
    """Retrieve, write, and learn every answer."""
    graph = StateGraph(GraphState, around.schema, input_schema=InputState, output_schema=OutputState)
    graph.set_node_defaults(retry_policy=AGAIN)
    node, handler = around.node, around.handler

    graph.add_node("analyze", node(analyze))
    graph.add_node("retrieve", node(find), error_handler=handler(policies.knowledge_failed))
    graph.add_node("take", node(take))
    graph.add_node("generate", node(generate), error_handler=handler(policies.unwritten("generate")))
    graph.add_node("finish", node(give))
    graph.add_node("write_back", node(write_all), error_handler=handler(policies.unlearned("log")))
    graph.add_node("log", node(log), error_handler=handler(policies.log_failed))

    graph.add_edge(START, "analyze")
    graph.add_edge("analyze", "retrieve")
    graph.add_edge("retrieve", "take")
    graph.add_edge("take", "generate")
    graph.add_edge("generate", "finish")
    graph.add_edge("finish", "write_back")
    graph.add_edge("write_back", "log")
    graph.add_edge("log", END)
    return graph


NAIVE_WRITE_BACK = System(
    name="naive_write_back",
    title="Naive write-back: standard RAG that learns every answer",
    source=f"{PAPER}, V.B: writes all responses to the corpus without validation",
    build=naive_write_back,
    choices={"retrieval": "always", "passages": 5},
    numbers=(Number("documents added", "500 of 500 answers", f"{PAPER}, Table I", "every answer; refusals too"),),
    differs=(
        "The paper's warning, made runnable: it writes to a copy of the knowledge base, never to yours, unless it is "
        "told to (`VERIDIC_OWN_KB=no`).",
    ),
    learns_unchecked=True,
)  # fmt: skip
