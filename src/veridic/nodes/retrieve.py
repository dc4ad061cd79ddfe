"""Ask the knowledge base for the pending queries."""

from itertools import zip_longest

from veridic.evidence.depth import near
from veridic.learning.lessons import demoted, misleading
from veridic.ports.shapes import Passage
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def retrieve(state: GraphState, run: Run) -> StateUpdate:
    """Add what the pending queries find to the documents; one already there keeps its score.

    What an earlier answer rests on is then evidence among other.

    As many as the run chose; where it chose nothing, those near the nearest, as many as the kind of question takes.
    What misled this question before loses rank, so that something else may take its place.
    """
    queries, limit, deadline = state["pending"], state["analysis"]["passages"], state["deadline"]
    misled = misleading(state["lessons"], state["standalone"])
    ranked = run.knowledge.search(queries, limit=limit + len(misled), deadline=deadline)
    found = [demoted(passages, misled)[:limit] for passages in ranked]
    if run.context.passages is None:
        embedder = run.resources.embedder
        found = [near(query, passages, embedder) for query, passages in zip(queries, found, strict=True)]
    interleaved = (passage for rank in zip_longest(*found) for passage in rank if passage is not None)
    by_id: dict[str, Passage] = {passage["id"]: passage for passage in state["documents"]}
    for passage in interleaved:
        by_id.setdefault(passage["id"], passage)
    return {"documents": list(by_id.values()), "told_from": None}
