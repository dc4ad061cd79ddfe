"""A knowledge base whose documents a retriever of one's own finds."""

import copy
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from veridic.evidence.evidence import headed
from veridic.knowledge.chunking import chunked
from veridic.knowledge.connection import now, require_time
from veridic.knowledge.ranking import WORD, each_once, fused, terms
from veridic.knowledge.readers.plain import parse_text
from veridic.knowledge.retriever import AskedRetriever, Given
from veridic.knowledge.scope import Place
from veridic.ports.embedding import Embedder, embedded
from veridic.ports.memory import GeneratedRecord, KnowledgeBase, KnowledgeStatus, Recollected
from veridic.ports.shapes import CORPUS, Citation, Passage, RecordStatus
from veridic.runtime.kept import Recent

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WEIGHED = 64
"""Passages that are embedded to choose among, where a retriever gives more than are wanted."""

KNOWN = 4096
"""Documents that were given lately, whose texts citations' offsets count in."""

SIMILAR = 4
"""Documents that are asked for to say how similar a text is to what they hold."""


class RetrievedKnowledge:
    """A `veridic.ports.KnowledgeBase`: its documents are a retriever's, what is learned and kept is `own`'s.

    What a retriever cannot tell is nothing: its documents change unseen, it has no titles and corrects no spelling, and
    a document is opened only by the id of one that was found. Raises what `AskedRetriever` and `own` raise.
    """

    def __init__(self, retriever: AskedRetriever, own: KnowledgeBase, embedder: Embedder) -> None:
        self._retriever = retriever
        self._own = own
        self._embedder = embedder
        self._known = Recent[str, Given](KNOWN)
        self._places: tuple[tuple[Place, ...], ...] = ()
        self.refresh, self.settle, self.contest = own.refresh, own.settle, own.contest
        self.keep_outside, self.search_outside, self.as_of = own.keep_outside, own.search_outside, own.as_of

    def within(self, places: Sequence[str]) -> "RetrievedKnowledge":
        """What the retriever finds at or beneath these places, and what was learned of them alone.

        A retriever is asked as always, so that it may find less than a scope holds.
        """
        view = copy.copy(self)
        view._own = self._own.within(places)
        view._places = (*self._places, tuple(Place.of(place) for place in places))
        return view

    def beneath_records(self) -> "RetrievedKnowledge":
        """What the retriever finds alone: what a record rests on it cannot be asked for."""
        view = copy.copy(self)
        view._own = self._own.beneath_records()
        return view

    def search(self, queries: Sequence[str], *, limit: int, deadline: float) -> list[list[Passage]]:
        """For each query its passages, at most `limit`, no text twice: the retriever's, and what was learned."""
        asked = list(dict.fromkeys(query for query in queries if query.strip()))
        if not asked or limit < 1:
            return [[] for _ in queries]
        learned = self._own.search(asked, limit=limit, deadline=deadline)
        answers = dict[str, list[Passage]]()
        for query, known in zip(asked, learned, strict=True):
            records = [one for one in known if one["kind"] == "generated"]
            by_turns = zip_longest(self._found(query, limit, deadline), records)
            answers[query] = each_once(passage for pair in by_turns for passage in pair if passage)[:limit]
        return [answers.get(query, []) for query in queries]

    def recollect(
        self, question: str, *, statuses: Sequence[RecordStatus], depth: int, deadline: float
    ) -> list[Recollected]:
        """Records in `own`, without passages: what they rest on it cannot be asked for."""
        known = self._own.recollect(question, statuses=statuses, depth=depth, deadline=deadline)
        return [replace(one, passages=[]) for one in known]

    def similarity(self, text: str, *, besides: Sequence[str] = (), records: bool = False, deadline: float) -> float:
        """The largest cosine between `text` and what the retriever finds for it or was learned; 0.0 without any."""
        known = self._own.similarity(text, besides=besides, records=records, deadline=deadline)
        found = self._found(text, SIMILAR, deadline) if text.strip() else []
        others = [passage["text"] for passage in found if passage["document_id"] not in besides]
        if not others:
            return known
        vectors = embedded(self._embedder, [text, *others])
        return max(known, float((vectors[1:] @ vectors[0]).max()))

    def text_of(self, document_id: str) -> str:
        """The text that offsets count in, of a document found lately or of `own`'s. Raises `DocumentMissing`."""
        known = self._known.known(document_id)
        return known.text if known else self._own.text_of(document_id)

    def titles(self, *, limit: int, deadline: float) -> tuple[list[str], None]:  # noqa: ARG002
        """None: a retriever cannot be asked what it has."""
        return [], None

    def passages(self, *, most: int, deadline: float) -> None:
        """None: a retriever cannot be asked how much it has."""

    def opening(self, name: str, *, exactly: bool, limit: int, deadline: float) -> list[Passage]:  # noqa: ARG002
        """The first passages of the document with this id, if it was found lately; none by any other name."""
        known = self._known.known(name)
        return passages_of(known, found_by=name)[:limit] if known and self._asked(known) else []

    def remember(self, record: GeneratedRecord, *, deadline: float) -> str:
        """Store a generated record in `own`, to which the sources are outside ones: it cannot see them change."""
        sources = [Citation(**{**source, "kind": "outside"}) for source in record.sources]
        return self._own.remember(replace(record, sources=sources), deadline=deadline)

    def status(self) -> KnowledgeStatus:
        """What was learned; the documents are elsewhere."""
        return replace(self._own.status(), index="elsewhere")

    def _found(self, query: str, limit: int, deadline: float) -> list[Passage]:
        """What the retriever has for a query, cut into passages; where there are more than wanted, the nearest."""
        given = self._retriever.documents(query, limit=limit, deadline=deadline)
        given = [one for one in given if self._asked(one)]
        self._known.keep({one.id: one for one in given})
        passages = each_once(
            passage for one in in_time(given, deadline) for passage in passages_of(one, found_by=query)
        )
        if len(passages) <= limit:
            return passages
        require_time(deadline)
        return self._nearest(query, passages)[:limit]

    def _asked(self, given: Given) -> bool:
        """Whether a document is in the view's scope."""
        return all(any(place.holds(given.id, given.url) for place in group) for group in self._places)

    def _nearest(self, query: str, passages: list[Passage]) -> list[Passage]:
        """Those that share most words with the query, ranked by that and by the embedder."""
        wanted = set(terms(query))
        shared = [len(wanted.intersection(WORD.findall(passage["text"].lower()))) for passage in passages]
        sharing = sorted(range(len(passages)), key=lambda at: -shared[at])[:WEIGHED]
        texts = [headed(passages[at], passages[at]["text"]) for at in sharing]
        vectors: NDArray[np.float32] = embedded(self._embedder, [query, *texts])
        cosines = dict(zip(sharing, (vectors[1:] @ vectors[0]).tolist(), strict=True))
        return [passages[at] for at in fused(sharing, sorted(sharing, key=lambda at: -cosines[at]))]


def in_time(given: Iterable[Given], deadline: float) -> Iterator[Given]:
    """The documents as long as there is time; raises `DeadlineExceeded`."""
    for one in given:
        require_time(deadline)
        yield one


def passages_of(given: Given, *, found_by: str) -> list[Passage]:
    """A document that a retriever gave, cut as documents are when they are ingested."""
    parsed = parse_text(given.text)
    retrieved_at = now()
    return [
        Passage(
            id=f"{given.id}:{ordinal}",
            document_id=given.id,
            kind="human",
            source=CORPUS,
            title=given.title or parsed.title,
            heading=" > ".join(part for part in (given.heading, chunk.heading) if part),
            url=given.url,
            location=given.location,
            text=chunk.text,
            start=chunk.start,
            end=chunk.end,
            retrieved_at=retrieved_at,
            found_by=found_by,
            score=None,
        )
        for ordinal, chunk in enumerate(chunked(parsed))
    ]
