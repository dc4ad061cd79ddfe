"""Hybrid Self-RAG: several answers, the most consistent one's claims checked outside, dense fallback, one rewriting."""

from langgraph.graph import END, START

from veridic.graph import routing
from veridic.graph.systems.system import Number, System
from veridic.graph.wiring import Branch, Wiring

PAPER = "Hybrid Self-RAG (Ahmed et al.)"

HYBRID_SELF_RAG = System(
    name="hybrid_self_rag",
    title="Hybrid Self-RAG: the most consistent answer's claims held against Wikipedia and arXiv, dense fallback",
    source=PAPER,
    wiring=Wiring(
        {
            START: "analyze",
            "analyze": "retrieve",
            "retrieve": "evaluate",
            "evaluate": "refine",
            "refine": Branch(routing.route_to_draft, ("generate", "draft")),
            "draft": "critique",
            "generate": "critique",
            "critique": Branch(routing.route_after_consistency, ("extract_claims", "finish")),
            "extract_claims": Branch(routing.look_up_each, ("look_up", "validate")),
            "look_up": "validate",
            "validate": Branch(routing.route_after_fact_score, ("generate", "fall_back", "finish")),
            "fall_back": "generate",
            "finish": "log",
            "log": END,
        }
    ),
    choices={
        "retrieval": "always",
        "validate_claims": "always",
        "dense": "fallback",
        "candidates": 3,
        "max_retries": 1,
        "sources": ("wikipedia", "arxiv"),
    },
    numbers=(
        Number("FactScore threshold (tau)", "0.5", f"{PAPER}, 4.4 and 4.8", "`fact_score`"),
        Number("answers compared", "\"multiple variations\"", f"{PAPER}, 4.2", "`candidates` = 3; the paper gives no "
               "number"),
        Number("passages of the fallback", "top k, k not given", f"{PAPER}, 4.5", "3 a claim"),
        Number("embedder", "all-MiniLM-L6-v2", f"{PAPER}, 4.8", "the same, int8"),
        Number("model", "GPT-4", f"{PAPER}, 4.8", "`--model openai:gpt-4`"),
    ),
    differs=(
        "The paper's fallback index is built beforehand from the same Wikipedia and arXiv pages; here it is the "
        "knowledge base: your documents, the outside passages that earlier answers cited, and what `veridic ingest "
        "wikipedia:TITLE` was told to keep.",
        "FactScore cannot tell \"X is so\" from \"X is not so\", so that entailment stands beside it, and a claim that "
        "evidence contradicts is never borne out, whatever its cosine.",
        "Where the documents have nothing, the model writes from what it knows, and again from the evidence that was "
        "found for its claims.",
        "An answer is given only if each sentence is supported; the paper gives the best-scored one.",
        "Claims are split by written rules where the model follows no instructions, where the paper parses "
        "dependencies.",
    ),
)  # fmt: skip
