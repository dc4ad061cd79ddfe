"""What is kept of an accepted answer: its record, and the passages from outside that it cites."""

from datetime import UTC, datetime, timedelta

from veridic.learning.acceptance import rests_on
from veridic.ports.memory import GeneratedRecord
from veridic.ports.shapes import CORPUS, OUTSIDE, Citation, Gate, Passage, WriteBack
from veridic.runtime.run import Run
from veridic.state import GraphState


def record_of(state: GraphState, run: Run, scores: dict[str, float], *, disputed: str) -> GeneratedRecord:
    """An accepted answer as a record; what rests on the open web, or is disputed, waits for review in any case."""
    result, policy = state["result"], run.resources.settings.write_back
    sources = rests_on(result)
    why = _why_it_waits(sources, policy, disputed=disputed)
    return GeneratedRecord(
        run_id=result["run_id"],
        question=result["standalone"],
        text=result["answer"],
        status="review" if why or policy == "off" else policy,
        sources=sources,
        scores=scores,
        short_answer=result["short_answer"],
        sentences=result["sentences"],
        fingerprints=result["judges"]["fingerprints"],
        scope=run.asked_of(),
        expires_at=expiry(run),
        seen=state["as_of"],
        reason=why,
    )


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
    return [one for one in found.values() if any(_holds(one, citation) for citation in citations)]


def _holds(passage: Passage, citation: Citation) -> bool:
    same = passage["document_id"] == citation["document_id"]
    return same and passage["start"] <= citation["start"] and citation["end"] <= passage["end"]


def refused(reason: str, tried: list[Gate] | None = None) -> WriteBack:
    """Nothing is learned, and why."""
    return WriteBack(
        written=False,
        refreshed=False,
        reason=reason,
        record_id="",
        status=None,
        gates=tried or [],
        novelty_as_printed=None,
    )
