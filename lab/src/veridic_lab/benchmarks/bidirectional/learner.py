"""A system on its own knowledge base: asked, with what it learned and what that rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import time
from typing import Any, cast

from veridic.context import Context
from veridic.graph.builder import graph_of
from veridic.knowledge import record_rows
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.embeddings import embedded_text
from veridic.knowledge.record_rows import Record
from veridic.ports.embedding import embedded
from veridic.ports.memory import ExperienceStore
from veridic.ports.shapes import Lesson, RecordStatus, Result
from veridic.resources import open_resources
from veridic.settings import Settings
from veridic_lab.benchmarks.bidirectional.tables import FIRST, HELD, RECORD
from veridic_lab.evaluation.journal import Row
from veridic_lab.evaluation.measuring import row_of
from veridic_lab.evaluation.presets import preset_of
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.remembering import citation_f1, human_sources, is_false, is_part
from veridic_lab.evaluation.scores import scored
from veridic_lab.evaluation.scripted import Line, ScriptedWriter, share_of
from veridic_lab.evaluation.systems import System

LIVE: tuple[RecordStatus, ...] = ("probation", "active")
"""Statuses of a record that leads to evidence."""
SHOWN = 80
"""Characters of an answer that a row keeps."""
SECONDS = 60.0
"""For one look into the knowledge base."""


class OnlyRecalls:
    """An experience store that learns nothing from what is asked to measure it."""

    def __init__(self, own: ExperienceStore) -> None:
        self._own = own

    def recall(self, question: str, *, limit: int, deadline: float) -> list[Lesson]:
        """As the store does."""
        return self._own.recall(question, limit=limit, deadline=deadline)

    def learn(self, run_id: str, lesson: Lesson, *, deadline: float) -> None:
        """Keep nothing."""


class Learner:
    """A system on its own knowledge base; with `learns` false nothing that is asked leaves a trace in it."""

    def __init__(self, kb: Path, system: str, lines: Mapping[str, Line], writer: str, *, learns: bool) -> None:
        share = share_of(writer)
        model = writer if share is None else "extractive"
        opened = open_resources(Settings.load(kb=str(kb), model=model, sources=(), write_back="probation"))
        self.chat = None if share is None else ScriptedWriter(lines, share)
        experience = opened.experience if learns else OnlyRecalls(opened.experience)
        self.resources = replace(opened, chat=self.chat or opened.chat, experience=cast(Any, experience))
        self.corpus = cast(Corpus, opened.knowledge)
        preset = preset_of(system)
        given = preset.given(self.resources)
        self._speaks = preset.system.learns_unchecked
        context = Context(**{**preset.choices, "write_back": learns})
        self.system = System(system, graph_of(preset.system, lambda: given), context)

    def row(self, question: GoldQuestion, phase: str, rests_on: Mapping[str, Sequence[str]], *, nearest: bool) -> Row:
        """What is kept of a question asked; `system` names the phase, so that a journal tells rows apart by it.

        `right` is 1, of a wrong answer 0, of silence -1; `f1_human` is of what is cited with records followed to their
        sources.
        """
        asked = row_of(self.system, question, self.chat)
        score, result = scored(asked), cast(Result, asked["result"])
        cited, learned = list(score.cited), result["write_back"]
        looked = {"retrieve", "recollect"} & set(asked["measured"]["steps"])
        return {
            "question": {"id": question.id},
            "system": phase,
            "kind": question.kind,
            "said": (score.short_answer or score.answer)[:SHOWN] if score.answered else "",
            "right": int(score.right) if score.answered else -1,
            "seconds": round(score.seconds, 3),
            "f1": round(citation_f1(cited, question.gold), 3),
            "f1_human": round(citation_f1(human_sources(cited, rests_on), question.gold), 3),
            "planted": bool(score.planted and score.told),
            "record": learned["record_id"] if learned and learned["written"] else "",
            "near": self._nearest(question.text, result) if nearest and looked else [None] * 2,
        }

    def rests_on(self) -> dict[str, list[str]]:
        """By address of each record the addresses of what it rests on."""
        found: dict[str, list[str]] = {}
        with self.corpus.store.reading() as connection:
            for row in connection.execute("SELECT document_id, url FROM lineage ORDER BY rowid"):
                found.setdefault(f"veridic:{row['document_id']}", []).append(row["url"])
        return found

    def remembered(self, questions: Mapping[str, GoldQuestion], documents: int, asked: Sequence[Row]) -> list[Row]:
        """Each live record, whether it is false by gold, a part of what is right, or planted; and what was added.

        None where gold cannot tell. A record of a question whose row a kill took away is passed over.
        """
        first = {row["record"]: row for row in reversed(asked) if row["system"] == FIRST and row["record"]}
        found = [self._told(one, questions, first[one.id]) for one in self._held() if one.id in first]
        added = self.corpus.status().documents - documents
        return [*found, {"question": {"id": ""}, "system": HELD, "documents": added}]

    def _told(self, record: Record, questions: Mapping[str, GoldQuestion], first: Row) -> Row:
        question, text = questions[first["question"]["id"]], self.corpus.text_of(record.id)
        false = is_false(record.short_answer, text, question)
        said = (record.short_answer or text)[:SHOWN]
        part = bool(false) and is_part(record.short_answer, question)
        told = {"said": said, "false": false, "part": part, "planted": first["planted"]}
        return {"question": {"id": question.id}, "system": f"{RECORD}{record.id}", **told}

    def _held(self) -> list[Record]:
        with self.corpus.store.reading() as connection:
            return record_rows.listed(connection, LIVE)

    def _nearest(self, question: str, result: Result) -> list[float | None]:
        """Largest cosines of a question with what retrieval sees: documents, records.

        What was learned and is found by a search counts among the documents' items where records speak, as in the
        papers' systems; here what an earlier answer rests on is looked up by its question.
        """
        passages, deadline = self.system.context.passages or result["analysis"]["passages"], time() + SECONDS
        whole = self.corpus if self._speaks else self.corpus.beneath_records()
        [found] = whole.search([question], limit=passages, deadline=deadline)
        items = [
            (one["kind"] == "generated", embedded_text(one["title"], one["heading"], one["text"])) for one in found
        ]
        if self.system.name == "veridic":
            known = self.corpus.recollect(question, statuses=LIVE, depth=passages, deadline=deadline)
            texts = [(one.told["question"], self.corpus.text_of(one.told["record_id"])) for one in known]
            items += [(True, embedded_text(title, "", text)) for title, text in texts]
        vectors = embedded(self.resources.embedder, [question, *(text for _, text in items)])
        cosines = [round(float(one @ vectors[0]), 3) for one in vectors[1:]]
        return [
            max((cosine for (own, _), cosine in zip(items, cosines, strict=True) if own == learned), default=None)
            for learned in (False, True)
        ]
