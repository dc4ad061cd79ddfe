"""CRAG's retrieval evaluator: grade every document in one batch and decide the action."""

from veridic.evidence.answering import lacking
from veridic.evidence.evidence import repeats
from veridic.evidence.relevance import Told, probabilities, relevance
from veridic.ports.judgements import Thresholds
from veridic.ports.shapes import Action, Discarded, Passage, Usage
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate

LOGGED = 24
"""Dropped documents that stay in the state, so that a person sees what was graded down."""


def evaluate(state: GraphState, run: Run) -> StateUpdate:
    """Score what was not scored yet, keep what is relevant, or may be read, and write the action.

    Everything is graded once, against the standalone question. A document found for a sub-question
    takes the larger of that and its own query's score, one found for a part of the question that was not
    answered the larger of that and the part's; a rewrite never grades.
    """
    fresh, discarded = without_repetitions(state["findings"], state["documents"])
    judged, usage = _judged([*fresh, *state["documents"]], state, run)
    thresholds = run.thresholds()
    action = decide([document["score"] or 0.0 for document in judged], thresholds)
    run.emit({"event": "documents", "node": "evaluate", "documents": judged, "action": action})
    least = thresholds.lower if run.method.keeps == "relevant" else thresholds.readable
    surviving = [document for document in judged if (document["score"] or 0.0) >= least]
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


def decide(scores: list[float], thresholds: Thresholds) -> Action:
    """Best score at least `upper`: correct. All under `lower`, or none at all: incorrect. Else ambiguous."""
    best = max(scores, default=0.0)
    if best >= thresholds.upper:
        return "correct"
    return "ambiguous" if best >= thresholds.lower else "incorrect"


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
