"""Opens every answer again, so that all evidence judges it, as often as more was found (Hybrid Self-RAG)."""

from veridic.ports.shapes import Candidate
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def reopen(state: GraphState, _run: Run) -> StateUpdate:
    """The answers without their verdicts; what was cut out of one is cut anew.

    An attempt counts once, however often it is judged.
    """
    unjudged: list[Candidate] = [{**one, "sentences": []} for one in state["candidates"] if not one["partial"]]
    return {"candidates": unjudged, "retries": state["attempt"] - 1}
