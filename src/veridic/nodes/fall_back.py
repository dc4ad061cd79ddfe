"""Hybrid Self-RAG's fallback: where outside did not bear the claims out, the dense index is asked about them."""

from veridic.evidence.factuality import joining
from veridic.evidence.verdicts import graded_windows
from veridic.ports.shapes import CHECKED, CORPUS, OUTSIDE, LookedUp, Passage, Usage
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate

PASSAGES = 3
"""Passages taken for one claim from the documents, and from what was kept from outside."""


def fall_back(state: GraphState, run: Run) -> StateUpdate:
    """Add what the knowledge base has on the claims to what was looked up; what helps joins the strips."""
    claims = [claim["text"] for claim in state["claims"][:CHECKED]]
    deadline = state["deadline"]
    found = _looked_up(claims, CORPUS, run.knowledge.search(claims, limit=PASSAGES, deadline=deadline))
    since = run.kept_since()
    if since is not None:
        kept = run.knowledge.search_outside(claims, limit=PASSAGES, since=since, deadline=deadline)
        found += _looked_up(claims, OUTSIDE, kept)
    evidence, graded = graded_windows(found, state["standalone"], run, deadline=deadline)
    return {
        "looked_up": found,
        "evidence": [*state["evidence"], *evidence],
        "strips": [*joining(evidence, [], state["strips"]), *state["strips"]],
        "usage": Usage(judged_pairs=graded),
    }


def _looked_up(claims: list[str], source: str, found: list[list[Passage]]) -> list[LookedUp]:
    return [
        LookedUp(claim=claim, source=source, passages=passages)
        for claim, passages in zip(claims, found, strict=True)
        if passages
    ]
