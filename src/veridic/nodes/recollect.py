"""Look for an earlier answer to the same question: what it rests on is the evidence to look at first."""

from functools import partial

from veridic.ports.memory import Recollected
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate
from veridic.text.same_question import is_worded_alike


def recollect(state: GraphState, run: Run) -> StateUpdate:
    """Write the passages of people's documents that such an answer rests on as the documents, and which answer it is.

    Everything is judged anew in this run; the documents are searched where that does not suffice, where any came or
    changed that bear on the question, and where the question asks for what is new.
    """
    as_of = run.knowledge.as_of()
    if state["time_sensitive"] or not run.context.recollect:
        return {"as_of": as_of}
    fitting = next((one for one in _known(state, run) if _fits(one, run)), None)
    if fitting is None:
        return {"as_of": as_of}
    return {"as_of": as_of, "told_from": fitting.told, "documents": fitting.passages}


def _known(state: GraphState, run: Run) -> list[Recollected]:
    """What is known of this question in these words; only where something is, the documents are looked through.

    In the same words all that was looked at when it was learned is what would be looked at now. In other words more may
    be found, and another answer in it.
    """
    asked, depth = state["standalone"], state["analysis"]["passages"]
    told = partial(run.knowledge.recollect, asked, statuses=("probation", "active"), deadline=state["deadline"])
    if not any(is_worded_alike(asked, one.told["question"]) for one in told(depth=0)):
        return []
    return [one for one in told(depth=depth) if is_worded_alike(asked, one.told["question"])]


def _fits(known: Recollected, run: Run) -> bool:
    """Whether it was asked of no fewer documents, they are all there, and nothing new bears on the question."""
    asked_of = known.scope is None or known.scope == run.asked_of()
    return asked_of and known.unchanged and bool(known.passages)
