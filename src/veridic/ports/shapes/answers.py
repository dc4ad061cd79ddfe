"""What is read and written: sentences with their verdicts, candidates, readings."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict  # pydantic reads these schemas, and on Python 3.11 only these

from veridic.ports.judgements import Rank
from veridic.ports.shapes.evidence import Citation
from veridic.text.kinds import AnswerKind

Verdict = Literal["supported", "partly", "contradicted", "unsupported", "unverified"]
"""Self-RAG's ISSUP; `partly`: some of its words are supported, others not (`doubtful`)."""
Origin = Literal["chat", "extractive", "read", "reply"]
Objection = Literal["not supported", "read otherwise", "too unsure", "not useful", "undecided", "declined"]
"""Why a candidate is not given: a sentence is not supported; another answer is read in the same evidence; what it says
is read there, too unsurely; it does not answer the question; a yes or no is asked for and neither is sure."""


class Sentence(TypedDict):
    """One sentence of an answer and what the evidence says of it."""

    text: str
    start: int
    """Offset in the answer."""
    end: int
    verdict: Verdict
    support: float | None
    """P(entailment), by all that the evidence says of it."""
    contradiction: float | None
    citations: list[Citation]
    quoted: NotRequired[bool]
    """True of what stands in its source word for word, which no judge looked at."""
    judged_by: NotRequired[Rank]
    """Which judge decided; absent where none had to: what is quoted, or was read."""
    weight: NotRequired[float]
    """How much a chat model's word moved the log-odds of `support`; absent where it was not asked."""
    doubtful: NotRequired[list[list[int]]]
    """Start and end of the words that its nearest evidence least supports, a fifth of the sentence at most."""


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
    probability: float | None
    """P(it is right and supported), by which it is verified; None before the critique."""
    answers: float | None
    """P(it answers what was asked, as the documents speak of it), by which it is given; None before the critique."""
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


class Segment(TypedDict):
    """One sentence of an answer that is written sentence by sentence, with Self-RAG's three scores."""

    text: str
    """Empty: the writer has nothing to add."""
    beam: int
    """The place of the answer that it goes on with."""
    passage_id: str
    """What it was written from."""
    origin: Origin
    sentences: list[Sentence]
    """With verdicts, once graded."""
    likelihood: float | None
    """P(sentence | question, passage, answer so far): the geometric mean of its tokens'; None where none is told."""
    sure: str | None
    """Its words that the model was sure of, by the probabilities of their tokens; None where none is told."""
    relevance: float | None
    """ISREL of the passage; None before it is graded, unless a token of the model says it. So of the next two."""
    support: float | None
    """ISSUP in [0, 1]: the critic's P(supported), or what the model's own token says."""
    usefulness: float | None
    """ISUSE of the answer with this sentence, in [0, 1]."""
    score: float
    """What it is ranked by, in [0, 1]."""


class Beam(TypedDict):
    """An answer as far as it is written."""

    segments: list[Segment]
    score: float
    """Mean over its segments."""
    done: bool
    doubted: str
    """What evidence is looked for, as every sentence that would come next is doubted; empty where nothing was."""


class RunnerUp(TypedDict):
    """The second best of what was read."""

    text: str
    probability: float


class Rival(TypedDict):
    """What another document answers instead."""

    text: str
    sentence: Citation
    """The sentence it stands in."""


class ReadPlace(TypedDict):
    """A sentence in which an answer was read."""

    sentence: Citation
    margin: float
    """Log-odds of the clearest span in it against "no answer here"; of a yes or no of deciding so."""


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
    places: list[ReadPlace]
    """The sentences in which answers were read, the clearest first: at most eight."""
    runner_up: RunnerUp | None
    rival: Rival | None
    """The clearest other answer of a document that does not give this one; None where no document has one."""
