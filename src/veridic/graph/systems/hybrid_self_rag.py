"""Hybrid Self-RAG: several answers, the most consistent one's claims checked outside, dense fallback, one rewriting."""

from veridic.graph.systems.system import System
from veridic.graph.systems.veridic import WIRING

PAPER = "Hybrid Self-RAG (Ahmed et al.)"

HYBRID_SELF_RAG = System(
    name="hybrid_self_rag",
    title="Hybrid Self-RAG: claims validated outside",
    source=PAPER,
    wiring=WIRING,
    choices={
        "retrieval": "always",
        "validate_claims": "always",
        "candidates": 3,
        "max_retries": 1,
        "sources": ("wikipedia", "arxiv"),
    },
)
