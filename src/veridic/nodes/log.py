"""Keep the decision row and the lesson of the run."""

from veridic.learning.acceptance import without_orders
from veridic.learning.lessons import lesson_of
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def log(state: GraphState, run: Run) -> StateUpdate:
    """Write both; the last word on the run's path, timings and usage goes into the result.

    A run whose state was changed from outside teaches nothing.
    """
    result = {**state["result"], **{name: state[name] for name in ("path", "timings", "usage")}}
    deadline = run.deadline
    run.resources.decisions.write(result, deadline=deadline)  # type: ignore[arg-type]
    if state["needs_evidence"] and run.untouched and (lesson := lesson_of(state["result"], run.resources.messages)):
        safe = without_orders(lesson["unsupported"], run)
        run.experience.learn(state["run_id"], {**lesson, "unsupported": safe}, deadline=deadline)
    return {"result": result}  # type: ignore[typeddict-item]
