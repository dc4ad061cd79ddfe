"""A system on a knowledge base that it may write to: what it is asked, what it answers, what it holds afterwards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import time
from typing import Any

from veridic.context import Context
from veridic.graph.builder import graph_of
from veridic.knowledge import record_rows
from veridic.knowledge.base import Knowledge
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.embeddings import embedded_text
from veridic.knowledge.ingest import Text, ingest_texts
from veridic.knowledge.record_rows import Record
from veridic.knowledge.store import Store
from veridic.ports.embedding import embedded
from veridic.ports.memory import ExperienceStore
from veridic.ports.shapes import Lesson, Passage, RecordStatus, Result, WriteBack
from veridic.resources import open_knowledge_base, open_resources
from veridic.settings import Settings
from veridic_lab.evaluation.journal import Row
from veridic_lab.evaluation.measuring import row_of
from veridic_lab.evaluation.presets import preset_of
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.remembering import citation_f1, human_sources, is_false, is_part
from veridic_lab.evaluation.scores import Score, scored
from veridic_lab.evaluation.scripted import Line, ScriptedWriter, share_of
from veridic_lab.evaluation.systems import System

LIVE: tuple[RecordStatus, ...] = ("probation", "active")
"""Statuses of a record that leads to evidence."""
STATUSES: tuple[RecordStatus, ...] = (*LIVE, "review", "rejected", "withdrawn")
SHOWN = 80
"""Characters of an answer that a row keeps."""
OFF = "Write-back is off."
"""What a run says that may learn nothing."""
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


@dataclass(frozen=True)
class Asked:
    """One question asked: the row of the bench, read as numbers too."""

    row: Row
    score: Score

    @property
    def result(self) -> Result:
        """What the graph gave."""
        found: Result = self.row["result"]
        return found


class Learner:
    """A system on its own knowledge base."""

    def __init__(
        self,
        kb: Path,
        system: str,
        *,
        lines: Mapping[str, Line] | None = None,
        writer: str = "extractive",
        learns: bool = True,
        policy: str = "probation",
        context: Mapping[str, Any] | None = None,
    ) -> None:
        """Open it; with `learns` false nothing that is asked leaves a trace in what it remembers."""
        share = share_of(writer)
        model = writer if share is None else "extractive"
        settings = Settings.load(kb=str(kb), model=model, sources=(), write_back=policy)
        opened = open_resources(settings)
        self.chat = None if share is None else ScriptedWriter(lines or {}, share)
        resources = replace(opened, chat=self.chat or opened.chat)
        if not learns:
            resources = replace(resources, experience=OnlyRecalls(opened.experience))
        self.resources = resources
        self.corpus: Corpus = opened.knowledge  # type: ignore[assignment]
        preset = preset_of(system)
        given = preset.given(resources)
        chosen = {**preset.choices, **(context or {}), "write_back": learns}
        self._speaks = preset.system.learns_unchecked
        self.system = System(system, graph_of(preset.system, lambda: given), Context(**chosen))

    def ask(self, question: GoldQuestion) -> Asked:
        """The question, answered."""
        row = row_of(self.system, question, self.chat)
        return Asked(row, scored(row))

    def held(self, statuses: Sequence[str] = LIVE) -> list[Record]:
        """The records with one of these statuses, oldest first."""
        with self.corpus.store.reading() as connection:
            return record_rows.listed(connection, statuses)

    def by_status(self) -> dict[str, int]:
        """How many records there are of each status that occurs."""
        found = [one.status for one in self.held(STATUSES)]
        return {status: found.count(status) for status in STATUSES if status in found}

    def rests_on(self) -> dict[str, list[str]]:
        """By address of each record the addresses of what it rests on."""
        found: dict[str, list[str]] = {}
        with self.corpus.store.reading() as connection:
            for row in connection.execute("SELECT document_id, url FROM lineage ORDER BY rowid"):
                found.setdefault(f"veridic:{row['document_id']}", []).append(row["url"])
        return found

    def nearest(self, question: str, passages: int) -> list[float | None]:
        """Largest cosines of a question with what retrieval sees: documents, records; each as indexed, text alone.

        What was learned and is found by a search counts among the documents' items where records speak, as in the
        papers' systems; here what an earlier answer rests on is looked up by its question.
        """
        deadline = time() + SECONDS
        whole = self.corpus if self._speaks else self.corpus.beneath_records()
        [found] = whole.search([question], limit=passages, deadline=deadline)
        items = [(one["kind"] == "generated", *_forms(one)) for one in found]
        if self.system.name == "veridic":
            known = self.corpus.recollect(question, statuses=LIVE, depth=passages, deadline=deadline)
            texts = [(one.told["question"], self.corpus.text_of(one.told["record_id"])) for one in known]
            items += [(True, embedded_text(title, "", text), text) for title, text in texts]
        return self._largest(question, items)

    def _largest(self, question: str, items: Sequence[tuple[bool, str, str]]) -> list[float | None]:
        if not items:
            return [None] * 4
        texts = [form for _, *forms in items for form in forms]
        vectors = embedded(self.resources.embedder, [question, *texts])
        cosines = [round(float(one @ vectors[0]), 3) for one in vectors[1:]]
        return [
            max((cosines[2 * at + form] for at, item in enumerate(items) if item[0] == learned), default=None)
            for learned in (False, True)
            for form in (0, 1)
        ]


def _forms(passage: Passage) -> tuple[str, str]:
    return embedded_text(passage["title"], passage["heading"], passage["text"]), passage["text"]


def begun(kb: Path, documents: Sequence[Text], base: Path) -> None:
    """A knowledge base with these documents: a copy of one that is made where it is not there yet."""
    if not base.exists():
        unfinished = base.with_name(f"{base.name}.making")
        unfinished.parent.mkdir(parents=True, exist_ok=True)
        knowledge: Knowledge = open_knowledge_base(Settings.load(kb=str(unfinished)))
        ingest_texts(documents, knowledge.corpus)
        knowledge.corpus.store.copy_to(base)
        knowledge.close()
    if not kb.exists():
        kb.parent.mkdir(parents=True, exist_ok=True)
        with Store(base) as store:
            store.copy_to(kb)


def small_row(found: Asked, phase: str, rests_on: Mapping[str, Sequence[str]]) -> Row:
    """What is kept of a question asked; `system` names the phase, so that a journal tells rows apart by it.

    `right` is 1, of a wrong answer 0, of silence -1; `human` is what is cited with records followed to their sources,
    where that differs.
    """
    score, told, learned = found.score, found.result["told_from"], found.result["write_back"]
    cited = list(score.cited)
    resolved, gold = human_sources(cited, rests_on), score.question.gold
    optional = {
        "human": resolved if resolved != cited else None,
        "told_from": told["record_id"] if told else None,
        "kind": score.question.kind if score.question.kind != "short" else None,
        "planted": score.planted,
        "told": int(score.told),
        "learned": _learned(learned) if learned and learned["reason"] != OFF else None,
    }
    row: Row = {
        "question": {"id": score.question.id},
        "system": phase,
        "outcome": score.outcome,
        "said": (score.short_answer or score.answer)[:SHOWN] if score.answered else "",
        "right": int(score.right) if score.answered else -1,
        "seconds": round(score.seconds, 3),
        "cited": cited,
        "f1": round(citation_f1(cited, gold), 3),
        "f1_human": round(citation_f1(resolved, gold), 3),
    }
    return {**row, **{name: value for name, value in optional.items() if value}}


def _learned(learned: WriteBack) -> dict[str, Any]:
    """What became of the answer: the record and its status, what each gate measured, and what it was refused for."""
    gates = {gate["name"]: round(gate["value"], 3) for gate in learned["gates"] if gate["value"] is not None}
    shut = next((gate["name"] for gate in learned["gates"] if not gate["passed"]), learned["reason"][:SHOWN])
    kept = {"id": learned["record_id"], "status": learned["status"], "again": learned["refreshed"]}
    return {"gates": gates, **(kept if learned["record_id"] else {"shut": shut})}


def rows_of_records(learner: Learner, asked: Mapping[str, tuple[GoldQuestion, bool]]) -> list[Row]:
    """What is kept of each live record; `asked` has by record id its question, and whether it says what was planted.

    A record of a question whose row a kill took away is passed over. `false` is by gold, None where that cannot tell;
    `part` is false and a part of an accepted answer; `planted` is by construction.
    """
    rows = []
    for one in (each for each in learner.held() if each.id in asked):
        question, planted = asked[one.id]
        text = learner.corpus.text_of(one.id)
        false = is_false(one.short_answer, text, question)
        row: Row = {"question": {"id": question.id}, "system": f"record {one.id}", "status": one.status}
        part = bool(false) and is_part(one.short_answer, question)
        rows.append(
            {**row, "said": (one.short_answer or text)[:SHOWN], "false": false, "part": part, "planted": planted}
        )
    return rows
