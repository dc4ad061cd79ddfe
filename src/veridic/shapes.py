"""The shapes of what flows through the graph: passages, strips, candidates, claims, the result.

Only JSON-like values: a checkpoint written today must be readable by the next version, under
LangGraph's strict msgpack too. Offsets count characters; scores are probabilities in [0, 1];
`None` means "not judged".
"""

from typing import Literal

from typing_extensions import TypedDict  # pydantic reads these schemas, and on Python 3.11 only these

from veridic.text.analysis import QuestionKind, TimeAsked
from veridic.text.kinds import AnswerKind

Action = Literal["correct", "ambiguous", "incorrect"]
Kind = Literal["human", "generated", "outside"]
Outcome = Literal["accepted", "corrected", "partial", "abstained", "unverified"]
StoppedBy = Literal["retries", "time", "tokens", "calls"]
Verdict = Literal["supported", "partly", "contradicted", "unsupported", "unverified"]
"""Self-RAG's ISSUP; `partly`: some of its claims are supported, others not."""
Origin = Literal["chat", "extractive", "read", "reply"]
Objection = Literal["not supported", "read otherwise", "too unsure", "not useful"]
"""Why a candidate is not given: a sentence is not supported; another answer is read in the same evidence; what it says
is read there, too unsurely; or it does not answer the question."""
Standing = Literal["borne_out", "contradicted", "open"]

SourceKind = Literal["corpus", "web page", "encyclopaedia", "abstract", "table"]
SourceMeasure = dict[str, float]
"""How the evaluator did on a kind, by the best passage of each question.

`questions`: how many, each counted with its passages and without. `ece`. `false_correct`: the share of those without an
answer that was graded correct. `false_incorrect`: that of those with one that was graded incorrect.
"""

CORPUS = "corpus"
"""The `source` of passages from the knowledge base's documents."""

OUTSIDE = "outside"
"""The `source` of passages from outside that the knowledge base kept."""

CHECKED = 6
"""Claims of one answer that are checked; the others are named as unchecked."""

SCHEMA_VERSION = 2


class Analysis(TypedDict):
    """What a question was found to be before anything was looked up; `years` are those that it names."""

    need: float
    """P(evidence is needed); 0.01 of what is no question for the documents by its form."""
    kind: QuestionKind
    time: TimeAsked
    years: list[str]
    hops: int
    """Readings in a row: 1, and one more for each description, and for values to compare, that are read first."""
    parts: int
    passages: int
    """Passages that are retrieved for each query, at most."""


class Passage(TypedDict):
    """A retrieved text that knows where it stands: a chunk of a document, or a finding."""

    id: str
    """Unique among passages; a corpus chunk keeps its id from question to question."""
    document_id: str
    kind: Kind
    source: str
    """`corpus`, `outside` when it was kept from an earlier run, or the name of the outside source."""
    title: str
    heading: str
    """The headings above the text, outermost first, joined by ` > `; may be empty."""
    url: str
    """Where it can be opened: a file path or an address."""
    location: str
    """For people: `page 3`, `lines 10-24`."""
    text: str
    start: int
    """Offset of `text` in the document's stored text."""
    end: int
    retrieved_at: str
    """ISO 8601, when the document was ingested or the finding fetched."""
    found_by: str
    """The query that found it."""
    score: float | None
    """The evaluator's probability that it helps to answer; `None` before `evaluate`."""


class Strip(TypedDict):
    """One to three consecutive sentences of a passage, judged on their own (CRAG)."""

    passage: Passage
    text: str
    start: int
    """Offset in the document's stored text."""
    end: int
    score: float | None
    kept: bool


class Citation(TypedDict):
    """The span of a document that supports a sentence."""

    document_id: str
    kind: Kind
    title: str
    url: str
    location: str
    start: int
    end: int
    quote: str
    retrieved_at: str


class JudgedClaim(TypedDict):
    """One claim of a sentence that is not supported whole."""

    text: str
    supported: bool
    support: float
    """P(entailment), the maximum over premises."""
    citations: list[Citation]


class Sentence(TypedDict):
    """One sentence of an answer and what the evidence says of it."""

    text: str
    start: int
    """Offset in the answer."""
    end: int
    verdict: Verdict
    support: float | None
    """P(entailment), the maximum over premises."""
    contradiction: float | None
    citations: list[Citation]
    claims: list[JudgedClaim]
    """Of a partly supported sentence, what is supported and what is missing; else empty."""


class Candidate(TypedDict):
    """An answer that was written, with its own scores."""

    attempt: int
    origin: Origin
    text: str
    sentences: list[Sentence]
    support: float
    usefulness: float
    relevance: float
    agreement: float
    """With the other written candidates of the attempt (self-consistency); 0 for an extractive one."""
    score: float
    holds: bool
    """Every sentence is supported and the whole answers the question."""
    objection: Objection | None
    """Why it does not hold; None where it does, and before the critique."""
    partial: bool
    """Made from another candidate by dropping what was not supported."""
    missing: list[str]
    """What was dropped: sentences, and claims of sentences, that the evidence does not say."""
    attribution: float | None
    """Share of the writer's own citation markers that name existing strips (equation 9)."""


class RunnerUp(TypedDict):
    """The second best of what was read."""

    text: str
    probability: float


class ReadAnswer(TypedDict):
    """What was read in the evidence as the answer to a question, or to one part of it."""

    question: str
    kind: AnswerKind
    """What the question asks for."""
    text: str
    """The short answer: the span as it stands in its source, `Yes` or `No`; empty when nothing was read."""
    probability: float
    """That this short answer is right, calibrated by kind of question."""
    needed: float
    """How probable it has to be to be given, at the run's strictness."""
    holds: bool
    """Whether it is that probable."""
    span: Citation | None
    """Where the short answer stands; of a yes or no the sentence that decides."""
    sentence: Citation | None
    """The sentence it stands in."""
    also: list[Citation]
    """Further sentences it rests on: of a comparison the one that has the other value."""
    unmet: list[str]
    """What the question fixes (a year, a number, a name) that neither this evidence nor its headings say."""
    runner_up: RunnerUp | None


class Hop(TypedDict):
    """What a description in a question was read as, the sentence it was read in, and what is asked then."""

    reading: ReadAnswer
    strip: Strip
    asks: str
    """The question with what was read in the description's place."""


class Lesson(TypedDict):
    """What an earlier run taught; structured fields only, never free text from a page."""

    question: str
    action: Action
    outcome: Outcome
    reason: str
    query: str
    """The query that found the evidence; empty when none did."""
    similarity: float


class Sent(TypedDict):
    """One query put to an outside source; one of a source that failed is listed too, as it may have left."""

    source: str
    query: str
    cached: bool
    """Answered from what the source said before: nothing left this machine this time."""


class Unavailable(TypedDict):
    """A source that gave nothing, and why."""

    source: str
    reason: str


class Discarded(TypedDict):
    """A page found outside that is no evidence, or none that is new; listed once for each reason."""

    source: str
    url: str
    """Its address; its title where the address is not known."""
    reason: str
    """`empty page`, `bot wall`, `consent page`, `error page`, `not a web address`, `already in the corpus`,
    `duplicate`, or `not read` with the failure."""


class Failure(TypedDict):
    """A part that failed; the run went on without it."""

    node: str
    problem: str
    mend: str


class Usage(TypedDict, total=False):
    """What a run consumed; missing means zero."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    judged_pairs: int


class AtomicClaim(TypedDict):
    """One statement of an answer, able to stand alone."""

    text: str
    sentence: str
    """The sentence of the answer it was taken from."""


class LookedUp(TypedDict):
    """What one place gave for one claim; no passages: it was asked and had nothing."""

    claim: str
    source: str
    """`corpus`, `outside` for what was kept, or the name of the outside source."""
    passages: list[Passage]


class Claim(TypedDict):
    """One statement looked up outside and in the index (Hybrid Self-RAG)."""

    text: str
    sentence: str
    """The sentence of the answer it was taken from."""
    evidence: list[Citation]
    """The best by cosine; empty when nothing was found."""
    cosine: float | None
    """Cosine of claim and best evidence; `None` when nothing was found."""
    by_source: dict[str, float]
    """The same for each place that was asked; 0 for one that had nothing."""
    entailment: float | None
    """The largest over all evidence; `None` when nothing was found."""
    contradiction: float | None
    standing: Standing
    """Contradicted by evidence that passed the evaluator (the critic says so, or a near copy has another number or
    name, or a "not"); else borne out when some evidence entails it; else open."""


class FactScores(TypedDict):
    """The claims of an answer checked one by one; a claim without evidence counts as 0."""

    claims: list[Claim]
    fact_score: float
    """Mean cosine over claims (the paper's FactScore)."""
    entailment_score: float
    by_source: dict[str, float]
    """Mean cosine over the claims that were asked there."""
    missing: int
    missing_claims: list[str]
    """The claims for which nothing was found."""
    unchecked: list[str]
    """Claims beyond the limit of a run, which no place was asked about and no score counts."""


class FactReport(FactScores):
    """The scores before the answer was written again, and after."""

    after: FactScores | None
    """Of the answer that is returned, against the evidence found before; `None` when nothing was written again, so
    that the scores before hold, when no answer is returned, or when time or a judge did not allow it."""


class Conflict(TypedDict):
    """A claim on which two pieces of evidence disagree."""

    claim: str
    supporting: Citation
    contradicting: Citation


class WriteBack(TypedDict):
    """What became of the answer after it was given."""

    written: bool
    reason: str
    record_id: str
    grounding: float | None
    attribution: float | None
    novelty: float | None


class SourceReport(TypedDict):
    """What was asked outside."""

    allowed: list[str]
    used: list[str]
    unavailable: list[Unavailable]
    sent: list[Sent]
    discarded: list[Discarded]


class Judges(TypedDict):
    """Which scorers judged, and at which thresholds."""

    fingerprints: dict[str, str]
    thresholds: dict[str, float]
    sources: dict[SourceKind, SourceMeasure | None]
    """The kinds among the documents; None where the evaluator was never measured on one."""


class Result(TypedDict):
    """Everything about one run; the document that `veridic ask --json` prints."""

    schema_version: int
    run_id: str
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
    strips: list[Strip]
    readings: list[ReadAnswer]
    """One for each part of the question."""
    hops: list[ReadAnswer]
    """What descriptions in the question were read as, in order; the readings are then of the question with these in."""
    candidates: list[Candidate]
    conflicts: list[Conflict]
    fact_report: FactReport | None
    sources: SourceReport
    failures: list[Failure]
    write_back: WriteBack | None
    judges: Judges
    timings: dict[str, float]
    usage: Usage
