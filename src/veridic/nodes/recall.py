"""Bring the lessons of earlier runs that fit the question."""

from veridic.learning.retrieval import recalled
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def recall(state: GraphState, run: Run) -> StateUpdate:
    """Write what earlier runs taught, and the words in which the question is asked."""
    return recalled(state, run)
