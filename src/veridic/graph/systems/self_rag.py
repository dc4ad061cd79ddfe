"""Self-RAG: retrieve on demand before each segment, a candidate a passage, three scores, a beam of answers."""

from langgraph.graph import END, START, StateGraph

from veridic.context import Context
from veridic.graph import policies, routing
from veridic.graph.policies import AGAIN
from veridic.graph.systems.system import Number, System
from veridic.graph.wrapping import Around
from veridic.nodes.analyze import analyze
from veridic.nodes.decide import decide
from veridic.nodes.evaluate import evaluate
from veridic.nodes.find import find
from veridic.nodes.generate import generate
from veridic.nodes.give_best import give_best
from veridic.nodes.grade_segments import grade_segments
from veridic.nodes.log import log
from veridic.nodes.write_segments import write_segments
from veridic.ports.method import Method
from veridic.state import GraphState, InputState, OutputState

PAPER = "Self-RAG (Asai et al., arXiv:2310.11511)"
PAGE = "patterns page, Self-RAG"


def self_rag(around: Around) -> StateGraph[GraphState, Context, InputState, OutputState]:
    """Before each segment retrieve where evidence is needed; write and grade it."""
    graph = StateGraph(GraphState, around.schema, input_schema=InputState, output_schema=OutputState)
    graph.set_node_defaults(retry_policy=AGAIN)
    node, handler, route = around.node, around.handler, around.route

    graph.add_node("analyze", node(analyze))
    graph.add_node("retrieve", node(find), error_handler=handler(policies.knowledge_failed))
    graph.add_node("decide", node(decide), error_handler=handler(policies.undecided))
    graph.add_node("write_segments", node(write_segments), error_handler=handler(policies.unwritten("write_segments")))
    graph.add_node("grade_segments", node(grade_segments), error_handler=handler(policies.critic_failed))
    graph.add_node("evaluate", node(evaluate), error_handler=handler(policies.ungraded("write_segments")))
    graph.add_node("generate", node(generate), error_handler=handler(policies.unwritten("generate")))
    graph.add_node("finish", node(give_best))
    graph.add_node("log", node(log), error_handler=handler(policies.log_failed))

    graph.add_edge(START, "analyze")
    graph.add_edge("analyze", "decide")
    graph.add_conditional_edges("decide", route(routing.route_after_decide), ["retrieve", "write_segments", "generate"])
    graph.add_edge("retrieve", "evaluate")
    graph.add_edge("evaluate", "write_segments")
    graph.add_edge("write_segments", "grade_segments")
    graph.add_conditional_edges("grade_segments", route(routing.route_after_segments), ["decide", "finish"])
    graph.add_edge("generate", "finish")
    graph.add_edge("finish", "log")
    graph.add_edge("log", END)
    return graph


SELF_RAG = System(
    name="self_rag",
    title="Self-RAG: retrieve on demand before each sentence, a candidate for each passage",
    source=f"{PAPER}; {PAGE}",
    build=self_rag,
    choices={"retrieval": "auto", "passages": 5, "validate_claims": "off"},
    method=Method(keeps="relevant"),
    numbers=(
        Number("Retrieve from", "0.2", f"{PAPER}, 4.3", "`Method.retrieve_from`; `retrieval` = auto, always, never"),
        Number("passages, a candidate each", "5; 3 in the pseudocode", f"{PAPER}, 4.3; {PAGE}", "`passages`"),
        Number("weights of ISREL, ISSUP, ISUSE", "1.0, 1.0, 0.5", f"{PAPER}, 4.3", "`ports.method.WEIGHTS`"),
        Number("ISREL, ISSUP, ISUSE", "means over the probabilities of the tokens of the sort: 0 or 1; 0, 0.5 or 1; -1 "
               "to 1", f"{PAPER}, 3.3", "`text.reflection.reflected`; of other models the evaluator's score of the "
               "passage, the critic's P(supported), P(useful)"),
        Number("score of a segment", "P(segment) + 1.0 ISREL + 1.0 ISSUP + 0.5 ISUSE", f"{PAPER}, equations 3 and 4",
               "`evidence.segments.scored`: the same, over its weights"),
        Number("beam", "2", f"{PAPER}, 4.3", "`Method.beam`"),
        Number("segments", "at most 7", f"{PAPER}, long-form runs", "`Method.segments` = 3: answers here are short"),
    ),
    differs=(
        "The tokens of a model trained as Self-RAG are its scores and never shown: by their probabilities where its "
        "server tells them, else as they are written. Of any other model the evaluator gives ISREL, the critic ISSUP.",
        "Of any other model ISUSE is told and does not rank: with the evaluator's word on it wrong sentences won more "
        "often.",
        "A model that was not trained for it goes back to the documents where no sentence that may come next is "
        "supported, once for each sentence; by `Method.trigger` where its own words are improbable (FLARE).",
        "Whether a sentence is *supported* is our critic's word for every model: a model's own token weighs in the "
        "ranking alone.",
        "P(segment) is a term of a trained model's score alone, where its server tells probabilities.",
        "As in the paper the best-ranked answer is always given; what does not hold is given as unverified.",
        "A passage graded irrelevant is not written from; the paper discounts it.",
        "Without a chat model the segments are the passages' own sentences.",
    ),
)  # fmt: skip
