"""What was found on the claims of a given text as verdicts, and what the text comes to.

Each sentence is judged whole, in one batch; the claims of those not supported whole in a second one.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from veridic.evidence.evidence import cite
from veridic.evidence.factuality import Bounds, Findings, Measured, conflicts_over, contradicting, standing
from veridic.evidence.grounding import CITED, Weighed, citations, marks_a_part, most_doubtful, nearest_to, stands_in
from veridic.evidence.verdicts import Asserted, weighed_on
from veridic.ports.shapes import AtomicClaim, Citation, Conflict, Strip
from veridic.ports.shapes.checking import (
    CheckedClaim,
    CheckVerdict,
    PlacedClaim,
    Statement,
    Unjudged,
)
from veridic.runtime.run import Run
from veridic.text.answers import coverage
from veridic.text.assertions import NoStatement
from veridic.text.questions import keywords

WORST_FIRST: tuple[CheckVerdict, ...] = ("contradicted", "not_found", "unverified", "supported")
VERDICTS: Mapping[str, CheckVerdict] = {"borne_out": "supported", "contradicted": "contradicted", "open": "not_found"}
"""The verdict on a claim by how it stands."""
ABOUT = 0.5
"""Share of the words that carry a claim, of which a sentence that speaks of it has at least so many."""
Places = Mapping[str, Sequence[Strip]]
"""The windows that each place has on a sentence."""


def whole(statement: Statement) -> PlacedClaim:
    """A sentence as one claim."""
    return PlacedClaim(text=statement["told"], start=statement["start"], end=statement["end"])


def verdict_on(claim: PlacedClaim, statement: Statement, own: Sequence[Measured], bounds: Bounds) -> CheckedClaim:
    """What each place says of a claim, taken together; what stands in the evidence word for word is supported."""
    bare, text = _claim(claim, statement, None), claim["text"]
    if strip := stands_in(text, [strip for one in own for strip in one.found.windows]):
        return {**bare, "verdict": "supported", "support": 1.0, "contradiction": 0.0, "citations": [cite(strip, text)]}
    weighed = [judgement for one in own for judgement in one.weighed]
    verdict = VERDICTS[standing(own, bounds)]
    said: CheckedClaim = {
        **bare,
        "verdict": verdict,
        "support": max((one.entailment for one in weighed), default=0.0),
        "contradiction": max((one.contradiction for one in weighed), default=0.0),
        "citations": _cited(text, verdict, own, bounds),
        "nearest": _nearest(text, weighed) if verdict == "not_found" else None,
    }
    best = max(weighed, key=lambda one: one.entailment, default=None)
    if not said["nearest"] or best is None or not marks_a_part(best.doubtful, text):
        return said
    return {**said, "doubtful": most_doubtful(best.doubtful, text)}


def undecided(statement: Statement, text: str, reason: Unjudged) -> CheckedClaim:
    """A sentence of a text of which nothing can be said, as it stands there."""
    start, end = statement["start"], statement["end"]
    return _claim(PlacedClaim(text=text[start:end], start=start, end=end), statement, reason)


def settled(whole: CheckedClaim, parts: Sequence[CheckedClaim]) -> list[CheckedClaim]:
    """A sentence that is supported whole is one claim, else its parts speak, where it has some.

    One that is contradicted whole stays so where no part of it is: what joins them is wrong.
    """
    told = [part["verdict"] for part in parts]
    speak = whole["verdict"] == "not_found" or (whole["verdict"] == "contradicted" and "contradicted" in told)
    return list(parts) if parts and speak else [whole]


def disagreements(own: Sequence[Measured], bounds: Bounds) -> list[Conflict]:
    """Where one document supports the claim and another contradicts it, whatever place they are from."""
    if not own:
        return []
    claim = own[0].found.claim
    return conflicts_over([claim], list(_by_document(own)), bounds)


def stating(claims: Sequence[CheckedClaim]) -> list[CheckedClaim]:
    """The claims without what states nothing: headings, questions, code."""
    return [one for one in claims if one["reason"] not in get_args(NoStatement)]


def outcome_of(claims: Sequence[CheckedClaim]) -> CheckVerdict:
    """The worst verdict; what states nothing does not count, unless there is nothing else."""
    told = {one["verdict"] for one in stating(claims)}
    return next((verdict for verdict in WORST_FIRST if verdict in told), "unverified")


def counts_of(claims: Sequence[CheckedClaim]) -> dict[CheckVerdict, int]:
    """Claims by verdict."""
    counted = Counter(one["verdict"] for one in claims)
    return {verdict: counted[verdict] for verdict in reversed(WORST_FIRST)}


def _claim(claim: PlacedClaim, statement: Statement, reason: Unjudged | None) -> CheckedClaim:
    """A claim of a sentence, unverified for this reason."""
    return CheckedClaim(
        text=claim["text"],
        start=claim["start"],
        end=claim["end"],
        sentence_start=statement["start"],
        sentence_end=statement["end"],
        verdict="unverified",
        reason=reason,
        support=None,
        contradiction=None,
        citations=[],
        nearest=None,
    )


def _cited(claim: str, verdict: CheckVerdict, own: Sequence[Measured], bounds: Bounds) -> list[Citation]:
    if verdict == "supported":
        best = max(own, key=lambda one: one.entailment())
        return citations(claim, best.weighed, bounds.support)
    against = [contradicting(one, bounds) for one in own] if verdict == "contradicted" else []
    return [cite(strip) for strip in against if strip][:CITED]


def _nearest(claim: str, weighed: Sequence[Weighed]) -> Citation | None:
    """The one sentence that speaks of the claim and says most of it, for or against."""
    carrying = " ".join(keywords(claim))
    near = [(nearest_to(claim, one), one.entailment + one.contradiction) for one in weighed]
    about = [(strip, sure) for strip, sure in near if coverage(carrying, strip["text"]) >= ABOUT]
    return cite(max(about, key=lambda one: one[1])[0]) if about else None


def _by_document(own: Sequence[Measured]) -> Iterator[Measured]:
    """The same, a document each; premises of several documents together are left out."""
    documents = dict.fromkeys(strip["passage"]["document_id"] for one in own for strip in one.found.windows)
    for document in documents:
        for one in own:
            strips = [strip for strip in one.found.windows if strip["passage"]["document_id"] == document]
            weighed = [judgement for judgement in one.weighed if judgement.premise.document == document]
            if weighed:
                yield Measured(Findings(one.found.claim, one.found.source, strips), [], weighed)


@dataclass(frozen=True)
class Judged:
    """The verdicts on each sentence's claims, where documents disagree, and how many pairs the critic was asked."""

    claims: list[list[CheckedClaim]]
    conflicts: list[Conflict]
    pairs: int


@dataclass(frozen=True)
class _Asked:
    """A claim, the sentence it is from, and the evidence on that."""

    claim: PlacedClaim
    statement: Statement
    places: Places


def judged(statements: Sequence[Statement], places: Sequence[Places], run: Run, *, deadline: float) -> Judged:
    """Judge every sentence by its places. Raises what `Critic.judge` raises."""
    thresholds = run.thresholds()
    limits = Bounds(thresholds.support, thresholds.contradiction)
    asked = [_Asked(whole(one), one, own) for one, own in zip(statements, places, strict=True)]
    measured, pairs = _measured(asked, run, deadline)
    first = _verdicts(asked, measured, limits)
    left_open = [one for one, verdict in zip(asked, first, strict=True) if verdict["verdict"] != "supported"]
    split = [_Asked(claim, one.statement, one.places) for one in left_open for claim in one.statement["claims"]]
    measured_parts, more = _measured(split, run, deadline)
    parts: dict[int, list[CheckedClaim]] = {}
    for part, verdict in zip(split, _verdicts(split, measured_parts, limits), strict=True):
        parts.setdefault(part.statement["start"], []).append(verdict)
    return Judged(
        claims=[settled(verdict, parts.get(verdict["sentence_start"], [])) for verdict in first],
        conflicts=[conflict for own in [*measured, *measured_parts] for conflict in disagreements(own, limits)],
        pairs=pairs + more,
    )


def _verdicts(asked: Sequence[_Asked], measured: Sequence[Sequence[Measured]], limits: Bounds) -> list[CheckedClaim]:
    return [verdict_on(one.claim, one.statement, own, limits) for one, own in zip(asked, measured, strict=True)]


def _measured(asked: Sequence[_Asked], run: Run, deadline: float) -> tuple[list[list[Measured]], int]:
    """For each claim what each place says of it, and the number of pairs judged."""
    found = [
        [Findings(AtomicClaim(text=text, sentence=text), place, list(strips)) for place, strips in one.places.items()]
        for one in asked
        for text in [one.claim["text"]]
    ]
    flat = [one for own in found for one in own]
    asserted = [Asserted(one.claim["text"], one.windows) for one in flat]
    weighed, pairs = weighed_on(asserted, run.critic, deadline)
    said = iter(weighed)
    return [[Measured(one, [], next(said)) for one in own] for own in found], pairs
