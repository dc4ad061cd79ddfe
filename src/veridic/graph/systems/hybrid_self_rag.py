"""Hybrid Self-RAG: several answers, the most consistent one's claims looked up outside, judged beside what was found.

Where they are not borne out the dense index is asked, and the answer written again, once.
"""

from langgraph.graph import END, START, StateGraph

from veridic.context import Context
from veridic.graph import policies, routing
from veridic.graph.policies import AGAIN
from veridic.graph.systems.system import Number, System
from veridic.graph.wrapping import Around
from veridic.nodes.analyze import analyze
from veridic.nodes.critique import critique
from veridic.nodes.draft import draft
from veridic.nodes.evaluate import evaluate
from veridic.nodes.extract_claims import extract_claims
from veridic.nodes.fall_back import fall_back
from veridic.nodes.find import find
from veridic.nodes.finish import finish
from veridic.nodes.generate import generate
from veridic.nodes.log import log
from veridic.nodes.look_up import look_up
from veridic.nodes.refine import refine
from veridic.nodes.reopen import reopen
from veridic.nodes.validate import validate
from veridic.ports.method import Method
from veridic.state import GraphState, InputState, LookUpTask, OutputState

PAPER = "Hybrid Self-RAG (Ahmed et al.)"


def hybrid_self_rag(around: Around) -> StateGraph[GraphState, Context, InputState, OutputState]:
    """Several answers; the most consistent one's claims looked up; it stays, or dense fallback and once more."""
    graph = StateGraph(GraphState, around.schema, input_schema=InputState, output_schema=OutputState)
    graph.set_node_defaults(retry_policy=AGAIN)
    node, handler, route = around.node, around.handler, around.route

    graph.add_node("analyze", node(analyze))
    graph.add_node("retrieve", node(find), error_handler=handler(policies.knowledge_failed))
    graph.add_node("evaluate", node(evaluate), error_handler=handler(policies.ungraded("refine")))
    graph.add_node("refine", node(refine), error_handler=handler(policies.ungraded("refine")))
    graph.add_node("generate", node(generate), error_handler=handler(policies.unwritten("generate")))
    graph.add_node("reopen", node(reopen))
    graph.add_node("critique", node(critique), error_handler=handler(policies.critic_failed))
    graph.add_node("extract_claims", node(extract_claims), error_handler=handler(policies.claims_failed))
    graph.add_node(
        "look_up", node(look_up, LookUpTask), error_handler=handler(policies.look_up_failed("validate"), LookUpTask)
    )
    graph.add_node("validate", node(validate), error_handler=handler(policies.validation_failed))
    graph.add_node("draft", node(draft), error_handler=handler(policies.unwritten("draft")))
    graph.add_node("fall_back", node(fall_back), error_handler=handler(policies.critic_failed))
    graph.add_node("finish", node(finish))
    graph.add_node("log", node(log), error_handler=handler(policies.log_failed))

    graph.add_edge(START, "analyze")
    graph.add_edge("analyze", "retrieve")
    graph.add_edge("retrieve", "evaluate")
    graph.add_edge("evaluate", "refine")
    graph.add_conditional_edges("refine", route(routing.route_to_draft), ["generate", "draft"])
    graph.add_edge("draft", "reopen")
    graph.add_edge("generate", "reopen")
    graph.add_edge("reopen", "critique")
    graph.add_conditional_edges(
        "critique", route(routing.route_after_judging), ["extract_claims", "fall_back", "finish"]
    )
    graph.add_conditional_edges("extract_claims", route(routing.look_up_each), ["look_up", "validate"])
    graph.add_edge("look_up", "validate")
    graph.add_conditional_edges("validate", route(routing.route_after_fact_score), ["reopen", "finish"])
    graph.add_edge("fall_back", "generate")
    graph.add_edge("finish", "log")
    graph.add_edge("log", END)
    return graph


HYBRID_SELF_RAG = System(
    name="hybrid_self_rag",
    title="Hybrid Self-RAG: the most consistent answer's claims held against Wikipedia and arXiv, dense fallback",
    source=PAPER,
    build=hybrid_self_rag,
    choices={
        "retrieval": "always",
        "validate_claims": "always",
        "candidates": 3,
        "max_retries": 1,
        "sources": ("wikipedia", "arxiv"),
    },
    method=Method(dense="fallback", ranks_by="agreement", keeps="relevant"),
    numbers=(
        Number("FactScore threshold (tau)", "0.5", f"{PAPER}, 4.4 and 4.8", "`fact_score`"),
        Number("answers compared", "\"multiple variations\"", f"{PAPER}, 4.2", "`candidates` = 3; the paper gives no "
               "number; `Method.ranks_by` = agreement"),
        Number("passages of the fallback", "top k, k not given", f"{PAPER}, 4.5", "3 a claim"),
        Number("embedder", "all-MiniLM-L6-v2", f"{PAPER}, 4.8", "the same, int8"),
        Number("model", "GPT-4", f"{PAPER}, 4.8", "`--model openai:gpt-4`"),
    ),
    differs=(
        "The fallback index holds the pages that `veridic ingest wikipedia:TITLE arxiv:ID` put there beforehand, as in "
        "the paper, and beside them your documents and the outside passages that earlier answers cited.",
        "FactScore cannot tell \"X is so\" from \"X is not so\", so that entailment stands beside it, and a claim that "
        "evidence contradicts is never borne out, whatever its cosine.",
        "An answer stays where its claims reach tau and the critique, which judges it anew beside what was found for "
        "them, finds it supported; else it is written again, once. The paper looks at tau alone, which lets wrong "
        "answers pass as often as right ones.",
        "FactScore takes the best source of a claim. The figures of the paper's table 1 are means over Wikipedia and "
        "arXiv; by those nearly every answer to questions of general knowledge would be written again.",
        "Where the documents have nothing, the model writes from what it knows.",
        "The most consistent answer is the one that shares most words with the others; one that is verified comes "
        "before it. What is given has a probability beside its FactScore, where the paper gives the best-scored one.",
        "Claims are split by the model where it follows instructions, else a sentence is one; the paper parses "
        "dependencies. spaCy's English models are not on the package index but as copies by others.",
        "tau is one number for all domains (`fact_score`), as in the paper.",
    ),
)  # fmt: skip
