"""Hybrid Self-RAG's validation: the claims against what was looked up for them, scored.

It is visited before the answer is written again and, when it was, once more after: then the returned answer's
claims are held against the evidence that is there already.
"""

from collections.abc import Sequence

from veridic.evidence.factuality import (
    Bounds,
    Findings,
    Measured,
    conflicts_over,
    contradicting,
    fact_scores,
    joining,
    merged,
    nearest,
)
from veridic.evidence.verdicts import Asserted, graded_windows, weighed_on
from veridic.ports.embedding import embedded
from veridic.ports.shapes import CHECKED, FactReport, Strip, Usage
from veridic.runtime.run import Run
from veridic.state import GraphState, StateUpdate


def validate(state: GraphState, run: Run) -> StateUpdate:
    """Write the fact report, or its second half; evidence that helps to answer the question joins the strips."""
    before = state["fact_report"]
    evidence, graded = state["evidence"], 0
    if before is None:
        evidence, graded = graded_windows(state["looked_up"], state["standalone"], run, deadline=state["deadline"])
    claims, unchecked = state["claims"][:CHECKED], state["claims"][CHECKED:]
    found = _found(state, evidence) if before is None else _held_against(evidence, state)
    measured, pairs = _measured(found, state, run)
    thresholds = run.thresholds()
    bounds = Bounds(thresholds.support, thresholds.contradiction)
    scores = fact_scores(claims, measured, bounds, unchecked=unchecked)
    update: StateUpdate = {
        "validated": True,
        "conflicts": merged(state["conflicts"], conflicts_over(claims, measured, bounds)),
        "usage": Usage(judged_pairs=pairs + graded),
    }
    if before is not None:
        return {**update, "fact_report": {**before, "after": scores}}
    against = [strip for one in measured if (strip := contradicting(one, bounds))]
    joined = joining(evidence, against, state["strips"])
    return {
        **update,
        "fact_report": FactReport(**scores, after=None),
        "evidence": evidence,
        "strips": [*joined, *state["strips"]],
    }


def _found(state: GraphState, evidence: Sequence[Strip]) -> list[Findings]:
    """For each claim and place that answered, its windows."""
    by_text = {claim["text"]: claim for claim in state["claims"]}
    found = []
    for one in state["looked_up"]:
        ids = {passage["id"] for passage in one["passages"]}
        windows = [strip for strip in evidence if strip["passage"]["id"] in ids]
        found.append(Findings(by_text[one["claim"]], one["source"], nearest(one["claim"], windows)))
    return found


def _held_against(evidence: Sequence[Strip], state: GraphState) -> list[Findings]:
    """For each claim and each place that has evidence, the windows nearest to it, whatever they were found for."""
    sources = dict.fromkeys(strip["passage"]["source"] for strip in evidence)
    return [
        Findings(claim, source, nearest(claim["text"], [s for s in evidence if s["passage"]["source"] == source]))
        for claim in state["claims"][:CHECKED]
        for source in sources
    ]


def _measured(found: Sequence[Findings], state: GraphState, run: Run) -> tuple[list[Measured], int]:
    """What was found with cosines and judgements; one batch to the embedder, one to the critic."""
    asked = [Asserted(one.claim["text"], one.windows) for one in found]
    weighed, pairs = weighed_on(asked, run.critic, state["deadline"])
    return [Measured(*one) for one in zip(found, _cosines(found, run), weighed, strict=True)], pairs


def _cosines(found: Sequence[Findings], run: Run) -> list[list[float]]:
    """The cosine of each claim with each of its windows, not under 0."""
    texts = list(dict.fromkeys(text for one in found for text in [one.claim["text"], *_texts(one)]))
    if not texts:
        return []
    vectors = dict(zip(texts, embedded(run.resources.embedder, texts), strict=True))
    return [[max(0.0, float(vectors[one.claim["text"]] @ vectors[text])) for text in _texts(one)] for one in found]


def _texts(found: Findings) -> list[str]:
    return [strip["text"] for strip in found.windows]
