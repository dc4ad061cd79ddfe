"""What the evidence looked up for claims amounts to: FactScore, entailment, standing and conflicts (Hybrid Self-RAG).

FactScore is the paper's: the mean over claims of the cosine with the best evidence from outside, a claim without
evidence counting 0. A cosine cannot tell "X is true" from "X is not true"; what the critic says stands beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from veridic.evidence.evidence import cite, headed, kept, position, unseen
from veridic.evidence.grounding import Weighed, entailment, nearest_to
from veridic.ports.shapes import CORPUS, AtomicClaim, Citation, Claim, Conflict, FactReport, FactScores, Standing, Strip
from veridic.text.answers import nearest_first
from veridic.text.facts import missing_names, names, words

JOINED = 6
"""Looked-up strips that join those the answer is written from, at most."""

WINDOWS = 3
"""Windows of one place compared with one claim, the nearest."""


@dataclass(frozen=True)
class Findings:
    """What one place has on one claim; no windows: it was asked and had nothing."""

    claim: AtomicClaim
    source: str
    windows: list[Strip]


@dataclass(frozen=True)
class Measured:
    """The same, measured: a cosine in [0, 1] for each window, and the critic's word on each premise."""

    found: Findings
    cosines: list[float]
    weighed: list[Weighed]

    def entailment(self) -> float:
        """P(entailment) by all that the place says; 0 without a premise."""
        return entailment(self.weighed)


@dataclass(frozen=True)
class Bounds:
    """From which probabilities on evidence supports and contradicts."""

    support: float
    contradiction: float


def nearest(claim: str, strips: Sequence[Strip]) -> list[Strip]:
    """The `WINDOWS` strips nearest to a claim."""
    told = [set(words(headed(strip["passage"], strip["text"]))) for strip in strips]
    return [strips[at] for at in nearest_first(set(words(claim)), told)[:WINDOWS]]


def fact_scores(
    claims: Sequence[AtomicClaim], measured: Sequence[Measured], bounds: Bounds, *, unchecked: Sequence[AtomicClaim]
) -> FactScores:
    """The scores over claims; what was not checked is named and not counted."""
    checked = [_checked(claim, [one for one in measured if one.found.claim == claim], bounds) for claim in claims]
    number = len(checked) or 1
    sources = dict.fromkeys(source for claim in checked for source in claim["by_source"])
    outside = [[found for source, found in one["by_source"].items() if source != CORPUS] for one in checked]
    missing = [claim["text"] for claim in checked if claim["cosine"] is None]
    return FactScores(
        claims=checked,
        fact_score=_mean([max(found) for found in outside if found]),
        corpus_score=_mean([claim["by_source"][CORPUS] for claim in checked if CORPUS in claim["by_source"]]),
        entailment_score=sum(claim["entailment"] or 0.0 for claim in checked) / number,
        by_source={
            source: _mean([claim["by_source"][source] for claim in checked if source in claim["by_source"]]) or 0.0
            for source in sources
        },
        missing=len(missing),
        missing_claims=missing,
        unchecked=[claim["text"] for claim in unchecked],
    )


def borne_out(report: FactReport, needed: float) -> bool:
    """Whether the claims score enough and none is contradicted: against outside, or the corpus where none was asked."""
    against = any(claim["standing"] == "contradicted" for claim in report["claims"])
    score = report["corpus_score"] if report["fact_score"] is None else report["fact_score"]
    return not against and (score or 0.0) >= needed


def conflicts_over(claims: Sequence[AtomicClaim], measured: Sequence[Measured], bounds: Bounds) -> list[Conflict]:
    """The claims that one place supports and another contradicts, with the strip of each that does so most."""
    found = []
    for claim in claims:
        own = [one for one in measured if one.found.claim == claim]
        for_it = [strip for one in own if (strip := supporting(one, bounds))]
        against = [strip for one in own if (strip := contradicting(one, bounds))]
        if for_it and against:
            found.append(Conflict(claim=claim["text"], supporting=cite(for_it[0]), contradicting=cite(against[0])))
    return found


def joining(evidence: Sequence[Strip], against: Sequence[Strip], known: Sequence[Strip]) -> list[Strip]:
    """The passing strips that are not known yet, at most `JOINED`: what contradicts a claim first, then the best."""
    telling = {position(strip) for strip in against}
    fresh = unseen(kept(list(evidence)), known)
    return sorted(fresh, key=lambda strip: (position(strip) not in telling, -(strip["score"] or 0.0)))[:JOINED]


def merged(old: Sequence[Conflict], new: Sequence[Conflict]) -> list[Conflict]:
    """Conflicts, each pair of spans once; the first to tell of it stays."""
    by_sides: dict[object, Conflict] = {}
    for one in [*old, *new]:
        by_sides.setdefault((_span(one["supporting"]), _span(one["contradicting"])), one)
    return list(by_sides.values())


def _checked(claim: AtomicClaim, own: Sequence[Measured], bounds: Bounds) -> Claim:
    """One claim beside all that was found for it."""
    near = [pair for one in own for pair in zip(one.cosines, one.found.windows, strict=True)]
    best = max(near, key=lambda pair: pair[0], default=None)
    weighed = [judgement for one in own for judgement in one.weighed]
    return Claim(
        text=claim["text"],
        sentence=claim["sentence"],
        evidence=[cite(best[1])] if best else [],
        cosine=best[0] if best else None,
        by_source={one.found.source: max(one.cosines, default=0.0) for one in own},
        entailment=max((judgement.entailment for judgement in weighed), default=None),
        contradiction=max((judgement.contradiction for judgement in weighed), default=None),
        standing=standing(own, bounds),
    )


def standing(own: Sequence[Measured], bounds: Bounds) -> Standing:
    """What all places say of one claim: contradicted where one contradicts it, else borne out where one entails it."""
    if any(contradicting(one, bounds) for one in own):
        return "contradicted"
    return "borne_out" if any(one.entailment() >= bounds.support for one in own) else "open"


def supporting(one: Measured, bounds: Bounds) -> Strip | None:
    """The strip of a place that supports its claim most, if one that passed the evaluator does."""
    passing = [judgement for judgement in one.weighed if _counts(judgement) and judgement.entailment >= bounds.support]
    best = max(passing, key=lambda judgement: judgement.entailment, default=None)
    return nearest_to(one.found.claim["text"], best) if best else None


def contradicting(one: Measured, bounds: Bounds) -> Strip | None:
    """The strip of a place that contradicts its claim most, if one that passed the evaluator does.

    A place that supports the claim does not contradict it. What is nearest to the claim counts even where it is of
    several documents: of a long text a judge may have read nothing else. A strip that names nothing the claim names
    speaks of something else: of many premises one is soon taken for a contradiction.
    """
    if one.entailment() >= bounds.support:
        return None
    claim = one.found.claim["text"]
    named = names(claim)
    against = [
        judgement
        for judgement in one.weighed
        if (_counts(judgement) or (judgement is one.weighed[0] and _passed(judgement)))
        and judgement.contradiction >= bounds.contradiction
        and (not named or missing_names(claim, judgement.premise.text) != named)
    ]
    worst = max(against, key=lambda judgement: judgement.contradiction, default=None)
    return nearest_to(claim, worst) if worst else None


def _counts(judgement: Weighed) -> bool:
    """Whether it is on one document alone, of which something passed the evaluator."""
    return bool(judgement.premise.document) and _passed(judgement)


def _passed(judgement: Weighed) -> bool:
    """Whether something that it is on passed the evaluator."""
    return any(strip["kept"] for strip in judgement.premise.strips)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _span(citation: Citation) -> tuple[str, int]:
    return citation["document_id"], citation["start"]
