"""The state of the graph: its channels, how they are merged, and what nodes get and return.

Only JSON-like values and messages; see `veridic.ports.shapes`.
"""

from copy import deepcopy
from typing import Annotated, Any, Literal, NotRequired, cast, get_args, get_origin

from langchain_core.messages import AnyMessage
from langgraph.types import Overwrite
from typing_extensions import TypedDict  # pydantic reads these schemas, and on Python 3.11 only these

from veridic.ports import merging, shapes
from veridic.ports.shapes.checking import CheckedClaim, CheckResult, Statement
from veridic.ports.shapes.messages import Intent

_ALWAYS_WRITTEN = object()


class InputState(TypedDict, total=False):
    """What a caller may send: a question, a conversation that ends with one, or a question and what was said before.

    Of both the question counts, but for the one that its thread was asked last, which the thread holds still.
    """

    question: str
    messages: Annotated[list[AnyMessage], merging.merge_messages]


class OutputState(TypedDict):
    """What a caller gets."""

    answer: str
    outcome: shapes.Outcome
    result: shapes.Result
    messages: Annotated[list[AnyMessage], merging.merge_messages]


class CheckInput(TypedDict, total=False):
    """What a caller of the graph that checks may send."""

    text: str


class CheckOutput(TypedDict):
    """What such a caller gets."""

    report: CheckResult


class SourceTask(TypedDict):
    """What one `search` task gets under `Send`."""

    run_id: str
    source: str
    query: str
    deadline: float


class LookUpTask(TypedDict):
    """What one `look_up` task gets under `Send`."""

    run_id: str
    claim: str
    source: str
    """`corpus`, for all the knowledge base holds, or an outside source."""
    query: str
    """What leaves, when it goes outside."""
    deadline: float


class GraphState(TypedDict, total=False):
    """All channels, each declared here and nowhere else. `fresh` begins them anew."""

    messages: Annotated[list[AnyMessage], merging.merge_messages]
    question: str
    """As asked; never rewritten."""
    answered: str
    """Id of the human message this run answers; tells a new message from one already taken up."""
    run_id: str
    started: float
    """Seconds since the epoch."""
    deadline: float
    """When the run must end, seconds since the epoch."""
    standalone: str
    """The question made whole from the conversation; everything is graded against it."""
    queries: list[str]
    """Every query made so far: the standalone question, sub-questions, rewrites."""
    pending: list[str]
    """The queries the next retrieval or search uses."""
    intent: Intent
    """What kind of message it is; `question` where the documents are asked."""
    analysis: shapes.Analysis
    """Of the standalone question as `analyze` made it."""
    needs_evidence: bool
    time_sensitive: bool
    """Whether outside is asked even when the corpus says correct."""
    asking: list[str]
    """The outside sources the next search asks; empty: the knowledge base is asked again."""
    lessons: list[shapes.Lesson]
    as_of: int
    """`KnowledgeBase.as_of` before anything was searched."""
    told_from: shapes.Recollection | None
    """The record whose sources are the documents; None where these were searched."""
    documents: list[shapes.Passage]
    rejected: list[shapes.Passage]
    """What was graded and dropped, best first."""
    findings: Annotated[list[shapes.Passage], merging.merge_findings]
    """From outside, over all searches of the run, each once; graded ones keep their score, dropped or not."""
    searched: bool
    """Whether a correction (rewrite) has been made."""
    asked_again: list[str]
    """The queries by which corrections asked the knowledge base."""
    action: shapes.Action | None
    strips: list[shapes.Strip]
    readings: list[shapes.ReadAnswer]
    """What was read in the kept strips and their passages, one for each part of the question."""
    candidates: list[shapes.Candidate]
    """Of all attempts."""
    beams: list[shapes.Beam]
    """Answers that are written sentence by sentence (Self-RAG), the best first."""
    segments: list[shapes.Segment]
    """The sentences that may come next, not graded yet."""
    asked: list[str]
    """Digests of the prompts already sent to the chat model."""
    attempt: int
    """How often `generate` has run."""
    retries: int
    """Attempts that did not hold; raised in `critique` and nowhere else."""
    unsettled: list[str]
    """Sentences of the last attempt that the evidence left open or contradicted."""
    stopped_by: shapes.StoppedBy | None
    claims: list[shapes.AtomicClaim]
    """Those to be checked: of what is unsettled or of the whole answer, then of the answer that is returned."""
    look_ups: list[LookUpTask]
    """What is asked about them, and where."""
    looked_up: Annotated[list[shapes.LookedUp], merging.merge_lists]
    evidence: list[shapes.Strip]
    """What was looked up, cut and graded for the question; kept ones joined the strips."""
    flagged: Annotated[list[shapes.Flagged], merging.merge_flagged]
    """What was taken out of the evidence as it came in, because it gives orders."""
    validated: bool
    fact_report: shapes.FactReport | None
    conflicts: list[shapes.Conflict]
    sent: Annotated[list[shapes.Sent], merging.merge_lists]
    unavailable: Annotated[list[shapes.Unavailable], merging.merge_lists]
    discarded: Annotated[list[shapes.Discarded], merging.merge_discarded]
    failures: Annotated[list[shapes.Failure], merging.merge_lists]
    timings: Annotated[dict[str, float], merging.merge_seconds]
    path: Annotated[list[str], merging.merge_lists]
    """The nodes that ran, in order."""
    usage: Annotated[shapes.Usage, merging.merge_usage]
    grades: Annotated[list[shapes.Grade], merging.merge_grades]
    seals: Annotated[dict[str, list[str]], merging.merge_seals]
    """Keyed digests of what the nodes of this run wrote; see `veridic.graph.sealing`."""
    answer: str
    outcome: shapes.Outcome
    result: shapes.Result
    text: str
    """What is checked, where no question is asked; so of the channels below."""
    statements: list[Statement]
    """Its sentences."""
    batch: list[Statement]
    """Those that are looked up now."""
    checked: list[CheckedClaim]
    report: CheckResult


StateUpdate = GraphState
"""What a node returns: any of the channels."""


def _empty(kind: Any) -> object:  # noqa: ANN401 - a type of any form
    """What a channel of this type holds at first; a merged one is begun anew."""
    if get_origin(kind) is Annotated:
        return Overwrite(_empty(get_args(kind)[0]))
    if type(None) in get_args(kind):
        return None
    plain = get_origin(kind) or kind
    return plain() if plain in (list, dict, bool, int, shapes.Usage) else _ALWAYS_WRITTEN


_EMPTY = {name: _empty(kind) for name, kind in GraphState.__annotations__.items() if name != "messages"}


def fresh() -> StateUpdate:
    """Every channel but the conversation as before the first question, where it can be empty.

    A thread with a checkpointer keeps what the last question left otherwise. What is always written, such as a text or
    a time, is left out.
    """
    empty = {name: value for name, value in _EMPTY.items() if value is not _ALWAYS_WRITTEN}
    return cast("StateUpdate", deepcopy(empty))


class Event(TypedDict):
    """One item of the custom stream."""

    event: Literal["step", "analysis", "documents", "strips", "readings", "token", "sentences", "outcome"]
    node: str
    attempt: NotRequired[int]
    candidate: NotRequired[int]
    text: NotRequired[str]
    analysis: NotRequired[shapes.Analysis]
    action: NotRequired[shapes.Action | None]
    documents: NotRequired[list[shapes.Passage]]
    strips: NotRequired[list[shapes.Strip]]
    readings: NotRequired[list[shapes.ReadAnswer]]
    sentences: NotRequired[list[shapes.Sentence]]
    outcome: NotRequired[shapes.Outcome]
