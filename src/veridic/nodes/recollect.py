"""Look for an earlier answer to the same question: what it rests on is the evidence to look at first."""

from veridic.protocols import Recollected, Run
from veridic.state import GraphState, StateUpdate
from veridic.text.same_question import asks_the_same


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
    """Whether it is of this question, was asked of no fewer documents, and nothing new bears on it."""
    asked_of = known.scope is None or known.scope == run.asked_of()
    return (
        known.unchanged
        and asked_of
        and bool(known.passages)
        and asks_the_same(state["standalone"], known.told["question"])
    )
