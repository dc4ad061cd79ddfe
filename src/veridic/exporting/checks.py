"""What is shown of a text that was checked: a line a claim, and a sum."""

from collections.abc import Sequence
from dataclasses import dataclass

from veridic.evidence.checking import stating, told_counts
from veridic.evidence.wording import CHECKED, UNJUDGED
from veridic.exporting import views
from veridic.ports.shapes import Citation
from veridic.ports.shapes.checking import CheckedClaim, CheckResult

NO_CLAIM = views.Span("no claim")


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
