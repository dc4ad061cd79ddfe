"""Bring the lessons of earlier runs that fit the question."""

from veridic.protocols import Run
from veridic.state import GraphState, StateUpdate

LESSONS = 3
"""How many lessons a run has in view."""


def recall(state: GraphState, run: Run) -> StateUpdate:
    """Write the lessons of similar questions, most similar first; under a scope those that its documents taught."""
    return {"lessons": run.experience.recall(state["standalone"], limit=LESSONS, deadline=state["deadline"])}
