"""Put what a description was read as into the question, and ask that."""

from langgraph.types import Overwrite

from veridic.protocols import Run
from veridic.state import GraphState, StateUpdate
from veridic.text.links import link_of


def follow(state: GraphState, run: Run) -> StateUpdate:
    """Write the second question as the standalone one; what was found for the first is graded anew."""
    hop, link = state["hop"], link_of(state["standalone"])
    if hop is None or link is None:
        return {"hop": None}
    second = link.second(hop["reading"]["text"])
    run.emit({"event": "readings", "node": "follow", "readings": [hop["reading"]]})
    ungraded = [{**finding, "score": None} for finding in state["findings"]]
    return {
        "standalone": second,
        "queries": [*state["queries"], second],
        "pending": [second],
        "documents": [],
        "findings": Overwrite(ungraded),  # type: ignore[typeddict-item]
        "hops": [*state["hops"], hop],
        "hop": None,
    }
