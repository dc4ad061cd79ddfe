"""Ask the knowledge base for the pending queries, as the papers' systems do."""

from veridic.learning.retrieval import found_by
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def find(state: GraphState, run: Run) -> StateUpdate:
    """Add what the pending queries find to the documents."""
    return {"documents": found_by(state["pending"], state, run, state["lessons"])}
