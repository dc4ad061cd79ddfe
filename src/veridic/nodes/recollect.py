"""Look for an earlier answer to the same question: what it rests on is the evidence to look at first."""

from veridic.protocols import Recollected, Run
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
    known = run.knowledge.recollect(
        state["standalone"],
        statuses=("probation", "active"),
        depth=state["analysis"]["passages"],
        deadline=state["deadline"],
    )
    fitting = next((one for one in known if _fits(one, state, run)), None)
    if fitting is None:
        return {"as_of": as_of}
    return {"as_of": as_of, "told_from": fitting.told, "documents": fitting.passages}


def _fits(known: Recollected, state: GraphState, run: Run) -> bool:
    """Whether it is of this question in these words, was asked of no fewer documents, and nothing new bears on it.

    Then all that was looked at when it was learned is what would be looked at now. In other words more may be found,
    and another answer in it.
    """
    asked_of = known.scope is None or known.scope == run.asked_of()
    same = is_worded_alike(state["standalone"], known.told["question"])
    return same and asked_of and known.unchanged and bool(known.passages)
