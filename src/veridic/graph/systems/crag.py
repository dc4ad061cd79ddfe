"""CRAG, and CRAG with a chat model as its evaluator."""

from langgraph.graph import END, START

from veridic.graph import policies, routing
from veridic.graph.systems.system import Number, System
from veridic.graph.wiring import Branch, Step, Wiring
from veridic.nodes.evaluate import evaluate
from veridic.nodes.give import give

PAGE = "patterns page, Corrective RAG"
PAPER = "CRAG (Yan et al., arXiv:2401.15884)"
ARTICLE = "Self-Correction Loops (Shenvi)"

CRAG = System(
    name="crag",
    title="CRAG: a retrieval evaluator, three actions, knowledge strips",
    source=f"{PAPER}; {PAGE}",
    wiring=Wiring(
        {
            START: "analyze",
            "analyze": "retrieve",
            "retrieve": "evaluate",
            "evaluate": Branch(routing.route_after_evaluate, ("refine", "rewrite")),
            "rewrite": Branch(routing.fan_out, ("search", "retrieve", "finish")),
            "search": "evaluate",
            "refine": "generate",
            "generate": "finish",
            "finish": "log",
            "log": END,
        },
        own={"finish": Step(give)},
    ),
    choices={"retrieval": "always", "passages": 5, "validate_claims": "off"},
    numbers=(
        Number("k", "5", f"{PAGE}, pseudocode", "`passages`"),
        Number("upper, lower", "hand-set for each data set", PAPER, "`upper`, `lower`: the evaluator's calibration, "
               "since thresholds belong to a scorer"),
        Number("strip threshold", "hand-set", PAPER, "`strip`: the evaluator's calibration"),
        Number("search", "web, once", PAGE, "every allowed source that fits the question, side by side"),
    ),
    differs=(
        "What is found outside is graded before it counts; the patterns page asks for this second pass, the paper has "
        "none.",
        "Without an allowed source the knowledge base is asked once more with another query (the article's secondary "
        "retrieval).",
        "Nothing checks the answer: it is given as unverified.",
    ),
)  # fmt: skip

LLM_JUDGE_CRAG = System(
    name="llm_judge_crag",
    title="CRAG as tutorials build it: a chat model grades each passage yes or no",
    source=f"{ARTICLE}; LangGraph's CRAG tutorial",
    wiring=Wiring(
        {
            START: "analyze",
            "analyze": "retrieve",
            "retrieve": "evaluate",
            "evaluate": Branch(routing.route_after_grades, ("take", "rewrite")),
            "rewrite": Branch(routing.fan_out, ("search", "retrieve", "finish")),
            "search": "evaluate",
            "take": "generate",
            "generate": "finish",
            "finish": "log",
            "log": END,
        },
        own={"finish": Step(give), "evaluate": Step(evaluate, on_failure=policies.ungraded("take"))},
    ),
    choices={"retrieval": "always", "passages": 4, "validate_claims": "off"},
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
