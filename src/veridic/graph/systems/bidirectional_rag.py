"""Bidirectional RAG: standard RAG that learns the answers which pass its acceptance layer."""

from langgraph.graph import END, START, StateGraph

from veridic.context import Context
from veridic.graph import policies
from veridic.graph.policies import AGAIN
from veridic.graph.systems.system import Number, System
from veridic.graph.wrapping import Around
from veridic.learning.retrieval import recalled
from veridic.nodes.accept import accept
from veridic.nodes.analyze import analyze
from veridic.nodes.critique import critique
from veridic.nodes.find import find
from veridic.nodes.generate import generate
from veridic.nodes.give import give
from veridic.nodes.log import log
from veridic.nodes.take import take
from veridic.state import GraphState, InputState, OutputState

PAPER = "Bidirectional RAG (Chinthala)"


def bidirectional_rag(around: Around) -> StateGraph[GraphState, Context, InputState, OutputState]:
    """Standard RAG, whose answers pass the acceptance layer before they are learned."""
    graph = StateGraph(GraphState, around.schema, input_schema=InputState, output_schema=OutputState)
    graph.set_node_defaults(retry_policy=AGAIN)
    node, handler = around.node, around.handler

    graph.add_node("analyze", node(analyze))
    graph.add_node("recall", node(recalled), error_handler=handler(policies.recall_failed))
    graph.add_node("retrieve", node(find), error_handler=handler(policies.knowledge_failed))
    graph.add_node("take", node(take))
    graph.add_node("generate", node(generate), error_handler=handler(policies.unwritten("generate")))
    graph.add_node("critique", node(critique), error_handler=handler(policies.critic_failed))
    graph.add_node("finish", node(give))
    graph.add_node("write_back", node(accept), error_handler=handler(policies.unlearned("log")))
    graph.add_node("log", node(log), error_handler=handler(policies.log_failed))

    graph.add_edge(START, "analyze")
    graph.add_edge("analyze", "recall")
    graph.add_edge("recall", "retrieve")
    graph.add_edge("retrieve", "take")
    graph.add_edge("take", "generate")
    graph.add_edge("generate", "critique")
    graph.add_edge("critique", "finish")
    graph.add_edge("finish", "write_back")
    graph.add_edge("write_back", "log")
    graph.add_edge("log", END)
    return graph


BIDIRECTIONAL_RAG = System(
    name="bidirectional_rag",
    title="Bidirectional RAG: standard RAG with validated write-back",
    source=f"{PAPER}, IV",
    build=bidirectional_rag,
    choices={"retrieval": "always", "passages": 5, "max_retries": 0, "validate_claims": "off"},
    numbers=(
        Number("grounding", "≥ 0.65", f"{PAPER}, equation 8", "setting `min_grounding`; each sentence by each "
               "retrieved document, as printed (elsewhere by the sentences nearest to the answer, of all passages "
               "together)"),
        Number("attribution", "share of citations that exist; no bound is given", f"{PAPER}, equation 9",
               "setting `min_raw_attribution` = 1, of the writer's own citations; one that cites nothing passes"),
        Number("novelty", "≥ 0.10", f"{PAPER}, equation 10", "setting `min_novelty`"),
        Number("share of learned content (alpha_max)", "no number", f"{PAPER}, equation 3", "setting `max_generated` = "
               "0.2"),
        Number("hallucination rate (epsilon_h)", "no number", f"{PAPER}, equation 2", "setting `max_failing` = 0.02, "
               "the lower bound over 30 audits or more"),
        Number("NLI model", "cross-encoder/nli-deberta-v3-base", f"{PAPER}, V.D", "the critic; that one by "
               "`VERIDIC_CRITIC=cross-encoder/nli-deberta-v3-base` after `pip install 'veridic[hf]'`"),
        Number("generator", "llama3.2:3b on Ollama", f"{PAPER}, V.D", "`--model ollama:llama3.2:3b`"),
    ),
    differs=(
        "It learns into a copy of the knowledge base, unless it is told otherwise (`VERIDIC_OWN_KB=no`).",
        "The paper states shares of learned and of hallucinated content as constraints (equations 2 and 3); here each "
        "is a gate behind its three checks.",
    ),
    learns_unchecked=True,
)  # fmt: skip
