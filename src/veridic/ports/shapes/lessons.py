"""What an earlier run taught: names of fixed vocabularies, numbers, places in documents, and the question as asked."""

from typing import Literal

from typing_extensions import TypedDict  # pydantic reads these schemas, and on Python 3.11 only these

from veridic.ports.shapes.answers import Objection
from veridic.ports.shapes.evidence import Action, Outcome
from veridic.text.query_forms import QueryForm

LessonObjection = Literal[Objection, "contradicted", "voted down"]
"""What was wrong with an answer; contradicted: by other evidence."""
Vote = Literal["up", "down", "correction"]
"""What people said of an answer; a correction says that it was wrong, too."""
StandingVote = Vote | Literal[""]
"""The vote that a lesson has; empty where nobody gave one, or it was taken back."""


Role = Literal["worked", "misled"]


class LessonPlace(TypedDict):
    """A span of a document's stored text that an answer cited."""

    role: Role
    document_id: str
    start: int
    end: int


class Lesson(TypedDict):
    """What an earlier run taught; never evidence, and never text of a page or a model."""

    question: str
    """As people asked it."""
    action: Action
    outcome: Outcome
    reason: str
    """Which budget ended the run; empty where none did."""
    query: str
    """The question where it found the evidence itself; else empty, and `form` tells what did."""
    form: QueryForm | Literal[""]
    """Of the query that found the evidence; empty when none did."""
    source: str
    """Where the evidence was found: `corpus`, `outside` or the name of an outside source; may be empty."""
    objection: LessonObjection | Literal[""]
    """What was wrong, with the answer or with an attempt before it; empty where nothing was."""
    verdict: StandingVote
    """What people said of the answer; empty where nobody did."""
    places: list[LessonPlace]
    """What carried the answer, and what misled: an attempt that was dropped, or what people voted down."""
    similarity: float
    """Cosine of its question and the one asked."""
    weight: float
    """1.0 when it is new; it halves with age."""
