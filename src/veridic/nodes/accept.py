"""Bidirectional RAG's acceptance layer as its paper prints it: three checks within two constraints."""

from veridic.learning.acceptance import (
    Measured,
    constraints,
    grounding_as_printed,
    may_learn,
    novelty_as_printed,
    try_gates,
    why_shut,
)
from veridic.learning.keeping import record_of, told
from veridic.ports.shapes import WriteBack
from veridic.ports.shapes.learning import STATUSES
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def accept(state: GraphState, run: Run) -> StateUpdate:
    """Store the answer as active where equations 8, 9 and 10 let it, and 2 and 3 leave room.

    They are measured against all that was retrieved and is found. Raises what `Critic.judge` raises.
    """
    learned = _learned(state, run) if may_learn(run) else told("Write-back is off.")
    return {"result": {**state["result"], "write_back": learned}}


def _learned(state: GraphState, run: Run) -> WriteBack:
    tried = try_gates(_gates(state, run))
    values: dict[str, float] = {gate["name"]: gate["value"] for gate in tried if gate["value"] is not None}
    printed = values.get("novelty")
    if not tried[-1]["passed"]:
        return told(why_shut(tried[-1]), tried, novelty_as_printed=printed)
    record = record_of(state["result"], "active", values)
    record_id = run.knowledge.remember(record, deadline=run.deadline)
    reason = f"Stored ({STATUSES['active']})."
    return told(reason, tried, record_id=record_id, status="active", novelty_as_printed=printed)


def _gates(state: GraphState, run: Run) -> list[Measured]:
    result, settings = state["result"], run.resources.settings
    written = next((one for one in state["candidates"] if one["origin"] == "chat"), None)
    return [
        ("grounding", lambda: grounding_as_printed(result, state["documents"], run), settings.min_grounding),
        ("raw attribution", lambda: written["attribution"] if written else None, settings.min_raw_attribution),
        ("novelty", lambda: novelty_as_printed(result, run), settings.min_novelty),
        *constraints(run),
    ]
