"""Keep the decision row and the lesson of the run."""

from veridic.protocols import Run
from veridic.shapes import Lesson
from veridic.state import GraphState, StateUpdate


def log(state: GraphState, run: Run) -> StateUpdate:
    """Write both; the last word on the run's path, timings and usage goes into the result."""
    result = {**state["result"], **{name: state[name] for name in ("path", "timings", "usage")}}
    deadline = run.resources.clock.now() + run.context.time_budget
    run.resources.decisions.write(result, deadline=deadline)  # type: ignore[arg-type]
    if state["needs_evidence"]:
        run.resources.experience.learn(state["run_id"], lesson(state), deadline=deadline)
    return {"result": result}  # type: ignore[typeddict-item]


def lesson(state: GraphState) -> Lesson:
    """What this run teaches the next one like it."""
    result = state["result"]
    cited = {one["document_id"] for sentence in result["sentences"] for one in sentence["citations"]}
    found_by = [document["found_by"] for document in result["documents"] if document["document_id"] in cited]
    return Lesson(
        question=result["standalone"],
        action=result["action"] or "incorrect",
        outcome=result["outcome"],
        reason=result["stopped_by"] or "",
        query=found_by[0] if found_by else "",
        similarity=1.0,
    )
