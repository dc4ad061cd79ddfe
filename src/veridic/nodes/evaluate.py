"""CRAG's retrieval evaluator: grade every document in one batch and decide the action."""

from collections.abc import Sequence

from veridic.evidence.answering import lacking
from veridic.evidence.evidence import repeats
from veridic.evidence.relevance import Told, probabilities, relevance
from veridic.ports.judgements import COMPANY, Thresholds
from veridic.ports.shapes import Action, Discarded, Passage, Usage
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate

LOGGED = 24
"""Dropped documents that stay in the state, so that a person sees what was graded down."""


def evaluate(state: GraphState, run: Run) -> StateUpdate:
    """Score what was not scored yet, keep what is relevant, or may be read, and write the action.

    Everything is graded once, against the standalone question. A document found for a sub-question
    takes the larger of that and its own query's score, one found for a part of the question that was not
    answered the larger of that and the part's; a rewrite never grades. What is outside counts as found among the most
    passages.
    """
    fresh, discarded = without_repetitions(state["findings"], state["documents"])
    judged, usage = _judged([*fresh, *state["documents"]], state, run)
    own, outside = run.thresholds(run.company(state["deadline"])), run.thresholds(COMPANY)
    scored = [(document["score"] or 0.0, outside if document["kind"] == "outside" else own) for document in judged]
    action = decide(scored)
    run.emit({"event": "documents", "node": "evaluate", "documents": judged, "action": action})
    relevant = run.method.keeps == "relevant"
    surviving = [
        document
        for document, (score, points) in zip(judged, scored, strict=True)
        if score >= (points.lower if relevant else points.readable)
    ]
    kept = {document["id"] for document in surviving}
    dropped = {one["id"]: one for one in [*reversed(state["rejected"]), *reversed(judged)] if one["id"] not in kept}
    found = {finding["id"] for finding in fresh}
    graded = [document for document in judged if document["id"] in found]
    return {
        "documents": surviving,
        "rejected": sorted(dropped.values(), key=lambda one: -(one["score"] or 0.0))[:LOGGED],
        "findings": graded,
        "action": action,
        "discarded": discarded,
        "usage": usage,
    }


def decide(scored: Sequence[tuple[float, Thresholds]]) -> Action:
    """A score that reaches its `upper`: correct. All under their `lower`, or none at all: incorrect. Else ambiguous."""
    if any(score >= points.upper for score, points in scored):
        return "correct"
    return "ambiguous" if any(score >= points.lower for score, points in scored) else "incorrect"


def without_repetitions(findings: list[Passage], documents: list[Passage]) -> tuple[list[Passage], list[Discarded]]:
    """The findings that say something the documents and the findings before them do not, and the others."""
    known, fresh, discarded = list(documents), list[Passage](), list[Discarded]()
    for finding in findings:
        same = any(finding["id"] == held["id"] for held in known)
        told = None if same else next((held for held in known if repeats(finding["text"], held["text"])), None)
        if told:
            reason = "duplicate" if told["kind"] == "outside" else "already in the corpus"
            discarded.append(Discarded(source=finding["source"], url=finding["url"], reason=reason))
        elif not same:
            known.append(finding)
            fresh.append(finding)
    return fresh, discarded


def _judged(documents: list[Passage], state: GraphState, run: Run) -> tuple[list[Passage], Usage]:
    """The documents with scores, best first."""
    sub_questions = set(state["queries"][1:]) if not state["searched"] else set[str]()
    parts = lacking(state["readings"])
    pairs: list[tuple[int, str]] = []
    for place, document in enumerate(documents):
        if document["score"] is None:
            pairs += [(place, question) for question in (state["standalone"], *parts)]
            if document["found_by"] in sub_questions:
                pairs.append((place, document["found_by"]))
    told = [Told(query, documents[place], documents[place]["text"]) for place, query in pairs]
    found, judged_pairs = relevance(told, probabilities(run.evaluator, state["deadline"]), least=run.thresholds().strip)
    scores: dict[int, float] = {}
    for (place, _), score in zip(pairs, found, strict=True):
        scores[place] = max(scores.get(place, 0.0), score)
    judged = [
        Passage(**{**document, "score": scores.get(place, document["score"])})
        for place, document in enumerate(documents)
    ]
    judged.sort(key=lambda document: -(document["score"] or 0.0))
    return judged, Usage(judged_pairs=judged_pairs)
