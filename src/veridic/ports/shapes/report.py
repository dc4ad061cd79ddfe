"""What a run came to and what it cost: the result and its parts, and how costs are added up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NotRequired, cast

from typing_extensions import TypedDict  # pydantic reads these schemas, and on Python 3.11 only these

from veridic.ports.judgements import Rank
from veridic.ports.shapes.answers import Candidate, ReadAnswer, Sentence
from veridic.ports.shapes.claims import Conflict, FactReport
from veridic.ports.shapes.evidence import (
    Action,
    Citation,
    Discarded,
    Flagged,
    Outcome,
    Passage,
    Sent,
    Strip,
    Unavailable,
)
from veridic.ports.shapes.learning import Recollection, WriteBack
from veridic.text.kinds import AnswerKind

StoppedBy = Literal["retries", "time", "tokens", "calls"]
GradeName = Literal["full", "partial", "none", "contradicted"]
"""What a chat model says of a passage, of an answer or, `contradicted` too, of a sentence."""
SCHEMA_VERSION = 6


class Analysis(TypedDict):
    """What a question was found to be before anything was looked up; `years` are those that it names."""

    need: float
    """P(evidence is needed); 0.01 of what is no question for the documents."""
    years: list[str]
    parts: int
    asked: list[str]
    """The questions that are asked in it, each able to stand alone; as many as `parts`."""
    answer: AnswerKind
    """What kind of answer it asks for."""
    passages: int
    """Passages that are retrieved for each query, at most."""
    understood: float
    """P(it means what it was taken to mean); 1 where nothing was said before it, or a chat model made it whole."""


class Failure(TypedDict):
    """A part that failed; the run went on without it."""

    node: str
    problem: str
    mend: str


class Grade(TypedDict):
    """One grade that a chat model gave, as a judge: what false positives and negatives are found by."""

    judge: Literal["relevance", "usefulness", "support"]
    """What was judged: a passage for a question, an answer to it, or a sentence by passages."""
    asked: str
    """The question; for support the sentence."""
    graded: str
    """How the text begins that was graded; for support the passage that was named, else the first one."""
    grade: GradeName | Literal["unreadable"]
    """`unreadable` counts as none."""
    reply: str
    """What the model said last, its first 200 characters."""
    calls: int
    """Made for this grade; of those graded in one call the first has it. Else 0, also of what was graded before."""
    seconds: float


class Usage(TypedDict, total=False):
    """What a run consumed; missing means zero."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    judged_pairs: int
    base_tokens: int
    """Tokens that the base judge read."""
    passage_calls: int
    """Of the calls those to a chat model for passages that the trained judges left open; 1 at most."""
    statement_calls: int
    """Likewise for statements."""


class SourceReport(TypedDict):
    """What was asked outside."""

    allowed: list[str]
    used: list[str]
    unavailable: list[Unavailable]
    sent: list[Sent]
    discarded: list[Discarded]


class GraderReport(TypedDict):
    """What the chat model that graded cost; the tokens stand in `usage`."""

    model: str
    calls: int
    """Counted in `usage` too."""
    seconds: float
    unreadable: int
    """Grades that could not be read, and counted as none."""


class TrialFigure(TypedDict):
    """How well a judge told supported statements from nearly supported ones in the trial, held by `veridic trial`."""

    judge: str
    auc: float
    low: float
    """Where the interval of the AUC begins (95 %)."""
    high: float
    accuracy: float
    """Balanced, at the judge's own threshold."""
    pairs: int


Promised = Literal["short answers and quotations", "drafts", "drafts that a chat model judged"]


class Promise(TypedDict):
    """From where something is verified at normal strictness, and how often that was right on documents kept for it."""

    kind: Promised
    """What is verified so."""
    verified_from: float | None
    """The probability; None: nothing is promised of it, and nothing verified."""
    verified: int
    """How many were, where that was measured."""
    precision: float
    """Share of these that were right, in [0, 1]."""
    least: float
    """The lower bound of that share: 95 % of the draws of documents lie above it."""
    date: str
    """ISO 8601."""


class Judges(TypedDict):
    """Which scorers judged, and at which thresholds."""

    fingerprints: dict[str, str]
    """Of evaluator, critic, reader, detector and embedder; `sifter` is the evaluator of strips."""
    thresholds: dict[str, float]
    grader: GraderReport | None
    """None where no chat model grades."""
    trials: NotRequired[dict[Rank, TrialFigure]]
    """Of the judges that ship and of a chat model that judges, where the trial was held."""
    promises: NotRequired[list[Promise]]
    """What *verified* promises; none where the judges are not those that it was measured for."""


class Result(TypedDict):
    """Everything about one run; the document that `veridic ask --json` prints."""

    schema_version: int
    run_id: str
    system: str
    """The method that answered, by its name."""
    question: str
    standalone: str
    queries: list[str]
    answer: str
    """The short answer, then the sentences that say it; or why there is none."""
    short_answer: str
    """What was read: a span, `Yes`, `No`, of a question in parts one answer a part; empty when there is none."""
    answer_span: Citation | None
    """Where the short answer stands; None when it is not one span."""
    confidence: float | None
    """P(the short answer is right); None when nothing was read."""
    outcome: Outcome
    stopped_by: StoppedBy | None
    reason: str
    analysis: Analysis
    action: Action | None
    retries: int
    sentences: list[Sentence]
    documents: list[Passage]
    rejected: list[Passage]
    """What was found and graded, and dropped as of no help; best first, at most 24."""
    strips: list[Strip]
    flagged: list[Flagged]
    """What of the evidence was read by nobody, because it gives orders; in the order it was found."""
    readings: list[ReadAnswer]
    """One for each part of the question."""
    candidates: list[Candidate]
    conflicts: list[Conflict]
    fact_report: FactReport | None
    sources: SourceReport
    failures: list[Failure]
    told_from: Recollection | None
    """The record that led to the evidence; None where the documents were searched."""
    write_back: WriteBack | None
    judges: Judges
    grades: list[Grade]
    """Every grade of a chat model that judged; empty where none does."""
    timings: dict[str, float]
    path: list[str]
    """The nodes that ran before this was written, in order; one that ran side by side with itself stands each time."""
    usage: Usage
    redacted: NotRequired[list[str]]
    """In the decision log alone: the documents that were removed since, whose words were taken out of the row."""


def merge_usage(old: Usage, new: Usage) -> Usage:
    """Add what was consumed, by kind."""
    earlier, later = cast("Mapping[str, int]", old), cast("Mapping[str, int]", new)
    return cast("Usage", {kind: earlier.get(kind, 0) + later.get(kind, 0) for kind in Usage.__annotations__})


def merge_grades(old: Sequence[Grade], new: Sequence[Grade]) -> list[Grade]:
    """Add the grades that were asked for, and of the others the ones that are not listed yet, or otherwise."""
    merged = list(old)
    for grade in new:
        about = {"judge": grade["judge"], "asked": grade["asked"], "graded": grade["graded"], "grade": grade["grade"]}
        if grade["calls"] or not any(about.items() <= listed.items() for listed in merged):
            merged.append(grade)
    return merged


@dataclass(frozen=True)
class Logged:
    """A run of the log with when it was logged."""

    run_id: str
    decided_at: str
    """ISO 8601, UTC."""
    outcome: Outcome
    result: Result
