"""A stored result judged again: each claim by its own quotes, and each quote looked for where it stood."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from veridic.errors import DeadlineExceeded, JudgeFailed
from veridic.evidence.checking import WORST_FIRST, Weight, told_unverified, weight_of
from veridic.evidence.factuality import Bounds, Findings, Measured
from veridic.evidence.grounding import asserted
from veridic.evidence.statements import bare_decision, is_bare
from veridic.evidence.stored import Stored, StoredClaim, strips_of
from veridic.evidence.verdicts import Asserted, weighed_on
from veridic.ports.judgements import Reading
from veridic.ports.judging import Critic, Reader
from veridic.ports.shapes import AtomicClaim, Citation, Failure
from veridic.ports.shapes.checking import CheckVerdict
from veridic.ports.shapes.verifying import VERIFY_VERSION, QuotePlace, VerifiedClaim, VerifiedQuote, VerifyResult
from veridic.text.answers import tokens
from veridic.text.language import is_foreign
from veridic.text.sentences import is_prose

TextOf = Callable[[str], str | None]
"""The stored text of a document by its id; None of one that is not held."""

NOTHING = "The result has no sentence to verify."
REASONS: dict[CheckVerdict, str] = {
    "supported": "Every claim holds.",
    "contradicted": "A claim is contradicted by its own quotes.",
    "not_found": "A claim does not hold by its own quotes, or has none that stands.",
}


@dataclass(frozen=True)
class Judges:
    """Who judges again: the critic with its decision points, and the reader of short answers."""

    critic: Critic
    bounds: Bounds
    reader: Reader


def verified(stored: Stored, judges: Judges, text_of: TextOf | None, *, deadline: float) -> VerifyResult:
    """Judge every claim of a stored result again; where a judge fails none is verified.

    `text_of` is None where there is no knowledge base. It may raise `StoreUnavailable`, `StoreDamaged`.
    """
    failures: list[Failure] = []
    try:
        weights = _read_again(stored.claims, _weights(stored.claims, judges, deadline), judges.reader, deadline)
    except (JudgeFailed, DeadlineExceeded) as error:
        failures = [Failure(node="verify", problem=error.problem, mend=error.mend)]
        weights = [Weight("unverified", None, None, []) for _ in stored.claims]
    claims = [_claim(one, weight, text_of) for one, weight in zip(stored.claims, weights, strict=True)]
    told = {_worth(one) for one in claims}
    outcome: CheckVerdict = next((verdict for verdict in WORST_FIRST if verdict in told), "unverified")
    return VerifyResult(
        schema_version=VERIFY_VERSION,
        stored=stored.kind,
        run_id=stored.run_id,
        outcome=outcome,
        reason=failures[0]["problem"] if failures else _reason(outcome, claims),
        claims=claims,
        failures=failures,
        fingerprint=judges.critic.fingerprint,
        thresholds={"support": judges.bounds.support, "contradiction": judges.bounds.contradiction},
    )


def _reason(outcome: CheckVerdict, claims: Sequence[VerifiedClaim]) -> str:
    left = sum(one["verdict"] == "unverified" for one in claims)
    return REASONS.get(outcome) or (f"{told_unverified(left, len(claims))}." if claims else NOTHING)


def _worth(claim: VerifiedClaim) -> CheckVerdict:
    """The verdict; what is supported by quotes that are gone is not found any more."""
    return "not_found" if claim["verdict"] == "supported" and not claim["holds"] else claim["verdict"]


def _weights(claims: Sequence[StoredClaim], judges: Judges, deadline: float) -> list[Weight]:
    """What its quotes say of each claim, in one batch; a bare answer is judged together with its question."""
    told = [asserted(one.text, one.question) or "" for one in claims]
    strips = [strips_of(one) for one in claims]
    asked = [Asserted(text, own if _is_read(text) else []) for text, own in zip(told, strips, strict=True)]
    weighed, _ = weighed_on(asked, judges.critic, deadline)
    return [
        _weight(
            one, text, Measured(Findings(AtomicClaim(text=text, sentence=one.text), "", own), [], said), judges.bounds
        )
        for one, text, own, said in zip(claims, told, strips, weighed, strict=True)
    ]


def _read_again(
    claims: Sequence[StoredClaim], weights: Sequence[Weight], reader: Reader, deadline: float
) -> list[Weight]:
    """The same, but for bare answers that no quote entails: those were read, and are read again in their quotes."""
    bare = [at for at, one in enumerate(claims) if _is_bare(one) and weights[at].verdict in ("not_found", "unverified")]
    pairs = [(claims[at].question, "\n".join(one["quote"] for one in claims[at].citations)) for at in bare]
    read = dict(zip(bare, reader.read(pairs, deadline=deadline) if pairs else [], strict=True))
    return [
        _as_read(claims[at].text, read[at], pairs[bare.index(at)][1]) if at in read else weight
        for at, weight in enumerate(weights)
    ]


def _is_bare(claim: StoredClaim) -> bool:
    """Whether it only answers its question, and quotes something."""
    bare = is_bare(claim.text, claim.question) or bare_decision(claim.text) in ("yes", "no")
    return bool(claim.citations and claim.question) and bare


def _as_read(text: str, reading: Reading, quote: str) -> Weight:
    """Supported where the same is read, contradicted where the other decision is, else not found."""
    if decided := bare_decision(text):
        said = max((("yes", reading.yes), ("no", reading.no), ("", reading.undecided)), key=lambda one: one[1])[0]
        return Weight("supported" if said == decided else "contradicted" if said else "not_found", None, None, [])
    best = next((quote[one.start : one.end] for one in reading.spans if one.margin > 0), "")
    answer, found = " ".join(tokens(text)), " ".join(tokens(best))
    same = bool(answer and found) and (f" {answer} " in f" {found} " or f" {found} " in f" {answer} ")
    return Weight("supported" if same else "not_found", None, None, [])


def _is_read(text: str) -> bool:
    """Whether it is text that the critic reads."""
    return bool(text) and is_prose(text) and not is_foreign(text)


def _weight(claim: StoredClaim, told: str, measured: Measured, bounds: Bounds) -> Weight:
    if not _is_read(told):
        return Weight("unverified", None, None, [])
    if not claim.citations:
        verdict = claim.verdict if claim.verdict in ("contradicted", "unverified") else "not_found"
        return Weight(verdict, None, None, [])
    return weight_of(told, [measured], bounds)


def _claim(claim: StoredClaim, weight: Weight, text_of: TextOf | None) -> VerifiedClaim:
    quotes = [_quote(citation, text_of) for citation in claim.citations]
    gone = bool(quotes) and all(one["place"] == "gone" for one in quotes)
    return VerifiedClaim(
        text=claim.text,
        stored=claim.verdict,
        verdict=weight.verdict,
        holds=weight.verdict == claim.verdict and not gone,
        support=weight.support,
        contradiction=weight.contradiction,
        quotes=quotes,
    )


def _quote(citation: Citation, text_of: TextOf | None) -> VerifiedQuote:
    place, moved_to = (None, None) if text_of is None else _found(citation, text_of(citation["document_id"]))
    return VerifiedQuote(
        document_id=citation["document_id"],
        title=citation["title"],
        url=citation["url"],
        location=citation["location"],
        start=citation["start"],
        end=citation["end"],
        quote=citation["quote"],
        place=place,
        moved_to=moved_to,
    )


def _found(citation: Citation, text: str | None) -> tuple[QuotePlace, int | None]:
    start, quote = citation["start"], citation["quote"]
    if text is None:
        return "not held", None
    if start >= 0 and text[start : start + len(quote)] == quote and citation["end"] == start + len(quote):
        return "stands", None
    before, after = text.rfind(quote, 0, max(0, min(start, len(text)))), text.find(quote, max(0, min(start, len(text))))
    places = [at for at in (before, after) if at >= 0 and quote.strip()]
    return ("moved", min(places, key=lambda at: abs(at - start))) if places else ("gone", None)
