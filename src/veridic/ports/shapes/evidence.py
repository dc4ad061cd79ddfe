"""Passages, strips and citations, and what places outside said."""

from typing import Literal

from typing_extensions import TypedDict  # pydantic reads these schemas, and on Python 3.11 only these

Outcome = Literal["accepted", "corrected", "partial", "abstained", "unverified"]
Action = Literal["correct", "ambiguous", "incorrect"]
Kind = Literal["human", "generated", "outside"]

CORPUS = "corpus"
"""The `source` of passages from the knowledge base's documents."""
OUTSIDE = "outside"
"""The `source` of passages from outside that the knowledge base kept."""


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
    """As it is stored; what is flagged in it is blanked, so that offsets stay true."""
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


class Flagged(TypedDict):
    """A piece of evidence that orders the machine about that reads it: it was taken out before anything read it."""

    document_id: str
    title: str
    """As it was found, even where the title itself is flagged."""
    url: str
    location: str
    part: Literal["text", "heading", "title"]
    text: str
    start: int
    """Offset in the document's stored text; of a title or heading that of its passage."""
    end: int
    probability: float
    """That it gives such an order; 1.0 where its markup says so."""


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
