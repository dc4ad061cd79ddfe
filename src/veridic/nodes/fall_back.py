"""Hybrid Self-RAG's fallback: where outside did not bear the claims out, the dense index is asked about them."""

from veridic.evidence.factuality import joining
from veridic.evidence.verdicts import graded_windows
from veridic.ports.shapes import CHECKED, LookedUp, Usage
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate

PASSAGES = 3
"""Passages taken for one claim from the documents, and from what was kept from outside."""


def fall_back(state: GraphState, run: Run) -> StateUpdate:
    """Add what the knowledge base has on the claims to what was looked up; what helps joins the strips."""
    claims = [claim["text"] for claim in state["claims"][:CHECKED]]
    held = run.known(claims, limit=PASSAGES, deadline=state["deadline"])
    found = [
        LookedUp(claim=claim, source=place, passages=passages)
        for place, each in held.items()
        for claim, passages in zip(claims, each, strict=True)
        if passages
    ]
    evidence, graded = graded_windows(found, state["standalone"], run, deadline=state["deadline"])
    return {
        "looked_up": found,
        "evidence": [*state["evidence"], *evidence],
        "strips": [*joining(evidence, [], state["strips"]), *state["strips"]],
        "usage": Usage(judged_pairs=graded),
    }
