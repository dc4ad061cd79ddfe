"""Verify again what was learned: how much of it no longer holds (Bidirectional RAG, equation 2).

A record holds when what it quotes still stands in documents that count, the critic says of each of its sentences that
those places carry it, and its question, asked anew of all documents it was asked of, is not read to be answered
otherwise. The question is asked of the whole graph, without a chat model, without what was learned, without outside.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf

from veridic.api.asking_again import WITHOUT_MEMORY, apart_from_runs
from veridic.context import Context
from veridic.errors import DeadlineExceeded, JudgeError
from veridic.evidence.evidence import strip_at
from veridic.evidence.verdicts import Written, verdicts_on
from veridic.graph.builder import Graph, build_graph
from veridic.knowledge import integrity, record_rows, reviewing
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.document_rows import Status
from veridic.knowledge.ranking import quoted_in
from veridic.knowledge.record_rows import Record
from veridic.learning.acceptance import AUDITED, lower_bound, says_the_same, upper_bound
from veridic.ports.shapes import Result, Sentence
from veridic.runtime.run import Resources, Run
from veridic.text.answers import tokens

HOLDS = "It holds: its evidence stands and carries it, and is read as before."
CHANGED = "It changed while it was audited."
NOT_CARRIED = "By the places it rests on it is {verdict}: {text}"
NOWHERE = "Nothing is held at {}, where it was asked: audit it from the folder in which it was."
SECONDS = 120.0
"""For one question, and for the sentences of one record."""


@dataclass(frozen=True)
class Finding:
    """What an audit found of a record."""

    status: Status | None
    """The record's from now on; None: nothing can be said, and it stays as it is."""
    reason: str


@dataclass
class Audit:
    """What an audit did, and what the audits so far say of all that was learned."""

    held: list[str] = field(default_factory=list)
    """Ids of the records that hold; they are active."""
    approved: list[str] = field(default_factory=list)
    """Of these, the ones that were on probation."""
    failed: dict[str, Finding] = field(default_factory=dict)
    """Records that no longer hold: withdrawn, or waiting for review."""
    gone_with: list[str] = field(default_factory=list)
    """Ids of the records that rested on those that failed."""
    unaudited: dict[str, str] = field(default_factory=dict)
    """Records of which nothing could be said, and why."""
    left: int = 0
    """Records that were not come to."""
    all_audited: int = 0
    """Records audited since write-back was last let go on."""
    all_failed: int = 0
    """Of those, how many no longer held."""
    max_failing: float = 1.0
    """The setting: epsilon_h."""

    @property
    def share(self) -> float | None:
        """Of the records audited, the share that no longer held; None of none."""
        return self.all_failed / self.all_audited if self.all_audited else None

    @property
    def bounds(self) -> tuple[float, float]:
        """The share of all records that no longer holds is at least, and at most, this; each at 95 %."""
        return lower_bound(self.all_failed, self.all_audited), upper_bound(self.all_failed, self.all_audited)

    @property
    def suspended(self) -> bool:
        """Whether nothing is learned until an audit with `resume`."""
        return self.all_audited >= AUDITED and self.bounds[0] > self.max_failing


def audited(
    corpus: Corpus,
    resources: Resources,
    *,
    most: int | None = None,
    statuses: Sequence[str] = ("probation", "active"),
    seconds: float = inf,
    progress: Callable[[int, int], None] = lambda *_: None,
) -> Audit:
    """Audit records, at most `most`, the one audited longest ago first; each is settled before the next is begun.

    One that holds is active from then on; one whose evidence is gone, or does not carry it, is withdrawn; one whose
    question the documents answer otherwise, or not surely, waits for review. One that a judge fails on stays as it is.
    What waited on probation too long leaves first. `resources` are over `corpus`. Raises `KnowledgeError`.
    """
    report, until = Audit(max_failing=resources.settings.max_failing), time.time() + seconds
    apart = apart_from_runs(resources)
    graph = build_graph(apart, method=WITHOUT_MEMORY)
    with corpus.store.writing() as connection:
        record_rows.expire(connection)
        due = reviewing.to_audit(connection, statuses)[:most]
    for at, record in enumerate(due):
        progress(at, len(due))
        if time.time() >= until:
            report.left = len(due) - at
            break
        _settle(corpus, record, _finding(corpus, record, graph, apart), report)
    with corpus.store.reading() as connection:
        report.all_audited, report.all_failed = record_rows.audits(connection)
    return report


def _settle(corpus: Corpus, record: Record, found: Finding, report: Audit) -> None:
    """Give a record its status, and tell of it."""
    if found.status is None:
        report.unaudited[record.id] = found.reason
        return
    with corpus.store.writing() as connection:
        rested = reviewing.audited(connection, record, found.status, reason=found.reason)
    if rested is None:
        report.unaudited[record.id] = CHANGED
    elif found.status == "active":
        report.held.append(record.id)
        report.approved += [record.id] if record.status != "active" else []
    else:
        report.failed[record.id] = found
        report.gone_with += rested


def _finding(corpus: Corpus, record: Record, graph: Graph, resources: Resources) -> Finding:
    """What is found of a record, its question asked of the documents as they are; what cannot be judged is none."""
    cited = [*record.sources, *(one for sentence in record.sentences for one in sentence["citations"])]
    with corpus.store.reading() as connection:
        gone = next(filter(None, [integrity.amiss(connection, one) for one in cited]), None)
    if gone:
        return Finding("withdrawn", f"It rests on {gone}.")
    if record.scope is not None and not corpus.within(record.scope).titles(limit=0, deadline=inf)[1]:
        return Finding(None, NOWHERE.format(", ".join(record.scope)))
    context = Context(write_back=False, scope=record.scope, sources=(), time_budget=SECONDS)
    try:
        result: Result = graph.invoke({"question": record.question}, context=context)["result"]
        if result["failures"]:
            return Finding(None, result["failures"][0]["problem"])
        if result["stopped_by"] not in (None, "retries"):
            return Finding(None, f"The budget of {result['stopped_by']} ended it.")
        return _judged(corpus, record, result, resources)
    except (JudgeError, DeadlineExceeded) as error:
        return Finding(None, str(error))


def _judged(corpus: Corpus, record: Record, result: Result, resources: Resources) -> Finding:
    """What the critic says of the sentences by their own evidence, then what was read in all documents.

    The short answer is no sentence for the critic: it was read, and is held against what is read today.
    """
    for sentence in (one for one in record.sentences if tokens(one["text"]) != tokens(record.short_answer)):
        for verdict in _verdicts(corpus, sentence, record, result, resources):
            if verdict["verdict"] == "unverified":
                return Finding(None, f"No judge reads this: {verdict['text']}")
            if verdict["verdict"] != "supported":
                return Finding("withdrawn", NOT_CARRIED.format(**verdict))
    if otherwise := _read_otherwise(record, result):
        return Finding("review", otherwise)
    return Finding(None, result["reason"]) if result["outcome"] == "unverified" else Finding("active", HOLDS)


def _verdicts(
    corpus: Corpus, sentence: Sentence, record: Record, result: Result, resources: Resources
) -> list[Sentence]:
    """The verdicts on a sentence by the places it cites; what is read today counts as read."""
    with corpus.store.reading() as connection:
        strips = [
            strip_at(quoted_in(connection, one), one["start"], one["quote"], kept=True) for one in sentence["citations"]
        ]
    run = Run(Context(), resources, emit=lambda _: None)
    written = Written(sentence["text"], strips, quotes=True)
    deadline = time.time() + SECONDS
    judged = verdicts_on([written], record.question, result["readings"], run, deadline=deadline)
    return judged.sentences[0]


def _read_otherwise(record: Record, result: Result) -> str:
    """What today's documents say against a record; empty when nothing.

    Where it rests on outside, that they do not answer says nothing; nor where it has no short answer.
    """
    if result["conflicts"]:
        sides = (result["conflicts"][0][side]["quote"] for side in ("supporting", "contradicting"))
        return f"Documents disagree: {' / '.join(sides)}"
    if not record.short_answer:
        return ""
    if result["short_answer"] and not says_the_same(result["short_answer"], record.short_answer):
        return f"Today this is read: {result['short_answer']}"
    outside = any(one["kind"] == "outside" for one in record.sources)
    return "" if result["short_answer"] or outside else "Today this is read no more."
