"""Ask the knowledge base about the next sentences of a text that is checked."""

from collections.abc import Sequence

from langgraph.types import Overwrite

from veridic.ports.shapes import CORPUS, OUTSIDE, LookedUp, Passage
from veridic.ports.shapes.checking import Statement
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate

BATCH = 32
"""Sentences that are looked up and judged together."""

PASSAGES = 5
"""Passages taken for each query of a sentence, unless the run chose a number."""


def search_claims(state: GraphState, run: Run) -> StateUpdate:
    """Write the next batch and what is known of it; none where the time for it is over."""
    if run.resources.clock.now() > run.context.written_until(state["deadline"]):
        return {"batch": [], "stopped_by": "time"}
    last = max((one["sentence_start"] for one in state["checked"]), default=-1)
    batch = [one for one in state["statements"] if one["reason"] is None and one["start"] > last][:BATCH]
    queries = list(dict.fromkeys(query for one in batch for query in _queries(one)))
    found = _found(queries, run, state["deadline"])
    return {
        "batch": batch,
        "looked_up": Overwrite([one for statement in batch for one in _of(statement, found)]),  # type: ignore[typeddict-item]
    }


def _queries(statement: Statement) -> list[str]:
    return [*statement["queries"], *(claim["text"] for claim in statement["claims"])]


def _found(queries: Sequence[str], run: Run, deadline: float) -> dict[str, dict[str, list[Passage]]]:
    """For each place and query its passages: the documents, and what was kept from outside if anything may be."""
    limit, since = run.context.passages or PASSAGES, run.kept_since()
    own = run.knowledge.search(queries, limit=limit, deadline=deadline)
    found = {CORPUS: dict(zip(queries, own, strict=True))}
    if since is not None:
        kept = run.knowledge.search_outside(queries, limit=limit, since=since, deadline=deadline)
        found[OUTSIDE] = dict(zip(queries, kept, strict=True))
    return found


def _of(statement: Statement, found: dict[str, dict[str, list[Passage]]]) -> list[LookedUp]:
    """What each place has on a sentence and its claims, each passage once."""
    queries = _queries(statement)
    told = []
    for place, answers in found.items():
        passages = {passage["id"]: passage for query in queries for passage in answers[query]}
        if passages:
            told.append(LookedUp(claim=statement["told"], source=place, passages=list(passages.values())))
    return told
