"""Bidirectional RAG's acceptance layer as its paper prints it: three checks, then the corpus grows."""

from veridic.evidence.wording import STATUSES
from veridic.learning import gates
from veridic.learning.acceptance import deadline_of, may_learn, novelty_as_printed, rests_on
from veridic.ports.memory import GeneratedRecord
from veridic.ports.shapes import Gate, Result, WriteBack
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def accept(state: GraphState, run: Run) -> StateUpdate:
    """Store the answer as active where equations 8, 9 and 10 let it, against all that was retrieved and is found."""
    result = state["result"]
    if not may_learn(run):
        return {"result": {**result, "write_back": _told([], "Write-back is off.")}}
    tried = list(gates.tried(_gates(state, run)))
    if not tried[-1]["passed"]:
        return {"result": {**result, "write_back": _told(tried, gates.told(tried[-1]))}}
    record_id = run.knowledge.remember(_record(result, tried), deadline=deadline_of(run))
    return {"result": {**result, "write_back": _told(tried, f"Stored ({STATUSES['active']}).", record_id)}}


def _gates(state: GraphState, run: Run) -> list[gates.Measured]:
    result, settings = state["result"], run.resources.settings
    written = next((one for one in state["candidates"] if one["origin"] == "chat"), None)
    return [
        ("grounding", lambda: gates.grounding(result, of_all=True), settings.min_grounding),
        ("raw attribution", lambda: written["attribution"] if written else None, settings.min_raw_attribution),
        (
            "novelty",
            lambda: novelty_as_printed(result, run),
            settings.min_novelty,
        ),
    ]


def _record(result: Result, tried: list[Gate]) -> GeneratedRecord:
    return GeneratedRecord(
        run_id=result["run_id"],
        question=result["standalone"],
        text=result["answer"],
        status="active",
        sources=rests_on(result),
        scores={gate["name"]: gate["value"] for gate in tried if gate["value"] is not None},
        short_answer=result["short_answer"],
        sentences=result["sentences"],
        fingerprints=result["judges"]["fingerprints"],
    )


def _told(tried: list[Gate], reason: str, record_id: str = "") -> WriteBack:
    novelty = next((gate["value"] for gate in tried if gate["name"] == "novelty"), None)
    return WriteBack(
        written=bool(record_id),
        refreshed=False,
        reason=reason,
        record_id=record_id,
        status="active" if record_id else None,
        gates=tried,
        novelty_as_printed=novelty,
    )
