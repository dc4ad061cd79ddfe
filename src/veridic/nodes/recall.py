"""Bring the lessons of earlier runs that fit the question."""

from veridic.protocols import Run
from veridic.state import GraphState, StateUpdate

LESSONS = 3
"""How many lessons a run has in view."""


def recall(state: GraphState, run: Run) -> StateUpdate:
    """Write the lessons of similar questions, most similar first; none where only some documents are asked.

    A lesson does not say of which documents it was learned, and its query may hold words of them.
    """
    if run.asked_of() is not None:
        return {"lessons": []}
    deadline = state["deadline"]
    return {"lessons": run.resources.experience.recall(state["standalone"], limit=LESSONS, deadline=deadline)}
