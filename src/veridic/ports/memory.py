"""What a node may ask of what is remembered: documents, lessons, decisions. `protocols` has the rest, and these too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from veridic.ports.shapes import Citation, Lesson, Passage, Recollection, RecordStatus, Result, Sentence


@dataclass(frozen=True)
class KnowledgeStatus:
    """What a knowledge base holds, in one namespace."""

    documents: int
    active_chunks: int
    generated_chunks: int
    """Of the active ones, how many were generated."""
    waiting_chunks: int
    """Generated ones on probation, which lead to evidence and are not among the active ones."""
    index: Literal["ready", "empty", "elsewhere"]
    """Elsewhere: a retriever of one's own finds the documents, and the numbers are of what was learned alone."""
    embedder: str
    audited: int
    """Records that were audited since write-back was last let go on."""
    failed: int
    """Of those, how many no longer held."""

    @property
    def share(self) -> float:
        """Alpha (Bidirectional RAG, equation 3) once one more chunk is learned; those on probation count."""
        return (self.generated_chunks + self.waiting_chunks + 1) / (self.active_chunks + self.waiting_chunks + 1)


@dataclass(frozen=True)
class GeneratedRecord:
    """An answer to be remembered, with its lineage."""

    run_id: str
    question: str
    """Standing alone."""
    text: str
    """The whole answer."""
    status: Literal["review", "probation", "active"]
    sources: list[Citation]
    scores: dict[str, float]
    short_answer: str = ""
    sentences: list[Sentence] = field(default_factory=list)
    """The verified sentences, each with the places it rests on."""
    fingerprints: dict[str, str] = field(default_factory=dict)
    """Of the judges that verified it."""
    scope: tuple[str, ...] | None = None
    """The places it was asked of; None: the whole knowledge base."""
    expires_at: str = ""
    """When it leaves, unless it is confirmed by then; ISO 8601, UTC; empty: never."""
    seen: int = 0
    """`KnowledgeBase.as_of` before its evidence was searched."""
    reason: str = ""
    """Why it waits for review; empty where it does not."""


@dataclass(frozen=True)
class AskedAgain:
    """A run that answered the question of a record as the record does."""

    run_id: str
    sources: Sequence[str]
    """The documents that its answer rests on."""
    seen: int | None
    """As in `GeneratedRecord`; None where the documents were not searched, so that it confirms nothing."""
    expires_at: str
    enough: int
    """Confirmations that make a record active."""


@dataclass(frozen=True)
class Recollected:
    """A record of a question like the one asked."""

    told: Recollection
    passages: list[Passage]
    """Of people's documents, those that hold all it rests on; none where one of them is not to be had."""
    unchanged: bool
    """Whether a search for the question finds no document of people's that came or changed since it was verified."""
    scope: tuple[str, ...] | None
    """The places that was asked of; None: the whole knowledge base."""


class KnowledgeBase(Protocol):
    """Answers first and learns last. All calls see one namespace."""

    def within(self, places: Sequence[str]) -> KnowledgeBase:
        """A view that is asked of the documents at or beneath these places only; of no place, of none.

        A place is a document's id, or a path: a document is at it by its `url`, links resolved, and beneath it by whole
        parts of it (`/a/b` does not hold `/a/bc`). A generated record is in when all it rests on is, evidence from
        outside aside, and that is something. A view of a view sees what both see.

        `search`, `recollect`, `similarity`, `titles`, `passages`, `opening` and `corrections` are the view's.
        `text_of`, `as_of`, `remember`, `refresh`, `settle`, `keep_outside`, `search_outside` and `status` are the
        whole's.
        """

    def beneath_records(self) -> KnowledgeBase:
        """A view that finds, in place of a generated record, the passages of people's documents that it rests on.

        Directly or through other records; of those that are still active. A record so helps to find what people wrote
        and is no evidence itself. All but `search` is as before.
        """

    def search(self, queries: Sequence[str], *, limit: int, deadline: float) -> list[list[Passage]]:
        """For each query its passages, best first: dense and lexical rankings fused (reciprocal rank fusion)."""

    def recollect(
        self, question: str, *, statuses: Sequence[RecordStatus], depth: int, deadline: float
    ) -> list[Recollected]:
        """Records of questions like this one, most similar first, with one of these statuses.

        `depth`: how many passages a search would look at; with 0 none is made, and `unchanged` is False.
        """

    def similarity(self, text: str, *, besides: Sequence[str] = (), records: bool = False, deadline: float) -> float:
        """The largest cosine between `text` and any active chunk; 0.0 when there is none.

        Leaving out these documents; with `records` any record too, whatever its status.
        """

    def as_of(self) -> int:
        """A number that grows with every change; what came later has a larger one."""

    def text_of(self, document_id: str) -> str:
        """The stored text that offsets count in. Raises `DocumentMissing`."""

    def titles(self, *, limit: int, deadline: float) -> tuple[list[str], int | None]:
        """At most `limit` titles of the active documents that people wrote, in alphabetical order; and their number.

        None where they can be neither listed nor counted.
        """

    def passages(self, *, most: int, deadline: float) -> int | None:
        """The number of active passages, counted up to `most`; None where they cannot be counted."""

    def opening(self, name: str, *, exactly: bool, limit: int, deadline: float) -> list[Passage]:
        """The first passages, at most `limit`, of the document that people wrote whose title or file name is nearest.

        It has all words of `name`, small slips aside, and with `exactly` hardly any others; none when no document has.
        An id of a document names it too.
        """

    def remember(self, record: GeneratedRecord, *, deadline: float) -> str:
        """Store a generated record and return its document id; the same run id again changes nothing."""

    def refresh(self, record_id: str, again: AskedAgain, *, deadline: float) -> RecordStatus:
        """The same question was answered in the same way again; returns the record's status.

        Enough confirmations by documents that it does not rest on make a record on probation active. The same run again
        changes nothing. Raises `DocumentMissing`.
        """

    def settle(
        self, record_id: str, status: Literal["active", "rejected"], run_id: str, *, reason: str = "", deadline: float
    ) -> RecordStatus:
        """A person approves (`active`) or rejects a record, in a run or, with an empty id, apart; returns its status.

        One that is approved is confirmed by a person too; what rests on one that is rejected is withdrawn. A record
        that was rejected or withdrawn is approved no more and stays as it is. Raises `DocumentMissing`.
        """

    def contest(self, places: Sequence[Citation], *, learned: Sequence[str] = (), deadline: float) -> None:
        """Let these records, and what rests on these places, wait for review; through other records too.

        What rests on other places of the same documents stays.
        """

    def keep_outside(self, passages: Sequence[Passage], *, since: float, deadline: float) -> None:
        """Keep passages from outside, dated by their retrieval; the same passage again changes only its date.

        Those retrieved before `since` (seconds since the epoch) are removed. Nothing but `search_outside` and
        `text_of` knows of what is kept.
        """

    def search_outside(
        self, queries: Sequence[str], *, limit: int, since: float, deadline: float
    ) -> list[list[Passage]]:
        """As `search`, over what was kept from outside and retrieved from `since` on; `source` is `outside`."""

    def status(self) -> KnowledgeStatus:
        """What is held."""


class ExperienceStore(Protocol):
    """Lessons of earlier runs. All calls see one namespace."""

    def within(self, places: Sequence[str]) -> ExperienceStore:
        """A view that recalls only what was learned of documents at or beneath these places, as `KnowledgeBase.within`.

        A lesson is in when all its places are, and it has some; and it is recalled for the same question alone, as
        another one may have words of other documents. Learned and revised is in the whole.
        """

    def recall(self, question: str, *, limit: int, deadline: float) -> list[Lesson]:
        """Lessons of similar questions, most similar first, as people's votes have left them.

        Of one question the newest; and apart from it the newest that people voted down, which no later run of ours
        makes undone. What a vote makes of a lesson: see `veridic.learning.lessons.as_voted`.
        """

    def learn(self, run_id: str, lesson: Lesson, *, deadline: float) -> None:
        """Keep a lesson; the same run id again changes nothing. Old and least useful ones may go for it."""


class DecisionLog(Protocol):
    """One row a run: what was decided on which scores. All calls see one namespace.

    A run writes and does nothing else; whoever keeps the log reads it, forgets runs, and takes out of it what removed
    documents said: see `knowledge.decisions.Decisions`.
    """

    def write(self, result: Result, *, deadline: float) -> None:
        """Keep the decisions of a run; the same run id again changes nothing."""
