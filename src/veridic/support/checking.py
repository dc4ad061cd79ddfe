"""What was found on the claims of a given text as verdicts, and what the text comes to. Pure functions."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

from veridic.shapes import Citation, Conflict, Strip
from veridic.shapes.checking import (
    CheckedClaim,
    CheckVerdict,
    NoStatement,
    PlacedClaim,
    Statement,
    Unjudged,
)
from veridic.support.evidence import cite
from veridic.support.factuality import Bounds, Findings, Measured, conflicts_over, contradicting, standing
from veridic.support.grounding import CITED, Weighed, citations, stands_in
from veridic.support.statements import says_twice

WORST_FIRST: tuple[CheckVerdict, ...] = ("contradicted", "not_found", "unverified", "supported")
VERDICTS: Mapping[str, CheckVerdict] = {"borne_out": "supported", "contradicted": "contradicted", "open": "not_found"}
"""The verdict on a claim by how it stands."""


def whole(statement: Statement) -> PlacedClaim:
    """A sentence as one claim."""
    return PlacedClaim(text=statement["told"], start=statement["start"], end=statement["end"])


def verdict_on(claim: PlacedClaim, statement: Statement, own: Sequence[Measured], bounds: Bounds) -> CheckedClaim:
    """The verdict on a claim from what each place says of it; what stands in the evidence word for word is supported.

    A claim that gives itself as its reason is not found, whatever entails it.
    """
    strips = [strip for one in own for strip in one.found.windows]
    if says_twice(claim["text"]):
        return _checked(claim, statement, "not_found", None, None, [])
    if strip := stands_in(claim["text"], strips):
        return _checked(claim, statement, "supported", 1.0, 0.0, [cite(strip, claim["text"])])
    weighed = [judgement for one in own for judgement in one.weighed]
    support = max((one.entailment for one in weighed), default=0.0)
    against = max((one.contradiction for one in weighed), default=0.0)
    verdict = VERDICTS[standing(own, bounds)]
    return _checked(claim, statement, verdict, support, against, _cited(verdict, own, weighed, bounds))


def undecided(statement: Statement, text: str, reason: Unjudged) -> CheckedClaim:
    """A sentence of a text of which nothing can be said, as it stands there."""
    start, end = statement["start"], statement["end"]
    claim = PlacedClaim(text=text[start:end], start=start, end=end)
    return {**_checked(claim, statement, "unverified", None, None, []), "reason": reason}


def settled(whole: CheckedClaim, parts: Sequence[CheckedClaim]) -> list[CheckedClaim]:
    """A sentence that is supported or contradicted whole is one claim; else its parts speak, where it has some."""
    return list(parts) if whole["verdict"] == "not_found" and parts else [whole]


def disagreements(own: Sequence[Measured], bounds: Bounds) -> list[Conflict]:
    """Where one document supports the claim and another contradicts it, whatever place they are from."""
    if not own:
        return []
    claim = own[0].found.claim
    return conflicts_over([claim], list(_by_document(own)), bounds)


def outcome_of(claims: Sequence[CheckedClaim]) -> CheckVerdict:
    """The worst verdict; what states nothing does not count, unless there is nothing else."""
    told = {one["verdict"] for one in claims if one["reason"] not in get_args(NoStatement)}
    return next((verdict for verdict in WORST_FIRST if verdict in told), "unverified")


def counts_of(claims: Sequence[CheckedClaim]) -> dict[CheckVerdict, int]:
    """Claims by verdict."""
    counted = Counter(one["verdict"] for one in claims)
    return {verdict: counted[verdict] for verdict in reversed(WORST_FIRST)}


def _checked(
    claim: PlacedClaim,
    statement: Statement,
    verdict: CheckVerdict,
    support: float | None,
    contradiction: float | None,
    cited: list[Citation],
) -> CheckedClaim:
    return CheckedClaim(
        text=claim["text"],
        start=claim["start"],
        end=claim["end"],
        sentence_start=statement["start"],
        sentence_end=statement["end"],
        verdict=verdict,
        reason=None,
        support=support,
        contradiction=contradiction,
        citations=cited,
    )


def _cited(
    verdict: CheckVerdict, own: Sequence[Measured], weighed: Sequence[Weighed], bounds: Bounds
) -> list[Citation]:
    if verdict == "supported":
        return citations(weighed, bounds.support)
    against = [contradicting(one, bounds) for one in own] if verdict == "contradicted" else []
    return [cite(strip) for strip in against if strip][:CITED]


def _by_document(own: Sequence[Measured]) -> Iterator[Measured]:
    """The same, a document each; premises of several documents together are left out."""
    documents = dict.fromkeys(strip["passage"]["document_id"] for one in own for strip in one.found.windows)
    for document in documents:
        for one in own:
            strips = [strip for strip in one.found.windows if strip["passage"]["document_id"] == document]
            weighed = [judgement for judgement in one.weighed if _is_of(judgement.premise.strips, document)]
            if weighed:
                yield Measured(Findings(one.found.claim, one.found.source, strips), [], weighed)


def _is_of(strips: Sequence[Strip], document: str) -> bool:
    return all(strip["passage"]["document_id"] == document for strip in strips)
