"""What is shown of a text that was checked: a line a claim, and a sum."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veridic.evidence.checking import counts_of, stating
from veridic.exporting import views
from veridic.exporting.wording import CHECKED, UNJUDGED
from veridic.ports.shapes import Citation
from veridic.ports.shapes.checking import CheckedClaim, CheckResult, CheckVerdict

NO_CLAIM = views.Span("no claim")
REASONS: Mapping[CheckVerdict, str] = {
    "supported": "The evidence supports every claim.",
    "contradicted": "The evidence contradicts a claim.",
    "not_found": "For a claim nothing was found that says it.",
}


@dataclass(frozen=True)
class ClaimView:
    """A claim with what is said of it."""

    sign: views.Span
    verdict: str
    text: str
    """In one line."""
    why: str
    """Why nothing is said of it."""
    citations: Sequence[Citation]
    places: Sequence[str]
    """Where these are."""
    nearest: str
    """Of a claim that was not found what comes closest; empty where nothing does."""
    missing: Sequence[str]
    """The words of it that the evidence does not say."""
    is_amiss: bool
    """Whether it is shown where only what is amiss is."""


@dataclass(frozen=True)
class CheckView:
    """A checked text."""

    claims: Sequence[ClaimView]
    notes: Sequence[views.Line]
    outcome: views.Span
    told: str
    """The counts, and why."""


def check_view(report: CheckResult) -> CheckView:
    """A report as it is shown; what has no words is left out."""
    claims = [_checked(one) for one in report["claims"] if one["reason"] != "no words"]
    notes = [
        *(line for one in report["conflicts"] for line in views.conflict_lines(one)),
        *views.flagged_lines(report["flagged"]),
        *views.sent_lines({**report["sources"], "sent": [], "discarded": []}),
    ]
    outcome = report["outcome"]
    tone: views.Tone = "doubt" if outcome == "unverified" else views.SIGNS[outcome].tone
    told = f"({told_counts(report['claims'])}): {report['reason']}"
    return CheckView(claims, notes, views.Span(CHECKED[outcome], tone), told)


def _checked(claim: CheckedClaim) -> ClaimView:
    states, nearest = bool(stating([claim])), claim.get("nearest")
    return ClaimView(
        sign=views.SIGNS[claim["verdict"]] if states else views.Span(" "),
        verdict=CHECKED[claim["verdict"]] if states else NO_CLAIM.text,
        text=" ".join(claim["text"].split()),
        why=f"({UNJUDGED[claim['reason']]})" if claim["reason"] else "",
        citations=claim["citations"],
        places=[views.position_of(one) for one in claim["citations"]],
        nearest=f"“{views.short(nearest['quote'])}” {views.position_of(nearest)}" if nearest else "",
        missing=[claim["text"][start:end] for start, end in claim.get("doubtful", ())],
        is_amiss=states and claim["verdict"] != "supported",
    )


def told_counts(claims: Sequence[CheckedClaim]) -> str:
    """The sum for people, `3 claims: 2 supported, 1 not found`: what states nothing is no claim."""
    stated = stating(claims)
    counts = [f"{number:,} {CHECKED[verdict]}" for verdict, number in counts_of(stated).items() if number]
    return f"{len(stated):,} claim{'s' * (len(stated) != 1)}: {', '.join(counts) or 'it states nothing'}"


def reason_of(outcome: CheckVerdict, claims: Sequence[CheckedClaim]) -> str:
    """What a text comes to, in a sentence or two."""
    return REASONS.get(outcome) or _why_unverified(stating(claims))


def _why_unverified(stated: Sequence[CheckedClaim]) -> str:
    """Why a text is not verified whose claims are supported as far as anything could be said of them."""
    if not stated:
        return "There is nothing in it to verify."
    left = [one for one in stated if one["verdict"] == "unverified"]
    whys = dict.fromkeys(UNJUDGED[one["reason"]] for one in left if one["reason"])
    because = f": {'; '.join(whys)}." if whys else "."
    others = " The evidence supports the others." if len(left) < len(stated) else ""
    return f"{_told_unverified(len(left), len(stated))}{because}{others}"


def _told_unverified(left: int, claims: int) -> str:
    """How many of the claims could not be verified, in words."""
    if left < claims:
        return f"{left:,} of {claims:,} claims could not be verified"
    return "None of its claims could be verified" if claims > 1 else "Its claim could not be verified"
