"""Bring the lessons of earlier runs that fit the question."""

from veridic.evidence.analysis import queries_of, reworded
from veridic.learning.lessons import LESSONS, wording_that_worked
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def recall(state: GraphState, run: Run) -> StateUpdate:
    """Write the lessons of similar questions, most similar first; under a scope those that its documents taught.

    Where the same was asked in other words and answered, it is asked in those; `question` stays as asked.
    """
    lessons = run.experience.recall(state["standalone"], limit=LESSONS, deadline=state["deadline"])
    standalone = wording_that_worked(lessons, state["standalone"])
    if standalone == state["standalone"]:
        return {"lessons": lessons}
    queries = queries_of(standalone, analysis := reworded(state["analysis"], standalone))
    return {"lessons": lessons, "standalone": standalone, "analysis": analysis, "queries": queries, "pending": queries}
