"""Keep the outside passages that an accepted answer cites, so that later claims can be checked against them."""

from veridic.learning.acceptance import may_learn
from veridic.ports.shapes import CORPUS, OUTSIDE, Citation, Passage
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def keep_outside(state: GraphState, run: Run) -> StateUpdate:
    """Hand them to the knowledge base; nothing when nothing may be learned or kept."""
    since = run.kept_since()
    cited = cited_outside(state) if may_learn(run) and state["outcome"] in ("accepted", "corrected") else []
    if cited and since is not None:
        deadline = run.resources.clock.now() + run.context.time_budget
        run.knowledge.keep_outside(cited, since=since, deadline=deadline)
    return {}


def cited_outside(state: GraphState) -> list[Passage]:
    """The passages this run found outside and its answer cites, each once.

    One that was kept earlier is not kept again: its date stays that of its retrieval.
    """
    looked_up = (passage for one in state["looked_up"] for passage in one["passages"])
    found = {one["id"]: one for one in [*state["findings"], *looked_up] if one["source"] not in (CORPUS, OUTSIDE)}
    citations = [citation for sentence in state["result"]["sentences"] for citation in sentence["citations"]]
    return [one for one in found.values() if any(_holds(one, citation) for citation in citations)]


def _holds(passage: Passage, citation: Citation) -> bool:
    same = passage["document_id"] == citation["document_id"]
    return same and passage["start"] <= citation["start"] and citation["end"] <= passage["end"]
