"""A stored result, judged again by the quotes that are stored with it."""

from typing import Literal

from typing_extensions import TypedDict  # pydantic reads these schemas, and on Python 3.11 only these

from veridic.ports.shapes.checking import CheckVerdict
from veridic.ports.shapes.report import Failure

VERIFY_VERSION = 1
"""The schema version of `VerifyResult`."""

QuotePlace = Literal["stands", "moved", "gone", "not held"]
"""Where a quote is in the knowledge base: at its offsets, elsewhere in its document, in it no more; or the document is
not held."""


class VerifiedQuote(TypedDict):
    """A quote of the stored result."""

    document_id: str
    title: str
    url: str
    location: str
    start: int
    end: int
    quote: str
    place: QuotePlace | None
    """None: no knowledge base was asked."""
    moved_to: int | None
    """The offset at which a quote stands that moved: the nearest; None of any other."""


class VerifiedClaim(TypedDict):
    """A sentence or claim of the stored result, judged again."""

    text: str
    stored: CheckVerdict
    """The verdict it was stored with."""
    verdict: CheckVerdict
    """What its own quotes say of it; without one the stored verdict, but never `supported`."""
    holds: bool
    """Whether the verdict is the stored one, and no quote that it rests on is gone from its document."""
    support: float | None
    """P(entailment), the maximum over its quotes."""
    contradiction: float | None
    quotes: list[VerifiedQuote]


class VerifyResult(TypedDict):
    """The document that `veridic verify --json` prints."""

    schema_version: int
    stored: Literal["answer", "check"]
    """What was verified: the result of `veridic ask`, or of `veridic check`."""
    run_id: str
    """Of the run whose result was stored."""
    outcome: CheckVerdict
    """The worst verdict; `not_found` also where a claim does not hold because its quote is gone."""
    reason: str
    claims: list[VerifiedClaim]
    failures: list[Failure]
    fingerprint: str
    """Of the critic that judged again."""
    thresholds: dict[str, float]
