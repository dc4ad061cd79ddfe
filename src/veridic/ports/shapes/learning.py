"""What is learned of a run, and what an earlier one had learned."""

from typing import Literal

from typing_extensions import TypedDict  # pydantic reads these schemas, and on Python 3.11 only these

from veridic.ports.shapes.evidence import Citation

RecordStatus = Literal["review", "probation", "active", "rejected", "withdrawn"]
GateName = Literal["confidence", "grounding", "raw attribution", "attribution", "novelty", "share", "audit"]


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
