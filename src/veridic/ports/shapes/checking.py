"""A text that someone else wrote, checked claim by claim."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict  # pydantic reads these schemas, and on Python 3.11 only these

from veridic.ports.shapes.claims import Conflict
from veridic.ports.shapes.evidence import Citation, Flagged
from veridic.ports.shapes.report import Failure, SourceReport, StoppedBy, Usage
from veridic.text.assertions import NoStatement, Unread

CHECK_VERSION = 1
"""The schema version of `CheckResult`."""

CheckVerdict = Literal["supported", "contradicted", "not_found", "unverified"]
"""Of a claim; of a text the worst of its claims, in the order contradicted, not found, unverified, supported."""
Unjudged = NoStatement | Unread | Literal["no time", "judge failed", "changed"]
"""Why nothing can be said of a sentence; `changed`: the state of the run was changed from outside. What a text is worth
does not hang on what states nothing."""


class PlacedClaim(TypedDict):
    """One statement of a text, and where it stands there."""

    text: str
    """It may be worded otherwise than the text."""
    start: int
    end: int


class Statement(TypedDict):
    """One sentence of a text that is checked."""

    start: int
    """Offset in the text."""
    end: int
    told: str
    """As it is judged: without marks of Markdown."""
    queries: list[str]
    """What the knowledge base is asked, beside its claims."""
    reason: Unjudged | None
    """Why it is not judged; None of one that is."""
    claims: list[PlacedClaim]
    """Its atomic claims; none where the sentence is one claim."""


class CheckedClaim(TypedDict):
    """One claim of a text and what the evidence says of it."""

    text: str
    """Without marks of Markdown; of what is not judged as it stands in the text."""
    start: int
    """Offset in the text that was given."""
    end: int
    sentence_start: int
    """Of the sentence that it was taken from."""
    sentence_end: int
    verdict: CheckVerdict
    reason: Unjudged | None
    """Of an unverified claim, why; None of any other."""
    support: float | None
    """P(entailment), by all that the evidence says of it; None of what was not judged."""
    contradiction: float | None
    """P(contradiction), the largest of any premise."""
    citations: list[Citation]
    """What supports it, or of a contradicted claim what contradicts it; empty of any other."""
    nearest: NotRequired[Citation | None]
    """Of a claim that was not found the sentence that comes closest, where one speaks of it; None of any other.

    Reports of version 0.2.0 do not have it.
    """
    doubtful: NotRequired[list[list[int]]]
    """Beside `nearest` the characters of `text` that the evidence does not say, as the critic marks them.

    Not there where they are more than half of it."""


class CheckResult(TypedDict):
    """Everything about one check; the document that `veridic check --json` prints."""

    schema_version: int
    run_id: str
    text: str
    """As it was given; offsets count in it."""
    outcome: CheckVerdict
    stopped_by: StoppedBy | None
    reason: str
    counts: dict[CheckVerdict, int]
    """Claims by verdict; those that state nothing are among the unverified."""
    claims: list[CheckedClaim]
    """In the order of the text."""
    conflicts: list[Conflict]
    """Claims that one document supports and another contradicts."""
    flagged: list[Flagged]
    """What of the evidence was read by nobody, because it gives orders."""
    sources: SourceReport
    failures: list[Failure]
    fingerprints: dict[str, str]
    """Of critic, detector and embedder."""
    thresholds: dict[str, float]
    """`support` and `contradiction`: from which probabilities a claim is supported, and contradicted."""
    timings: dict[str, float]
    usage: Usage
