"""Learn the answer as it is: the naive write-back that Bidirectional RAG is measured against."""

from veridic.evidence.wording import STATUSES
from veridic.learning.acceptance import may_learn
from veridic.ports.memory import GeneratedRecord
from veridic.ports.shapes import Citation, WriteBack
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def write_all(state: GraphState, run: Run) -> StateUpdate:
    """Store the answer as an active record, whatever it is, unless the run or the settings forbid learning."""
    result = state["result"]
    if not may_learn(run):
        return {"result": {**result, "write_back": _told("", "Write-back is off.")}}
    sources: list[Citation] = [one for sentence in result["sentences"] for one in sentence["citations"]]
    record = GeneratedRecord(
        run_id=result["run_id"],
        question=result["standalone"],
        text=result["answer"],
        status="active",
        sources=sources,
        scores={},
        short_answer=result["short_answer"],
        sentences=result["sentences"],
    )
    deadline = run.resources.clock.now() + run.context.time_budget
    record_id = run.knowledge.remember(record, deadline=deadline)
    return {"result": {**result, "write_back": _told(record_id, f"Stored ({STATUSES['active']}), unchecked.")}}


def _told(record_id: str, reason: str) -> WriteBack:
    return WriteBack(
        written=bool(record_id),
        refreshed=False,
        reason=reason,
        record_id=record_id,
        status="active" if record_id else None,
        gates=[],
        novelty_as_printed=None,
    )
