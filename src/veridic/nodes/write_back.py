"""Bidirectional RAG's gates: an accepted answer is learned only when people's documents carry it.

What was learned already is refreshed; what turns out to be disputed waits for review.
"""

from datetime import UTC, datetime, timedelta

from veridic.acceptance import deadline_of, novelty_as_printed, of_the_answer, of_the_knowledge_base, sources_of
from veridic.protocols import AskedAgain, GeneratedRecord, Recollected, Run
from veridic.shapes import Citation, Gate, RecordStatus, Result, WriteBack
from veridic.state import GraphState, StateUpdate
from veridic.support import gates
from veridic.support.lessons import was_doubted
from veridic.text.kinds import AnswerKind
from veridic.text.same_question import asks_the_same, is_worded_alike
from veridic.text.sentences import is_prose, sentences

UNLEARNED = 0.1
"""P(a text gives orders) from which it is not learned.

Of held-out attacks 73 % are seen so, 41 % at the detector's own threshold; one harmless sentence in twenty is lost."""

TOO_UNSURE: tuple[AnswerKind, ...] = ("yes-no", "which of two")
"""Kinds of answers that are not learned, however sure; nor are those of questions that link two matters.

Of accepted answers 39 of 85 were false on PubMedQA's yes or no questions, 12 of 17 on HotpotQA's linked ones, and no
confidence told them apart (AUC under 0.5)."""

KNOWN_AS: tuple[RecordStatus, ...] = ("active", "probation", "review", "rejected")
"""Statuses of a record that is not written a second time."""


def write_back(state: GraphState, run: Run) -> StateUpdate:
    """Put the answer through the gates and write what became of it into the result."""
    result = state["result"]
    _contest(result, run)
    closed = _closed(state, run)
    verdict = refused(closed) if closed else _learned(state, run)
    return {"result": {**result, "write_back": verdict}, "outcome": result["outcome"]}


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


def may_learn(run: Run) -> bool:
    """Whether the settings and the run allow anything to be learned."""
    return run.resources.settings.write_back != "off" and run.context.write_back


def _contest(result: Result, run: Run) -> None:
    """What was learned from either side of a disagreement waits for review."""
    sides = [side for one in result["conflicts"] for side in (one["supporting"], one["contradicting"])]
    if sides and run.untouched and may_learn(run):
        run.knowledge.contest(sides, deadline=deadline_of(run))


def _closed(state: GraphState, run: Run) -> str:
    """Why no gate is even tried; empty when they are."""
    result = state["result"]
    if not may_learn(run):
        return "Write-back is off."
    if result["outcome"] not in ("accepted", "corrected"):
        return f"The outcome is {result['outcome']}."
    if state["intent"] != "question":
        return "It answers no question that may be asked again."
    if any(_too_unsure(one["kind"], hops=result["analysis"]["hops"]) for one in result["readings"]):
        return "Decisions and linked questions are answered too unsurely to be learned."
    if not all(is_prose(found["text"]) for found in result["sentences"]):
        return "Part of it is code or a table, which no judge reads."
    if _may_give_orders(result, run):
        return "It may give orders to the machine that reads it."
    if result["conflicts"]:
        return "Sources disagree about it."
    asked = result["standalone"]
    others = [one for one in state["lessons"] if not is_worded_alike(one["question"], asked)]
    return "Asked in other words it was not verified." if was_doubted(others, asked) else ""


def _too_unsure(kind: AnswerKind, *, hops: int) -> bool:
    return kind in TOO_UNSURE or (hops > 1 and kind != "why-how")


def _may_give_orders(result: Result, run: Run) -> bool:
    """Whether a sentence of the answer or of what it rests on is even a little likely to be an order."""
    said = [found["text"] for found in result["sentences"]]
    said += [cited["quote"] for found in result["sentences"] for cited in found["citations"]]
    said += [part.text for text in said for part in sentences(text)]
    return max(run.detector.orders(list(dict.fromkeys(said)), deadline=deadline_of(run)), default=0.0) >= UNLEARNED


def _learned(state: GraphState, run: Run) -> WriteBack:
    """Refresh the record of this question, or write one, as far as the gates let."""
    result = state["result"]
    carried = list(gates.tried(of_the_answer(state, run)))
    if not carried[-1]["passed"]:
        return refused(gates.told(carried[-1]), carried)
    known = _known(result, run)
    if known and not gates.says_otherwise(result["short_answer"], known.told["short_answer"]):
        return _again(known, carried, state, run)
    disputed = [known.told["record_id"]] if known and known.told["status"] != "rejected" else []
    if disputed:
        run.knowledge.contest([], learned=disputed, deadline=deadline_of(run))
    tried = carried + list(gates.tried(of_the_knowledge_base(result, run, disputed=disputed)))
    if not tried[-1]["passed"]:
        return {**refused(gates.told(tried[-1]), tried), "novelty_as_printed": novelty_as_printed(result, run)}
    return _written(disputed, tried, state, run)


def _known(result: Result, run: Run) -> Recollected | None:
    """The record of this question, asked of the same documents."""
    found = run.knowledge.recollect(result["standalone"], statuses=KNOWN_AS, depth=0, deadline=deadline_of(run))
    same = (one for one in found if one.scope == run.asked_of())
    return next((one for one in same if asks_the_same(result["standalone"], one.told["question"])), None)


def _again(known: Recollected, tried: list[Gate], state: GraphState, run: Run) -> WriteBack:
    """Refresh a record; one that a person rejected stays so."""
    if known.told["status"] == "rejected":
        return refused("A person rejected this answer.", tried)
    confirms = state["told_from"] is None and gates.says_the_same(
        state["result"]["short_answer"], known.told["short_answer"]
    )
    again = AskedAgain(
        run_id=state["result"]["run_id"],
        sources=[one["document_id"] for one in sources_of(state["result"]) if one["kind"] == "human"],
        seen=state["as_of"] if confirms else None,
        expires_at=_expiry(run),
        enough=run.resources.settings.confirmations,
    )
    status = run.knowledge.refresh(known.told["record_id"], again, deadline=deadline_of(run))
    return {
        **refused(f"It was learned before and is {status}; it was refreshed.", tried),
        "refreshed": True,
        "record_id": known.told["record_id"],
        "status": status,
    }


def _written(disputed: list[str], tried: list[Gate], state: GraphState, run: Run) -> WriteBack:
    """Write the record; beside one that answers otherwise it waits for review, as that does."""
    printed = novelty_as_printed(state["result"], run)
    scores: dict[str, float] = {gate["name"]: gate["value"] for gate in tried if gate["value"] is not None}
    record = _record(state, run, {**scores, "novelty as printed": printed}, disputed="".join(disputed))
    record_id = run.knowledge.remember(record, deadline=deadline_of(run))
    return WriteBack(
        written=True,
        refreshed=False,
        reason=f"Stored as {record.status}. {record.reason}".rstrip(),
        record_id=record_id,
        status=record.status,
        gates=tried,
        novelty_as_printed=printed,
    )


def _record(state: GraphState, run: Run, scores: dict[str, float], *, disputed: str) -> GeneratedRecord:
    """The record; what rests on the open web, or is disputed, waits for review whatever the policy."""
    result, policy = state["result"], run.resources.settings.write_back
    sources = sources_of(result)
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
        expires_at=_expiry(run),
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


def _expiry(run: Run) -> str:
    days = run.resources.settings.probation_days
    until = datetime.fromtimestamp(run.resources.clock.now(), UTC) + timedelta(days=days)
    return until.isoformat(timespec="seconds") if days else ""
