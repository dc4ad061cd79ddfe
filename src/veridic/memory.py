"""What a node may ask of what is remembered: documents, lessons, decisions. `protocols` has the rest, and these too."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from veridic.shapes import Citation, Lesson, Passage, Result, Vote


@dataclass(frozen=True)
class KnowledgeStatus:
    """What a knowledge base holds, in one namespace."""

    documents: int
    active_chunks: int
    generated_chunks: int
    """Of the active ones, how many were generated."""
    index: Literal["ready", "rebuilt", "empty", "elsewhere"]
    """Elsewhere: a retriever of one's own finds the documents, and the numbers are of what was learned alone."""
    embedder: str


@dataclass(frozen=True)
class GeneratedRecord:
    """An answer to be remembered, with its lineage."""

    run_id: str
    question: str
    text: str
    status: Literal["review", "probation", "active"]
    sources: list[Citation]
    scores: dict[str, float]


class KnowledgeBase(Protocol):
    """Answers first and learns last. All calls see one namespace."""

    def within(self, places: Sequence[str]) -> KnowledgeBase:
        """A view that is asked of the documents at or beneath these places only; of no place, of none.

        A place is a document's id, or a path: a document is at it by its `url`, links resolved, and beneath it by whole
        parts of it (`/a/b` does not hold `/a/bc`). A generated record is in when all it rests on is, evidence from
        outside aside, and that is something. A view of a view sees what both see.

        `search`, `similarity`, `titles`, `opening` and `corrections` are the view's. `text_of`, `remember`,
        `keep_outside`, `search_outside` and `status` are the whole's.
        """
        ...

    def beneath_records(self) -> KnowledgeBase:
        """A view that finds, in place of a generated record, the passages of people's documents that it rests on.

        Directly or through other records; of those that are still active. A record so helps to find what people wrote
        and is no evidence itself. All but `search` is as before.
        """
        ...

    def search(self, queries: Sequence[str], *, limit: int, deadline: float) -> list[list[Passage]]:
        """For each query its passages, best first: dense and lexical rankings fused (reciprocal rank fusion)."""
        ...

    def similarity(self, text: str, *, deadline: float) -> float:
        """The largest cosine between `text` and any active chunk; 0.0 when there is none."""
        ...

    def text_of(self, document_id: str) -> str:
        """The stored text that offsets count in. Raises `DocumentMissing`."""
        ...

    def titles(self, *, limit: int, deadline: float) -> tuple[list[str], int | None]:
        """At most `limit` titles of the active documents that people wrote, in alphabetical order; and their number.

        None where they can be neither listed nor counted.
        """
        ...

    def opening(self, name: str, *, exactly: bool, limit: int, deadline: float) -> list[Passage]:
        """The first passages, at most `limit`, of the document that people wrote whose title or file name is nearest.

        It has all words of `name`, small slips aside, and with `exactly` hardly any others; none when no document has.
        An id of a document names it too.
        """
        ...

    def corrections(self, words: Sequence[str], *, deadline: float) -> dict[str, str]:
        """Of these lower-case words the misspelt ones, each with the word that was meant.

        A word is misspelt when neither the documents nor English know it; meant is the nearest word of the documents
        or function word, if one differs by a slip or, in long words, two.
        """
        ...

    def remember(self, record: GeneratedRecord, *, deadline: float) -> str:
        """Store a generated record and return its document id; the same run id again changes nothing."""
        ...

    def contest(self, document_ids: Sequence[str], *, deadline: float) -> None:
        """Let what was learned from these documents, directly or through other records, wait for review."""
        ...

    def keep_outside(self, passages: Sequence[Passage], *, since: float, deadline: float) -> None:
        """Keep passages from outside, dated by their retrieval; the same passage again changes only its date.

        Those retrieved before `since` (seconds since the epoch) are removed. Nothing but `search_outside` and
        `text_of` knows of what is kept.
        """
        ...

    def search_outside(
        self, queries: Sequence[str], *, limit: int, since: float, deadline: float
    ) -> list[list[Passage]]:
        """As `search`, over what was kept from outside and retrieved from `since` on; `source` is `outside`."""
        ...

    def status(self) -> KnowledgeStatus:
        """What is held."""
        ...


class ExperienceStore(Protocol):
    """Lessons of earlier runs. All calls see one namespace."""

    def within(self, places: Sequence[str]) -> ExperienceStore:
        """A view that recalls only what was learned of documents at or beneath these places, as `KnowledgeBase.within`.

        A lesson is in when all its places are, and it has some; and it is recalled for the same question alone, as
        another one may have words of other documents. Learned and revised is in the whole.
        """
        ...

    def recall(self, question: str, *, limit: int, deadline: float) -> list[Lesson]:
        """Lessons of similar questions, most similar first, as people's votes have left them.

        Of one question the newest; and apart from it the newest that people voted down, which no later run of ours
        makes undone. What a vote makes of a lesson: see `veridic.support.lessons.as_voted`.
        """
        ...

    def learn(self, run_id: str, lesson: Lesson, *, deadline: float) -> None:
        """Keep a lesson; the same run id again changes nothing. Old and least useful ones may go for it."""
        ...

    def revise(self, run_id: str, verdict: Vote, *, deadline: float) -> bool:
        """Keep what people said of a run's answer, the last word counts; False where that run left no lesson."""
        ...


class DecisionLog(Protocol):
    """One row a run: what was decided on which scores."""

    def write(self, result: Result, *, deadline: float) -> None:
        """Keep the decisions of a run; the same run id again changes nothing."""
        ...
