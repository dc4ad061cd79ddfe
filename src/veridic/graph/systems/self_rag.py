"""Self-RAG: retrieve on demand, a candidate a passage, three scores, a beam of answers."""

from langgraph.graph import END, START

from veridic.graph import policies, routing
from veridic.graph.systems.system import Number, System
from veridic.graph.wiring import Branch, Step, Wiring
from veridic.nodes.evaluate import evaluate
from veridic.nodes.give_best import give_best

PAPER = "Self-RAG (Asai et al., arXiv:2310.11511)"
PAGE = "patterns page, Self-RAG"

SELF_RAG = System(
    name="self_rag",
    title="Self-RAG: retrieve on demand, a candidate for each passage, sentence by sentence",
    source=f"{PAPER}; {PAGE}",
    wiring=Wiring(
        {
            START: "analyze",
            "analyze": "decide",
            "decide": Branch(routing.route_after_decide, ("retrieve", "generate")),
            "retrieve": "evaluate",
            "evaluate": "write_segments",
            "write_segments": "grade_segments",
            "grade_segments": Branch(routing.route_after_segments, ("write_segments", "finish")),
            "generate": "finish",
            "finish": "log",
            "log": END,
        },
        own={
            "evaluate": Step(evaluate, on_failure=policies.ungraded("write_segments")),
            "finish": Step(give_best),
        },
    ),
    choices={"retrieval": "auto", "passages": 5, "validate_claims": "off"},
    numbers=(
        Number("Retrieve from", "0.2", f"{PAPER}, 4.3", "`retrieve_from`; `retrieval` = auto, always, never"),
        Number("passages, a candidate each", "5; 3 in the pseudocode", f"{PAPER}, 4.3; {PAGE}", "`passages`"),
        Number("weights of ISREL, ISSUP, ISUSE", "1.0, 1.0, 0.5", f"{PAPER}, 4.3",
               "`relevance_weight`, `support_weight`, `usefulness_weight`"),
        Number("ISSUP", "fully 1, partly 0.5, no 0", f"{PAPER}, 3.3", "`support.segments.ISSUP`; partly: some of "
               "the sentence's claims are entailed"),
        Number("ISUSE", "utility 1 to 5 as -1 to 1", f"{PAPER}, 3.3", "P(useful) in 0 to 1; of a model's own token the "
               "same scale moved"),
        Number("beam", "2", f"{PAPER}, 4.3", "`beam`"),
        Number("segments", "at most 7", f"{PAPER}, long-form runs", "`segments` = 3: answers here are short"),
    ),
    differs=(
        "The tokens of a model trained as Self-RAG are its scores and never shown; of any other model the evaluator "
        "gives ISREL and ISUSE, the critic ISSUP.",
        "Whether a sentence is *supported* is our critic's word for every model: a model's own token weighs in the "
        "ranking alone.",
        "P(segment | passage) is no term of the score: a chat protocol does not tell it.",
        "As in the paper the best-ranked answer is always given; what does not hold is given as unverified.",
        "A passage graded irrelevant is not written from; the paper discounts it.",
        "Without a chat model the segments are the passages' own sentences.",
    ),
)  # fmt: skip
