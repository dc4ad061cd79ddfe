"""Ask a person about an answer that was learned and waits for review, where the run can wait for one."""

from typing import Literal

from veridic.ports.shapes import Waiting
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate

DECIDED: dict[object, Literal["active", "rejected"]] = {"approve": "active", "reject": "rejected"}
"""What may be said of a record; whatever else is said, it goes on waiting."""

TOLD = {"active": "A person approved it.", "rejected": "A person rejected it."}


def review(state: GraphState, run: Run) -> StateUpdate:
    """Write what a person decided into the result; the record has waited in the store since before the question.

    Asking ends the run until someone replies, and then this runs again from its start.
    """
    result, learned = state["result"], state["result"]["write_back"]
    if run.ask is None or not run.untouched or learned is None or learned["status"] != "review":
        return {}
    said = run.ask(
        Waiting(
            record_id=learned["record_id"],
            question=result["standalone"],
            answer=result["answer"],
            reason=learned["reason"],
            sources=[one for sentence in result["sentences"] for one in sentence["citations"]],
        )
    )
    decided = DECIDED.get(said) if isinstance(said, str) else None
    if decided is None:
        return {}
    status = run.knowledge.settle(learned["record_id"], decided, result["run_id"], deadline=run.deadline)
    told = TOLD[decided] if status == decided else f"It was {status} by then, and stays so."
    return {"result": {**result, "write_back": {**learned, "status": status, "reason": told}}}
