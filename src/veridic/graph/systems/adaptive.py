"""The patterns page's reference design: five layers, a bounded loop."""

from langgraph.graph import END, START

from veridic.graph import routing
from veridic.graph.systems.system import Number, System
from veridic.graph.wiring import Branch, Wiring

PAGE = "patterns page, unified adaptive-RAG design"

ADAPTIVE = System(
    name="adaptive",
    title="Adaptive RAG: query analysis, evaluation, preparation, critique, log",
    source=PAGE,
    wiring=Wiring(
        {
            START: "analyze",
            "analyze": Branch(routing.route_after_analysis, ("reply", "retrieve", "generate")),
            "reply": "finish",
            "retrieve": "evaluate",
            "evaluate": Branch(routing.route_after_evaluate, ("refine", "rewrite")),
            "rewrite": Branch(routing.fan_out, ("search", "retrieve", "finish")),
            "search": "evaluate",
            "refine": "generate",
            "generate": Branch(routing.route_after_generate, ("critique", "finish")),
            "critique": Branch(routing.route_after_plain_critique, ("rewrite", "finish")),
            "finish": "log",
            "log": END,
        }
    ),
    choices={"validate_claims": "off"},
    numbers=(
        Number("retries", "2", f"{PAGE}, checklist: two iterations maximum", "`max_retries`"),
        Number("thresholds", "set on held-out questions", f"{PAGE}, checklist", "`veridic calibrate`, `veridic fit`"),
    ),
    differs=(
        "Layer 4 checks each sentence with the critic and the whole with the evaluator; the page leaves open how.",
    ),
)  # fmt: skip
