"""What is kept of an accepted answer: its record, and the passages from outside that it cites."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from veridic.evidence.evidence import stands_in
from veridic.learning.acceptance import rests_on
from veridic.ports.memory import GeneratedRecord
from veridic.ports.shapes import CORPUS, OUTSIDE, Citation, Gate, Passage, RecordStatus, Result, WriteBack
from veridic.runtime.run import Run
from veridic.state import GraphState


def record_of(
    result: Result,
    status: Literal["review", "probation", "active"],
    scores: dict[str, float],
    **more: Any,  # noqa: ANN401 - further fields of the record
) -> GeneratedRecord:
    """An answer as a record."""
    return GeneratedRecord(
        run_id=result["run_id"],
        question=result["standalone"],
        text=result["answer"],
        status=status,
        sources=rests_on(result),
        scores=scores,
        short_answer=result["short_answer"],
        sentences=result["sentences"],
        fingerprints=result["judges"]["fingerprints"],
        **more,
    )


def accepted(state: GraphState, run: Run, scores: dict[str, float], *, disputed: str) -> GeneratedRecord:
    """An accepted answer as a record; what rests on the open web, or is disputed, waits for review in any case."""
    result, policy = state["result"], run.resources.settings.write_back
    why = _why_it_waits(rests_on(result), policy, disputed=disputed)
    own = {"scope": run.asked_of(), "expires_at": expiry(run), "seen": state["as_of"], "reason": why}
    return record_of(result, "review" if why or policy == "off" else policy, scores, **own)


def _why_it_waits(sources: list[Citation], policy: str, *, disputed: str) -> str:
    """Why a record waits for review; empty where it does not."""
    if disputed:
        return f"An earlier answer, {disputed}, says otherwise and waits for review too."
    if any(source["kind"] == "outside" for source in sources):
        return "It rests on a page from outside."
    return "What is learned here waits for review." if policy == "review" else ""


def expiry(run: Run) -> str:
    """When a record on probation that nobody asks for again ends, as ISO 8601; empty: never."""
    days = run.resources.settings.probation_days
    until = datetime.fromtimestamp(run.resources.clock.now(), UTC) + timedelta(days=days)
    return until.isoformat(timespec="seconds") if days else ""


def cited_outside(state: GraphState) -> list[Passage]:
    """The passages this run found outside and its answer cites, each once.

    One that was kept earlier is not kept again: its date stays that of its retrieval.
    """
    looked_up = (passage for one in state["looked_up"] for passage in one["passages"])
    found = {one["id"]: one for one in [*state["findings"], *looked_up] if one["source"] not in (CORPUS, OUTSIDE)}
    citations = [citation for sentence in state["result"]["sentences"] for citation in sentence["citations"]]
    return [one for one in found.values() if stands_in(citations, [one])]


def told(
    reason: str,
    tried: Sequence[Gate] = (),
    *,
    record_id: str = "",
    status: RecordStatus | None = None,
    refreshed: bool = False,
    novelty_as_printed: float | None = None,
) -> WriteBack:
    """What became of an answer; nothing was learned unless a record is named."""
    return WriteBack(
        written=bool(record_id) and not refreshed,
        refreshed=refreshed,
        reason=reason,
        record_id=record_id,
        status=status,
        gates=list(tried),
        novelty_as_printed=novelty_as_printed,
    )
