"""Learn the answer as it is: the naive write-back that Bidirectional RAG is measured against."""

from veridic.learning.acceptance import may_learn
from veridic.learning.keeping import record_of, told
from veridic.ports.shapes.learning import STATUSES
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def write_all(state: GraphState, run: Run) -> StateUpdate:
    """Store the answer as an active record, whatever it is, unless the run or the settings forbid learning."""
    result = state["result"]
    if not may_learn(run):
        return {"result": {**result, "write_back": told("Write-back is off.")}}
    record_id = run.knowledge.remember(record_of(result, "active", {}), deadline=run.deadline)
    reason = f"Stored ({STATUSES['active']}), unchecked."
    return {"result": {**result, "write_back": told(reason, record_id=record_id, status="active")}}
