"""Ask the knowledge base for the pending queries; at first also for what earlier questions taught, and answered."""

from functools import partial

from veridic.learning.retrieval import found_by, recalled
from veridic.learning.same_question import is_worded_alike
from veridic.ports.memory import Recollected
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def retrieve(state: GraphState, run: Run) -> StateUpdate:
    """Add what the pending queries find to the documents; what an earlier answer rests on is then evidence among other.

    The first time lessons are brought, and an earlier answer to the same question is looked for: what it rests on is
    the evidence to look at first, judged anew. A first time that failed is followed by a plain one.
    """
    if "retrieve" in state["path"]:
        return {"documents": found_by(state["pending"], state, run, state["lessons"]), "told_from": None}
    first: StateUpdate = {**recalled(state, run), "as_of": run.knowledge.as_of()}
    asked: GraphState = {**state, **first, "analysis": state["analysis"]}
    if known := _known(asked["standalone"], state, run):
        return {**first, "told_from": known.told, "documents": known.passages}
    return {**first, "documents": found_by(asked["pending"], asked, run, asked["lessons"]), "told_from": None}


def _known(asked: str, state: GraphState, run: Run) -> Recollected | None:
    """An earlier answer to this question that may be looked at in place of a search.

    Not where the question asks for what is new. In the same words all that was looked at when it was learned is what
    would be looked at now; in other words more may be found, and another answer in it. Only where something is known in
    these words are the documents looked through.
    """
    if state["time_sensitive"] or not run.method.recollect:
        return None
    told = partial(run.knowledge.recollect, asked, statuses=("probation", "active"), deadline=state["deadline"])
    if not any(is_worded_alike(asked, one.told["question"]) for one in told(depth=0)):
        return None
    worded = (one for one in told(depth=state["analysis"]["passages"]) if is_worded_alike(asked, one.told["question"]))
    return next((one for one in worded if _fits(one, run)), None)


def _fits(known: Recollected, run: Run) -> bool:
    """Whether it was asked of no fewer documents, they are all there, and nothing new bears on the question."""
    asked_of = known.scope is None or known.scope == run.asked_of()
    return asked_of and known.unchanged and bool(known.passages)
