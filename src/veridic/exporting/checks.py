"""What is shown of a text that was checked, and of a result that was verified: a line a claim, and a sum."""

from collections.abc import Sequence
from dataclasses import dataclass

from veridic.evidence.checking import stating, told_counts
from veridic.evidence.wording import CHECKED, UNJUDGED, counted
from veridic.exporting.views import (
    SIGNS,
    Line,
    Span,
    Tone,
    conflict_lines,
    flagged_lines,
    position_of,
    sent_lines,
    short,
)
from veridic.ports.shapes import Citation
from veridic.ports.shapes.checking import CheckedClaim, CheckResult, CheckVerdict
from veridic.ports.shapes.verifying import VerifiedClaim, VerifiedQuote, VerifyResult

NO_CLAIM = Span("no claim")


@dataclass(frozen=True)
class ClaimView:
    """A claim with what is said of it."""

    sign: Span
    verdict: str
    text: str
    """In one line."""
    why: str
    """Why nothing is said of it; of a verified one whether it holds."""
    tone: Tone
    citations: Sequence[Citation]
    places: Sequence[str]
    """Where these are, or the quotes of a verified one."""
    nearest: str
    """Of a claim that was not found what comes closest; empty where nothing does."""
    is_amiss: bool
    """Whether it is shown where only what is amiss is."""


@dataclass(frozen=True)
class CheckView:
    """A checked text, or a verified result."""

    claims: Sequence[ClaimView]
    notes: Sequence[Line]
    outcome: Span
    told: str
    """The counts, and why."""


def check_view(report: CheckResult) -> CheckView:
    """A report as it is shown; what has no words is left out."""
    claims = [_checked(one) for one in report["claims"] if one["reason"] != "no words"]
    notes = [
        *(line for one in report["conflicts"] for line in conflict_lines(one)),
        *flagged_lines(report["flagged"]),
        *sent_lines({**report["sources"], "sent": [], "discarded": []}),
    ]
    return CheckView(claims, notes, *_sum(report["outcome"], told_counts(report["claims"]), report["reason"]))


def verified_view(result: VerifyResult) -> CheckView:
    """A result that was verified, as it is shown."""
    holding = sum(claim["holds"] for claim in result["claims"])
    counts = f"{holding} of {counted(len(result['claims']), 'claim')} hold"
    claims = [_verified(one) for one in result["claims"]]
    return CheckView(claims, [], *_sum(result["outcome"], counts, result["reason"]))


def _sum(outcome: CheckVerdict, counts: str, reason: str) -> tuple[Span, str]:
    tone = "doubt" if outcome == "unverified" else SIGNS[outcome].tone
    return Span(CHECKED[outcome], tone), f"({counts}): {reason}"


def _checked(claim: CheckedClaim) -> ClaimView:
    states, nearest = bool(stating([claim])), claim.get("nearest")
    return ClaimView(
        sign=SIGNS[claim["verdict"]] if states else Span(" "),
        verdict=CHECKED[claim["verdict"]] if states else NO_CLAIM.text,
        text=" ".join(claim["text"].split()),
        why=f"({UNJUDGED[claim['reason']]})" if claim["reason"] else "",
        tone="quiet",
        citations=claim["citations"],
        places=[position_of(one) for one in claim["citations"]],
        nearest=f"“{short(nearest['quote'])}” {position_of(nearest)}" if nearest else "",
        is_amiss=states and claim["verdict"] != "supported",
    )


def _verified(claim: VerifiedClaim) -> ClaimView:
    return ClaimView(
        sign=SIGNS[claim["verdict"]],
        verdict=CHECKED[claim["verdict"]],
        text=" ".join(claim["text"].split()),
        why="holds" if claim["holds"] else f"was {CHECKED[claim['stored']]}",
        tone="good" if claim["holds"] else "bad",
        citations=[],
        places=[_quote_place(one) for one in claim["quotes"]],
        nearest="",
        is_amiss=not claim["holds"],
    )


def _quote_place(quote: VerifiedQuote) -> str:
    told = f"moved to {quote['moved_to']}" if quote["place"] == "moved" else quote["place"] or ""
    return f"{position_of(quote)} {told}".rstrip()
