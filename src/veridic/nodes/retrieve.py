"""Ask the knowledge base for the pending queries."""

from itertools import zip_longest

from veridic.protocols import Run
from veridic.shapes import Passage
from veridic.state import GraphState, StateUpdate


def retrieve(state: GraphState, run: Run) -> StateUpdate:
    """Add what the pending queries find to the documents; one already there keeps its score."""
    deadline = state["deadline"]
    found = run.knowledge.search(state["pending"], limit=run.context.passages, deadline=deadline)
    interleaved = (passage for rank in zip_longest(*found) for passage in rank if passage is not None)
    by_id: dict[str, Passage] = {passage["id"]: passage for passage in state["documents"]}
    for passage in interleaved:
        by_id.setdefault(passage["id"], passage)
    return {"documents": list(by_id.values())}
