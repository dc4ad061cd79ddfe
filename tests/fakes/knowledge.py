"""A knowledge base, an experience store and a decision log in lists."""

import copy
import os
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

from tests.fakes.embedder import HashingEmbedder
from veridic.errors import DocumentMissing
from veridic.learning.lessons import as_voted, is_within
from veridic.learning.redaction import documents_in, redacted
from veridic.ports.memory import AskedAgain, GeneratedRecord, KnowledgeStatus, Recollected
from veridic.ports.shapes import Citation, Kind, Lesson, Passage, Recollection, RecordStatus, Result, StandingVote
from veridic.text.hidden import clean
from veridic.text.questions import keywords


def passage(document: str, text: str, *, kind: Kind = "human", title: str = "") -> Passage:
    """A passage that is the whole of its document."""
    return Passage(
        id=f"{document}:0",
        document_id=document,
        kind=kind,
        source="corpus",
        title=title or document,
        heading="",
        url=document,
        location="line 1",
        text=text,
        start=0,
        end=len(text),
        retrieved_at="2026-01-01T00:00:00+00:00",
        found_by="",
        score=None,
    )


class ListKnowledge:
    """Documents of one passage each, ranked by cosine."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        self.embedder = HashingEmbedder()
        self.all_active = [passage(document, text) for document, text in (texts or {}).items()]
        self.limits: tuple[tuple[str, ...], ...] = ()
        self.records_found = True
        self.texts = dict(texts or {})
        self.remembered: dict[str, GeneratedRecord] = {}
        self.statuses: dict[str, RecordStatus] = {}
        self.refreshed: dict[str, dict[str, Sequence[str]]] = {}
        self.changes = 0
        self.kept: dict[str, Passage] = {}

    def within(self, places: Sequence[str]) -> "ListKnowledge":
        view = copy.copy(self)
        view.limits = (*self.limits, tuple(places))
        return view

    def beneath_records(self) -> "ListKnowledge":
        view = copy.copy(self)
        view.records_found = False
        return view

    def _beneath(self, held: Passage) -> list[Passage]:
        """A passage of people's, or those that a record rests on."""
        if self.records_found or held["kind"] != "generated":
            return [held]
        sources = {one["document_id"] for one in self.remembered[held["document_id"]].sources}
        return [own for one in self.active if one["document_id"] in sources for own in self._beneath(one)]

    @property
    def active(self) -> list[Passage]:
        return [held for held in self.all_active if self._is_in(held["document_id"])]

    def _is_in(self, document: str) -> bool:
        if not self.limits:
            return True
        if document in self.remembered:
            own = {one["document_id"] for one in self.remembered[document].sources if one["kind"] != "outside"}
            return bool(own) and all(self._is_in(source) for source in own)
        return all(any(_is_at(document, place) for place in places) for places in self.limits)

    def search(self, queries: Sequence[str], *, limit: int, deadline: float) -> list[list[Passage]]:
        return [self._ranked(query, self.active)[:limit] if query.strip() else [] for query in queries]

    def similarity(self, text: str, *, besides: Sequence[str] = (), records: bool = False, deadline: float) -> float:
        held = {one["document_id"]: one["text"] for one in self.active}
        held |= {one: self.remembered[one].text for one in self.remembered} if records else {}
        return max((self._cosine(text, said) for one, said in held.items() if one not in besides), default=0.0)

    def as_of(self) -> int:
        return self.changes

    def recollect(
        self, question: str, *, statuses: Sequence[RecordStatus], depth: int, deadline: float
    ) -> list[Recollected]:
        if not question.strip():
            return []
        near = [
            self._recollected(one, question, depth)
            for one in reversed(self.remembered)
            if self.statuses[one] in statuses and self._is_in(one)
        ]
        return sorted(
            (one for one in near if one.told["similarity"] >= 0.6), key=lambda one: -round(one.told["similarity"], 6)
        )

    def _recollected(self, identifier: str, question: str, depth: int) -> Recollected:
        record = self.remembered[identifier]
        told = Recollection(
            record_id=identifier,
            question=record.question,
            short_answer=record.short_answer,
            status=self.statuses[identifier],
            written_at="2026-01-01T00:00:00+00:00",
            similarity=self._cosine(question, record.question),
        )
        held = {one["document_id"]: one for one in self.active if one["kind"] == "human"}
        own = list(dict.fromkeys(one["document_id"] for one in record.sources))
        passages = [Passage(**{**held[one], "found_by": question}) for one in own] if set(own) <= set(held) else []
        return Recollected(told, passages, unchanged=depth > 0 and record.seen >= self.changes - 1, scope=record.scope)

    def refresh(self, record_id: str, again: AskedAgain, *, deadline: float) -> RecordStatus:
        if record_id not in self.remembered:
            raise DocumentMissing(f"No answer {record_id!r} was learned.")
        known = {one["document_id"] for one in self.remembered[record_id].sources}
        met = self.refreshed.setdefault(record_id, {})
        met.setdefault(again.run_id, again.sources if again.seen is not None else ())
        independent = 0
        for confirming in met.values():
            if confirming and known.isdisjoint(confirming):
                independent, known = independent + 1, known.union(confirming)
        if self.statuses[record_id] == "probation" and independent >= again.enough:
            self._activate(record_id)
        return self.statuses[record_id]

    def settle(
        self, record_id: str, status: Literal["active", "rejected"], run_id: str, *, reason: str = "", deadline: float
    ) -> RecordStatus:
        if record_id not in self.remembered:
            raise DocumentMissing(f"No answer {record_id!r} was learned.")
        if status == "active" and self.statuses[record_id] in ("probation", "review"):
            self._activate(record_id)
        elif status == "rejected":
            self.statuses[record_id] = "rejected"
            out = [record_id]
            while out:
                gone = out.pop()
                self.all_active = [one for one in self.all_active if one["document_id"] != gone]
                for one, record in self.remembered.items():
                    if gone in {source["document_id"] for source in record.sources} and self._counts(one):
                        self.statuses[one] = "withdrawn"
                        out.append(one)
        return self.statuses[record_id]

    def _counts(self, record_id: str) -> bool:
        return self.statuses[record_id] in ("active", "probation", "review")

    def _activate(self, record_id: str) -> None:
        self.statuses[record_id] = "active"
        record = self.remembered[record_id]
        self.all_active.append(passage(record_id, record.text, kind="generated", title=record.question))

    def text_of(self, document_id: str) -> str:
        if document_id not in self.texts:
            raise DocumentMissing(f"There is no document {document_id!r}.")
        return self.texts[document_id]

    def titles(self, *, limit: int, deadline: float) -> tuple[list[str], int]:
        titles = sorted((held["title"] for held in self.active if held["kind"] == "human"), key=str.lower)
        return titles[:limit], len(titles)

    def passages(self, *, most: int, deadline: float) -> int:
        return min(most, len(self.active))

    def opening(self, name: str, *, exactly: bool, limit: int, deadline: float) -> list[Passage]:
        said = set(keywords(name))
        called = [
            held
            for held in self.active
            if held["kind"] == "human"
            and (name == held["document_id"] or (said and said <= set(keywords(held["title"]))))
            and (not exactly or len(keywords(held["title"])) <= len(said))
        ]
        return [Passage(**{**held, "found_by": name}) for held in called[:1]][:limit]

    def remember(self, record: GeneratedRecord, *, deadline: float) -> str:
        identifier = f"gen-{record.run_id}"
        if identifier not in self.remembered:
            self.changes += 1
            self.statuses[identifier] = record.status
            self.remembered[identifier] = record
            self.texts[identifier] = record.text
            if record.status == "active":
                self.all_active.append(passage(identifier, record.text, kind="generated", title=record.question))
        return identifier

    def contest(self, places: Sequence[Citation], *, learned: Sequence[str] = (), deadline: float) -> None:
        resting = {
            one
            for one, record in self.remembered.items()
            if any(_overlap(source, place) for source in record.sources for place in places)
        }
        for one in resting.union(learned).intersection(self.remembered):
            self.statuses[one] = "review"
        self.all_active = [one for one in self.all_active if self.statuses.get(one["document_id"], "") != "review"]

    def keep_outside(self, passages: Sequence[Passage], *, since: float, deadline: float) -> None:
        for given in passages:
            identifier = f"out-{given['id']}"
            self.texts[identifier] = given["text"]
            kept = passage(identifier, given["text"], kind="outside", title=given["title"])
            here = {"source": "outside", "url": given["url"], "retrieved_at": given["retrieved_at"]}
            self.kept[identifier] = Passage(**{**kept, **here})
        for name in [name for name, kept in self.kept.items() if _is_older(kept, since)]:
            del self.kept[name], self.texts[name]

    def search_outside(
        self, queries: Sequence[str], *, limit: int, since: float, deadline: float
    ) -> list[list[Passage]]:
        fresh = [kept for kept in self.kept.values() if not _is_older(kept, since)]
        return [self._ranked(query, fresh)[:limit] if query.strip() else [] for query in queries]

    def status(self) -> KnowledgeStatus:
        generated = sum(held["kind"] == "generated" for held in self.all_active)
        index = "ready" if self.all_active else "empty"
        waiting = sum(status == "probation" for status in self.statuses.values())
        return KnowledgeStatus(
            documents=len(self.texts),
            active_chunks=len(self.all_active),
            generated_chunks=generated,
            waiting_chunks=waiting,
            index=index,
            embedder=self.embedder.fingerprint,
            audited=0,
            failed=0,
        )

    def _ranked(self, query: str, among: Sequence[Passage]) -> list[Passage]:
        best = sorted(among, key=lambda held: -self._cosine(query, held["text"]))
        found = {one["id"]: one for held in best for one in self._beneath(held)}
        return [Passage(**{**one, "found_by": query}) for one in found.values()]

    def _cosine(self, one: str, other: str) -> float:
        first, second = self.embedder.embed([one, other])
        return float(first @ second)


def _is_at(document: str, place: str) -> bool:
    place = clean(place).strip()
    return document == place or (bool(place) and Path(document).is_relative_to(os.path.realpath(place)))


def _overlap(one: Citation, other: Citation) -> bool:
    same = one["document_id"] == other["document_id"]
    return same and one["start"] < other["end"] and other["start"] < one["end"]


def _is_older(kept: Passage, since: float) -> bool:
    return datetime.fromisoformat(kept["retrieved_at"]).timestamp() < since


class ListExperience:
    """Lessons by cosine of their questions."""

    def __init__(self) -> None:
        self.embedder = HashingEmbedder()
        self.lessons: dict[str, Lesson] = {}
        self.scopes: list[Sequence[str]] = []

    def within(self, places: Sequence[str]) -> "ListExperience":
        view = copy.copy(self)
        view.scopes = [*self.scopes, places]
        return view

    def recall(self, question: str, *, limit: int, deadline: float) -> list[Lesson]:
        alike: dict[tuple[str, bool], Lesson] = {}
        for lesson in reversed(self.lessons.values()):
            first, second = self.embedder.embed([question, lesson["question"]])
            if first @ second >= 0.6 and all(is_within(lesson, question, set(scope)) for scope in self.scopes):
                told = as_voted(Lesson(**{**lesson, "similarity": float(first @ second)}))
                alike.setdefault((lesson["question"], lesson["verdict"] in ("down", "correction")), told)
        return sorted(alike.values(), key=lambda lesson: -lesson["similarity"])[:limit]

    def learn(self, run_id: str, lesson: Lesson, *, deadline: float) -> None:
        self.lessons.setdefault(run_id, lesson)

    def revise(self, run_id: str, verdict: StandingVote, *, deadline: float) -> bool:
        if run_id in self.lessons:
            self.lessons[run_id] = {**self.lessons[run_id], "verdict": verdict}
        return run_id in self.lessons


class ListDecisions:
    """Results by run."""

    def __init__(self) -> None:
        self.results: dict[str, Result] = {}

    def write(self, result: Result, *, deadline: float) -> None:
        self.results.setdefault(result["run_id"], result)

    def read(self, run_id: str) -> Result | None:
        return self.results.get(run_id)

    def redact(self, document_ids: Collection[str]) -> int:
        naming = [one for one in self.results.values() if set(document_ids).intersection(documents_in(one))]
        for one in naming:
            gone = set(document_ids).intersection(documents_in(one))
            self.results[one["run_id"]] = redacted(one, gone)
        return len(naming)

    def forget(self, run_ids: Collection[str]) -> list[str]:
        return [run_id for run_id in run_ids if self.results.pop(run_id, None)]
