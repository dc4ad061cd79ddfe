"""Bidirectional RAG's gates: an accepted answer is learned only when people's documents carry it.

What was learned already is refreshed; what turns out to be disputed waits for review. Passages from outside that an
answer cites are kept, so that later claims can be checked against them.
"""

from veridic.learning import acceptance
from veridic.learning.keeping import accepted, cited_outside, expiry, told
from veridic.learning.same_question import asks_the_same
from veridic.ports.memory import AskedAgain, Recollected
from veridic.ports.shapes import Gate, RecordStatus, Result, WriteBack
from veridic.ports.shapes.learning import STATUSES
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate

KNOWN_AS: tuple[RecordStatus, ...] = ("active", "probation", "review", "rejected")
"""Statuses of a record that is not written a second time."""


def write_back(state: GraphState, run: Run) -> StateUpdate:
    """Put the answer through the gates and write what became of it into the result.

    The passages from outside that an accepted answer cites are kept, where they may be; what was learned from either
    side of a disagreement waits for review.
    """
    result = state["result"]
    learns = acceptance.may_learn(run)
    since = run.kept_since()
    verified = learns and state["outcome"] in ("accepted", "corrected")
    if since is not None and verified and (cited := cited_outside(state)):
        run.knowledge.keep_outside(cited, since=since, deadline=run.deadline)
    sides = [side for one in result["conflicts"] for side in (one["supporting"], one["contradicting"])]
    if sides and run.untouched and learns:
        run.knowledge.contest(sides, deadline=run.deadline)
    closed = acceptance.why_closed(state, run)
    verdict = told(closed) if closed else _learned(state, run)
    return {"result": {**result, "write_back": verdict}, "outcome": result["outcome"]}


def _learned(state: GraphState, run: Run) -> WriteBack:
    """Refresh the record of this question, or write one, as far as the gates let."""
    result = state["result"]
    carried = acceptance.try_gates(acceptance.of_the_answer(state, run))
    if not carried[-1]["passed"]:
        return told(acceptance.why_shut(carried[-1]), carried)
    known = _known(result, run)
    if known and not acceptance.says_otherwise(result["short_answer"], known.told["short_answer"]):
        return _again(known, carried, state, run)
    disputed = [known.told["record_id"]] if known and known.told["status"] != "rejected" else []
    if disputed:
        run.knowledge.contest([], learned=disputed, deadline=run.deadline)
    tried = carried + acceptance.try_gates(acceptance.of_the_knowledge_base(result, run, disputed=disputed))
    if not tried[-1]["passed"]:
        return told(
            acceptance.why_shut(tried[-1]), tried, novelty_as_printed=acceptance.novelty_as_printed(result, run)
        )
    return _written(disputed, tried, state, run)


def _known(result: Result, run: Run) -> Recollected | None:
    """The record of this question, asked of the same documents."""
    found = run.knowledge.recollect(result["standalone"], statuses=KNOWN_AS, depth=0, deadline=run.deadline)
    same = (one for one in found if one.scope == run.asked_of())
    return next((one for one in same if asks_the_same(result["standalone"], one.told["question"])), None)


def _again(known: Recollected, tried: list[Gate], state: GraphState, run: Run) -> WriteBack:
    """Refresh a record; one that a person rejected stays so."""
    if known.told["status"] == "rejected":
        return told("A person rejected this answer.", tried)
    confirms = state["told_from"] is None and acceptance.says_the_same(
        state["result"]["short_answer"], known.told["short_answer"]
    )
    again = AskedAgain(
        run_id=state["result"]["run_id"],
        sources=[one["document_id"] for one in acceptance.rests_on(state["result"]) if one["kind"] == "human"],
        seen=state["as_of"] if confirms else None,
        expires_at=expiry(run),
        enough=run.resources.settings.confirmations,
    )
    status = run.knowledge.refresh(known.told["record_id"], again, deadline=run.deadline)
    reason = f"It was learned before ({STATUSES[status]}) and was refreshed."
    return told(reason, tried, record_id=known.told["record_id"], status=status, refreshed=True)


def _written(disputed: list[str], tried: list[Gate], state: GraphState, run: Run) -> WriteBack:
    """Write the record; beside one that answers otherwise it waits for review, as that does."""
    printed = acceptance.novelty_as_printed(state["result"], run)
    scores: dict[str, float] = {gate["name"]: gate["value"] for gate in tried if gate["value"] is not None}
    record = accepted(state, run, {**scores, "novelty as printed": printed}, disputed="".join(disputed))
    record_id = run.knowledge.remember(record, deadline=run.deadline)
    reason = f"Stored ({STATUSES[record.status]}). {record.reason}".rstrip()
    return told(reason, tried, record_id=record_id, status=record.status, novelty_as_printed=printed)
