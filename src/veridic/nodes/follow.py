"""Put what a description was read as into the question, and ask that."""

from langgraph.types import Overwrite

from veridic.evidence.analysis import reworded
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def follow(state: GraphState, run: Run) -> StateUpdate:
    """Write the second question as the standalone one; what was found for the first is graded anew."""
    hop = state["hops"][-1]
    run.emit({"event": "readings", "node": "follow", "readings": [hop["reading"]]})
    ungraded = [{**finding, "score": None} for finding in state["findings"]]
    return {
        "standalone": hop["asks"],
        "analysis": reworded(state["analysis"], hop["asks"]),
        "queries": [*state["queries"], hop["asks"]],
        "pending": [hop["asks"]],
        "documents": [],
        "findings": Overwrite(ungraded),  # type: ignore[typeddict-item]
    }
