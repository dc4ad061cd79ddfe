"""Hybrid Self-RAG's critique: every answer is judged by all evidence that is there, as often as more was found."""

from veridic.nodes.critique import critique
from veridic.ports.shapes import Candidate
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def judge_all(state: GraphState, run: Run) -> StateUpdate:
    """As `critique`, where what was judged before is judged anew; an attempt counts once, however often it is judged.

    What was cut out of an answer is cut anew.
    """
    unjudged: list[Candidate] = [{**one, "sentences": []} for one in state["candidates"] if not one["partial"]]
    return critique({**state, "candidates": unjudged, "retries": state["attempt"] - 1}, run)
