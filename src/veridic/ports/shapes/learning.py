"""What is learned of a run: records, and lessons."""

from collections.abc import Mapping
from typing import Literal

from typing_extensions import TypedDict  # pydantic reads these schemas, and on Python 3.11 only these

from veridic.ports.shapes.answers import Objection
from veridic.ports.shapes.evidence import Action, Citation, Outcome

RecordStatus = Literal["review", "probation", "active", "rejected", "withdrawn"]
STATUSES: Mapping[RecordStatus, str] = {
    "review": "waits for review",
    "probation": "on probation",
    "active": "counts",
    "rejected": "rejected",
    "withdrawn": "withdrawn",
}
"""What people read for each."""
GateName = Literal["confidence", "grounding", "raw attribution", "attribution", "novelty", "share", "audit"]

LessonObjection = Literal[Objection, "contradicted", "voted down"]
"""What was wrong with an answer; contradicted: by other evidence."""
Vote = Literal["up", "down", "correction"]
"""What people said of an answer; a correction says that it was wrong, too."""
StandingVote = Vote | Literal[""]
"""The vote that a lesson has; empty where nobody gave one, or it was taken back."""
Role = Literal["worked", "misled"]


class Gate(TypedDict):
    """One condition under which an answer is learned, and how it came out."""

    name: GateName
    value: float | None
    """None: there was nothing to measure."""
    bound: float
    """What the value has to reach; of `share` and `audit` what it must not pass."""
    passed: bool


class WriteBack(TypedDict):
    """What became of the answer after it was given."""

    written: bool
    """Whether a record was made."""
    refreshed: bool
    """Whether a record of the same question and answer was there, and was dated anew."""
    reason: str
    record_id: str
    """Of the record that was made or refreshed; empty where none was."""
    status: RecordStatus | None
    gates: list[Gate]
    """In their order, those that were tried: the first that fails ends it."""
    novelty_as_printed: float | None
    """Equation 10 as its paper has it, of the answer against all that is found; None where it was not measured."""


class Waiting(TypedDict):
    """What a person is shown of an answer that was learned and waits for review."""

    record_id: str
    question: str
    answer: str
    reason: str
    """Why it waits."""
    sources: list[Citation]


class Recollection(TypedDict):
    """The record that an answer was told from: it led to the evidence, and is none itself."""

    record_id: str
    question: str
    short_answer: str
    status: RecordStatus
    written_at: str
    """ISO 8601, UTC."""
    similarity: float
    """Cosine of its question and the one asked."""


class LessonPlace(TypedDict):
    """A span of a document's stored text that an answer cited."""

    role: Role
    document_id: str
    start: int
    end: int


class Lesson(TypedDict):
    """What an earlier run taught; never evidence, and never text of a page."""

    question: str
    """As people asked it."""
    action: Action | Literal[""]
    """What the evaluator said of the retrieval; empty where none was asked."""
    outcome: Outcome
    reason: str
    """Which budget ended the run; empty where none did."""
    objection: LessonObjection | Literal[""]
    """What was wrong, with the answer or with an attempt before it; empty where nothing was."""
    gate: GateName | Literal[""]
    """The gate that kept the answer from being learned; empty where none did, or none was tried."""
    unsupported: list[str]
    """A few words each, of what a chat model wrote, that the evidence did not say; none that may give orders."""
    verdict: StandingVote
    """What people said of the answer; empty where nobody did."""
    places: list[LessonPlace]
    """What carried the answer, and what misled: an attempt that was dropped, or what people voted down."""
    similarity: float
    """Cosine of its question and the one asked."""
    weight: float
    """1.0 when it is new; it halves with age."""
