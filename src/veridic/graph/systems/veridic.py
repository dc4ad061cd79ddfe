"""The default: all four methods in one graph."""

from langgraph.graph import END, START

from veridic.graph import routing
from veridic.graph.systems.system import System
from veridic.graph.wiring import Branch, Wiring

WIRING = Wiring(
    {
        START: "analyze",
        "analyze": Branch(routing.route_after_analyze, ("reply", "open_document", "spell", "generate")),
        "reply": "finish",
        "open_document": Branch(routing.route_after_open_document, ("spell", "generate")),
        "spell": "recall",
        "recall": "recollect",
        "recollect": Branch(routing.route_after_recollect, ("evaluate", "retrieve")),
        "retrieve": "evaluate",
        "evaluate": Branch(routing.route_after_evaluate, ("refine", "rewrite", "retrieve")),
        "rewrite": Branch(routing.fan_out, ("search", "retrieve", "finish")),
        "search": "evaluate",
        "refine": Branch(routing.route_after_refine, ("read", "critique", "retrieve")),
        "read": Branch(routing.route_after_read, ("follow", "generate", "retrieve")),
        "follow": "retrieve",
        "generate": Branch(routing.route_after_generate, ("critique", "finish")),
        "critique": Branch(routing.route_after_critique, ("finish", "extract_claims", "rewrite", "retrieve")),
        "extract_claims": Branch(routing.look_up_each, ("look_up", "validate")),
        "look_up": "validate",
        "validate": Branch(routing.route_after_validate, ("read", "finish")),
        "finish": "write_back",
        "write_back": "keep_outside",
        "keep_outside": "log",
        "log": Branch(routing.route_after_log, ("review", END)),
        "review": END,
    }
)

VERIDIC = System(
    name="veridic",
    title="Veridic: CRAG, Self-RAG, Hybrid Self-RAG and Bidirectional RAG in one graph",
    source="docs/decisions.md",
    wiring=WIRING,
)
