"""Ask the knowledge base about the next sentences of a text that is checked."""

from langgraph.types import Overwrite

from veridic.ports.shapes import LookedUp, Passage
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
    held = run.known(queries, limit=run.context.passages or PASSAGES, deadline=state["deadline"])
    found = {place: dict(zip(queries, each, strict=True)) for place, each in held.items()}
    return {
        "batch": batch,
        "looked_up": Overwrite([one for statement in batch for one in _of(statement, found)]),  # type: ignore[typeddict-item]
    }


def _queries(statement: Statement) -> list[str]:
    return [*statement["queries"], *(claim["text"] for claim in statement["claims"])]


def _of(statement: Statement, found: dict[str, dict[str, list[Passage]]]) -> list[LookedUp]:
    """What each place has on a sentence and its claims, each passage once."""
    queries = _queries(statement)
    told = []
    for place, answers in found.items():
        passages = {passage["id"]: passage for query in queries for passage in answers[query]}
        if passages:
            told.append(LookedUp(claim=statement["told"], source=place, passages=list(passages.values())))
    return told
