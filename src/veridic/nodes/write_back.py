"""Bidirectional RAG's gates: an accepted answer is learned only when people's documents carry it.

What was learned from documents that turn out to disagree waits for review.
"""

from veridic.protocols import GeneratedRecord, Run
from veridic.shapes import Citation, Result, WriteBack
from veridic.state import GraphState, StateUpdate
from veridic.text.sentences import is_prose, sentences

UNLEARNED = 0.1
"""P(a text gives orders) from which it is not learned.

Of held-out attacks 73 % are seen so, 41 % at the detector's own threshold; one harmless sentence in twenty is lost."""


def write_back(state: GraphState, run: Run) -> StateUpdate:
    """Put the answer through the gates and write what became of it into the result."""
    result = state["result"]
    _contest(result, run)
    closed = _closed(result, run)
    verdict = _refused(closed) if closed else _gated(state, run)
    return {"result": {**result, "write_back": verdict}, "outcome": result["outcome"]}


def grounding(result: Result) -> float:
    """Equation 8 over human sources: the mean over sentences of the largest P(entailment)."""
    values = [
        sentence["support"] or 0.0 if any(one["kind"] == "human" for one in sentence["citations"]) else 0.0
        for sentence in result["sentences"]
    ]
    return sum(values) / len(values) if values else 0.0


def attribution(result: Result) -> float:
    """Equation 9 after citation repair: the share of sentences that cite a document this run retrieved."""
    retrieved = {strip["passage"]["document_id"] for strip in result["strips"]}
    cited = [any(one["document_id"] in retrieved for one in found["citations"]) for found in result["sentences"]]
    return sum(cited) / len(cited) if cited else 0.0


def _contest(result: Result, run: Run) -> None:
    """What was learned from either side of documents that disagree waits for review."""
    sides = [one[side]["document_id"] for one in result["conflicts"] for side in ("supporting", "contradicting")]
    if sides and run.untouched and _learns(run):
        deadline = run.resources.clock.now() + run.context.time_budget
        run.knowledge.contest(list(dict.fromkeys(sides)), deadline=deadline)


def _learns(run: Run) -> bool:
    return run.resources.settings.write_back != "off" and run.context.write_back


def _closed(result: Result, run: Run) -> str:
    """Why no gate is even tried; empty when they are."""
    if not _learns(run):
        return "Write-back is off."
    if result["outcome"] not in ("accepted", "corrected"):
        return f"The outcome is {result['outcome']}."
    if all(any(one["quote"] == found["text"] for one in found["citations"]) for found in result["sentences"]):
        return "The documents say it in these words already."
    if not all(is_prose(found["text"]) for found in result["sentences"]):
        return "Part of it is code or a table, which no judge reads."
    if _may_give_orders(result, run):
        return "It may give orders to the machine that reads it."
    return "Sources disagree about it." if result["conflicts"] else ""


def _may_give_orders(result: Result, run: Run) -> bool:
    """Whether a sentence of the answer or of what it rests on is even a little likely to be an order."""
    said = [found["text"] for found in result["sentences"]]
    said += [cited["quote"] for found in result["sentences"] for cited in found["citations"]]
    said += [part.text for text in said for part in sentences(text)]
    deadline = run.resources.clock.now() + run.context.time_budget
    return max(run.detector.orders(list(dict.fromkeys(said)), deadline=deadline), default=0.0) >= UNLEARNED


def _gated(state: GraphState, run: Run) -> WriteBack:
    result, settings = state["result"], run.resources.settings
    deadline = run.resources.clock.now() + run.context.time_budget
    grounded, attributed = grounding(result), attribution(result)
    novelty = 1.0 - run.knowledge.similarity(result["answer"], deadline=deadline)
    status = run.knowledge.status()
    # Documents that a retriever finds cannot be counted; records beside them wait for review.
    share = 0.0 if status.index == "elsewhere" else (status.generated_chunks + 1) / (status.active_chunks + 1)
    failed = [
        text
        for text, passed in {
            f"grounding {grounded:.2f} is under {settings.min_grounding}": grounded >= settings.min_grounding,
            f"attribution {attributed:.2f} is under {settings.min_attribution}": attributed >= settings.min_attribution,
            f"novelty {novelty:.2f} is under {settings.min_novelty}": novelty >= settings.min_novelty,
            f"generated share {share:.2f} is over {settings.max_generated}": share <= settings.max_generated,
        }.items()
        if not passed
    ]
    verdict = WriteBack(
        written=not failed,
        reason=f"{failed[0].capitalize()}." if failed else "",
        record_id="",
        grounding=grounded,
        attribution=attributed,
        novelty=novelty,
    )
    if failed:
        return verdict
    record = _record(result, run, {"grounding": grounded, "attribution": attributed, "novelty": novelty})
    record_id = run.knowledge.remember(record, deadline=deadline)
    return {**verdict, "reason": f"Stored as {record.status}.", "record_id": record_id}


def _record(result: Result, run: Run, scores: dict[str, float]) -> GeneratedRecord:
    """The record; what rests on the open web waits for review whatever the policy."""
    sources: list[Citation] = [one for sentence in result["sentences"] for one in sentence["citations"]]
    policy = run.resources.settings.write_back
    outside = any(source["kind"] == "outside" for source in sources)
    return GeneratedRecord(
        run_id=result["run_id"],
        question=result["standalone"],
        text=result["answer"],
        status="review" if outside or policy == "off" else policy,
        sources=sources,
        scores=scores,
    )


def _refused(reason: str) -> WriteBack:
    return WriteBack(written=False, reason=reason, record_id="", grounding=None, attribution=None, novelty=None)
