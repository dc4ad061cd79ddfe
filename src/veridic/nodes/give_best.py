"""Give the candidate that ranks first, whether it holds or not: Self-RAG always answers, and says what it is worth."""

from veridic.exporting.results import given, unjudged
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def give_best(state: GraphState, run: Run) -> StateUpdate:
    """Write the answer and the result: accepted or partial where it holds, else unverified; without one it abstains."""
    chosen = next(iter(state["candidates"]), None)
    found = (chosen["sentences"] or unjudged(chosen["text"])) if chosen else []
    return given(state, run, chosen, found)
