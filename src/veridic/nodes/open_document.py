"""Open the document that is to be summarised, or what documents say of the subject that was named: the evidence."""

from collections.abc import Sequence

from veridic.evidence.answering import draft
from veridic.evidence.openings import Opening, about, leading
from veridic.evidence.relevance import Told, probabilities, relevance
from veridic.ports.shapes import Passage, Usage
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate
from veridic.text.summaries import Wanted, subject_of_request, to_summarise


def open_document(state: GraphState, run: Run) -> StateUpdate:
    """Write the strips that lead a document or are about a subject and, as a candidate, the first of their sentences.

    Where no document is meant and nothing names the subject, the message is a question like any other.
    """
    opening, judged = _opening_for(state, run)
    if not opening.text:
        return {"intent": "question", "usage": Usage(judged_pairs=judged)}
    run.emit({"event": "documents", "node": "open_document", "documents": opening.passages, "action": "correct"})
    return {
        "documents": opening.passages,
        "strips": opening.strips,
        "action": "correct",
        "candidates": [draft(opening.text, "extractive")],
        "usage": Usage(judged_pairs=judged),
    }


def _opening_for(state: GraphState, run: Run) -> tuple[Opening, int]:
    """What to open for the request, nothing where nothing fits; and the number of pairs judged."""
    wanted, room = to_summarise(state["standalone"]), run.context.evidence_tokens
    passages, judged = _passages(wanted, state, run) if wanted else ([], 0)
    if passages:
        return leading(passages, room), judged
    subject = wanted.name if wanted and not wanted.is_document else subject_of_request(state["standalone"])
    return about(subject, _found(subject, state, run), room) if subject else leading([], room), judged


def _passages(wanted: Wanted, state: GraphState, run: Run) -> tuple[list[Passage], int]:
    """The first passages of the document that is called so; else, if it is said to be one, of that about this."""
    named = _opening(wanted.name, state, run, exactly=not wanted.is_document)
    if named or not wanted.is_document:
        return named, 0
    found = _found(wanted.name, state, run)
    told = [Told(wanted.name, passage, passage["text"]) for passage in found]
    scores, pairs = relevance(told, probabilities(run.sifter, state["deadline"]), least=run.thresholds().strip)
    if max(scores, default=0.0) < run.lower(run.sifter):
        return [], pairs
    best = found[scores.index(max(scores))]
    return _opening(best["document_id"], state, run, exactly=True), pairs


def _found(name: str, state: GraphState, run: Run) -> Sequence[Passage]:
    [found] = run.knowledge.search([name], limit=state["analysis"]["passages"], deadline=state["deadline"])
    return found


def _opening(name: str, state: GraphState, run: Run, *, exactly: bool) -> list[Passage]:
    limit, deadline = state["analysis"]["passages"], state["deadline"]
    return run.knowledge.opening(name, exactly=exactly, limit=limit, deadline=deadline)
