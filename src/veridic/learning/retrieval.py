"""What the knowledge base gives for the pending queries of a run, beside what there is."""

from collections.abc import Sequence
from itertools import zip_longest

from veridic.evidence.analysis import near, queries_of, reworded
from veridic.learning.lessons import LESSONS, aliases, demoted, misleading, wording_that_worked
from veridic.ports.shapes import Lesson, Passage
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def recalled(state: GraphState, run: Run) -> StateUpdate:
    """The lessons of similar questions, most similar first; under a scope those that its documents taught.

    Where the same was asked in other words and answered, it is asked in those; `question` stays as asked. What answered
    questions near it find is looked at, too.
    """
    lessons = run.experience.recall(state["standalone"], limit=LESSONS, deadline=state["deadline"])
    standalone, analysis, queries = state["standalone"], state["analysis"], state["queries"]
    if (worked := wording_that_worked(lessons, standalone)) != standalone:
        standalone, analysis = worked, reworded(analysis, worked, run.resources.messages)
        queries = queries_of(standalone, analysis)
    queries = list(dict.fromkeys([*queries, *aliases(lessons, standalone)]))
    return {"lessons": lessons, "standalone": standalone, "analysis": analysis, "queries": queries, "pending": queries}


def found_by(queries: Sequence[str], state: GraphState, run: Run, lessons: Sequence[Lesson] = ()) -> list[Passage]:
    """The documents of the run with what the queries find; one already there keeps its score.

    As many as the run chose; where it chose nothing, those near the nearest, as many as the kind of question takes.
    What misled this question before, by the lessons, loses rank, so that something else may take its place.
    """
    limit = state["analysis"]["passages"]
    misled = misleading(lessons, state["standalone"]) if lessons else {}
    ranked = run.knowledge.search(queries, limit=limit + len(misled), deadline=state["deadline"])
    found = [demoted(passages, misled)[:limit] for passages in ranked] if misled else ranked
    if run.context.passages is None:
        embedder = run.resources.embedder
        found = [near(query, passages, embedder) for query, passages in zip(queries, found, strict=True)]
    interleaved = (passage for rank in zip_longest(*found) for passage in rank if passage is not None)
    by_id: dict[str, Passage] = {passage["id"]: passage for passage in state["documents"]}
    for passage in interleaved:
        by_id.setdefault(passage["id"], passage)
    return list(by_id.values())
