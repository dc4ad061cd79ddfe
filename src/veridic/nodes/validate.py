"""Hybrid Self-RAG's validation: claims looked up again, in the index and outside, and scored.

FactScore is the paper's: the mean over claims of the cosine with the best evidence, a claim
without evidence counting 0. The critic's entailment stands beside it, since a cosine cannot
tell "X is true" from "X is not true".
"""

from veridic.evidence import cite, decompose, headed
from veridic.grounding import premises_for, weigh
from veridic.protocols import Run
from veridic.state import Claim, Discarded, FactReport, GraphState, Passage, Sent, StateUpdate, Strip, Usage
from veridic.text.duplicates import overlap
from veridic.text.questions import keywords

CLAIMS = 3
"""Claims looked up in one run."""

PASSAGES = 3
"""Passages asked of each place for one claim."""

WINDOWS = 4
"""Windows compared with one claim, those that share most words with it."""


def validate(state: GraphState, run: Run) -> StateUpdate:
    """Write the fact report; evidence that helps to answer the question joins the strips."""
    claims = _claims(state, run)
    passages, sent, discarded = _looked_up(claims, state, run)
    windows = [_nearest(claim, found) for claim, found in zip(claims, passages, strict=True)]
    checked, pairs = _checked(claims, windows, state, run)
    fresh = _unseen([strip for strips in windows for strip in strips], state["strips"])
    joined = _graded(fresh, state, run)
    return {
        "validated": True,
        "fact_report": report(checked),
        "strips": [*joined, *state["strips"]],
        "sent": sent,
        "discarded": discarded,
        "usage": Usage(judged_pairs=pairs + len(fresh)),
    }


def report(claims: list[Claim]) -> FactReport:
    """The scores over claims; missing evidence counts as 0 and is counted."""
    number = len(claims) or 1
    return FactReport(
        claims=claims,
        fact_score=sum(claim["cosine"] or 0.0 for claim in claims) / number,
        entailment_score=sum(claim["entailment"] or 0.0 for claim in claims) / number,
        missing=sum(claim["cosine"] is None for claim in claims),
    )


def _claims(state: GraphState, run: Run) -> list[str]:
    """What the evidence left open; every sentence of the best candidate when all are to be checked."""
    if run.context.validate_claims == "unsettled" or not state["candidates"]:
        return state["unsettled"][:CLAIMS]
    return [sentence["text"] for sentence in state["candidates"][0]["sentences"]][:CLAIMS]


def _looked_up(
    claims: list[str], state: GraphState, run: Run
) -> tuple[list[list[Passage]], list[Sent], list[Discarded]]:
    """For each claim the passages of the index and of the allowed sources; the queries; what was discarded."""
    deadline = state["deadline"]
    found = run.resources.knowledge.search(claims, limit=PASSAGES, deadline=deadline) if claims else []
    sent: list[Sent] = []
    discarded: list[Discarded] = []
    for place, claim in enumerate(claims):
        query = " ".join(keywords(claim))
        for name in run.allowed_sources():
            outside = run.resources.sources[name].search(query, limit=PASSAGES, deadline=deadline)
            found[place] = [*found[place], *outside.passages]
            sent.append(Sent(source=name, query=query, cached=outside.cached))
            discarded += outside.discarded
    return found, sent, discarded


def _nearest(claim: str, passages: list[Passage]) -> list[Strip]:
    strips = [strip for passage in passages for strip in decompose(passage)]
    return sorted(strips, key=lambda strip: -overlap(claim, headed(strip["passage"], strip["text"])))[:WINDOWS]


def _checked(claims: list[str], windows: list[list[Strip]], state: GraphState, run: Run) -> tuple[list[Claim], int]:
    """Each claim beside its best evidence; one batch to the embedder, one to the critic."""
    premises = [premises_for(claim, strips) for claim, strips in zip(claims, windows, strict=True)]
    batch = [(premise.text, claim) for claim, asked in zip(claims, premises, strict=True) for premise in asked]
    said = iter(run.resources.critic.judge(batch, deadline=state["deadline"]) if batch else [])
    cosines = _cosines(claims, windows, run)
    checked = []
    for claim, strips, asked, near in zip(claims, windows, premises, cosines, strict=True):
        weighed = weigh(claim, state["standalone"], asked, [next(said) for _ in asked])
        best = max(range(len(near)), key=near.__getitem__, default=None)
        checked.append(
            Claim(
                text=claim,
                evidence=[cite(strips[best])] if best is not None else [],
                cosine=near[best] if best is not None else None,
                entailment=max((one.entailment for one in weighed), default=None),
                contradiction=max((one.contradiction for one in weighed), default=None),
            )
        )
    return checked, len(batch)


def _cosines(claims: list[str], windows: list[list[Strip]], run: Run) -> list[list[float]]:
    """For each claim its cosine with each of its windows, not under 0."""
    texts = [*claims, *(strip["text"] for strips in windows for strip in strips)]
    if not claims:
        return []
    vectors = run.resources.embedder.embed(texts)
    rest = iter(vectors[len(claims) :])
    return [
        [max(0.0, float(vector @ next(rest))) for _ in strips]
        for vector, strips in zip(vectors[: len(claims)], windows, strict=True)
    ]


def _unseen(strips: list[Strip], known: list[Strip]) -> list[Strip]:
    """The strips that are not there yet, each once."""
    seen = {(strip["passage"]["document_id"], strip["start"]) for strip in known}
    by_place = {(strip["passage"]["document_id"], strip["start"]): strip for strip in strips}
    return [strip for place, strip in by_place.items() if place not in seen]


def _graded(strips: list[Strip], state: GraphState, run: Run) -> list[Strip]:
    """The strips that pass the evaluator's filter for the question, marked as kept."""
    pairs = [(state["standalone"], headed(strip["passage"], strip["text"])) for strip in strips]
    verdicts = run.resources.evaluator.score(pairs, deadline=state["deadline"]) if pairs else []
    threshold = run.thresholds().strip
    return [
        {**strip, "score": verdict.probability, "kept": True}
        for strip, verdict in zip(strips, verdicts, strict=True)
        if verdict.probability >= threshold
    ]
