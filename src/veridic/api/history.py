"""Earlier runs, from Python: listed, shown, spoken of, forgotten.

A run may be named by the first eight characters of its id, or more.
"""

from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from math import inf
from typing import get_args

from veridic.errors import UsageError
from veridic.knowledge.base import Knowledge
from veridic.knowledge.document_rows import Status
from veridic.knowledge.feedback import unknown_run
from veridic.knowledge.reviewing import learned_by, people_said
from veridic.learning.opinions import ONLY_READ_WRONGLY, RANKED, Opinion, followed, refuse_thumb
from veridic.ports.shapes import Logged, Outcome, Result
from veridic.resources import held_knowledge_base
from veridic.settings import Settings
from veridic.text.answers import holds_alias


@dataclass(frozen=True)
class RunSummary:
    """One run of the decision log."""

    run_id: str
    decided_at: str
    """ISO 8601, UTC."""
    system: str
    outcome: Outcome
    question: str
    short_answer: str
    said: str
    """What somebody said of it last: up, down, or the correction; empty where nobody did."""
    redacted: bool
    """Whether a document that it names was removed, and its words with it."""
    confidence: float | None
    """P(right) of its answer, in [0, 1]; None where that was not told."""
    record_id: str
    """Of the record that it wrote or refreshed; empty where it learned nothing."""
    record_status: Status | None
    """What that record is now."""


@dataclass(frozen=True)
class KeptOpinion(Opinion):
    """What one person said of one run, and what followed from it."""

    question: str
    """As it was asked."""
    record_id: str
    """Of the record that the run wrote or refreshed; empty where it learned nothing."""
    record_status: Status | None
    """What that record is from then on."""
    followed: list[str]
    """What was said, and what followed, for people, a sentence each."""


@dataclass
class ForgetReport:
    """What became of the runs that were to be forgotten."""

    forgotten: list[str] = field(default_factory=list)
    """Their ids. What was learned of them, lessons and records, stays."""
    unknown: list[str] = field(default_factory=list)
    """Ids that are not in the log."""


def list_runs(*, outcome: str | None = None, limit: int = 20, settings: Settings | None = None) -> list[RunSummary]:
    """The newest runs of the decision log, newest first; with `outcome` those that came to it.

    Without `settings` the process's own hold, here and below. Raises `UsageError` for no such outcome, `StoreMissing`,
    `KnowledgeError`.
    """
    if outcome is not None and outcome not in get_args(Outcome):
        raise UsageError(f"There is no outcome {outcome!r}.", f"Choose one of {', '.join(get_args(Outcome))}.")
    with closing(held_knowledge_base(settings)) as knowledge:
        runs = knowledge.decisions.listed(limit, outcome)
        with knowledge.corpus.store.reading() as connection:
            learned = learned_by(connection, [run.run_id for run in runs])
        return [_summary(run, knowledge.feedback.of(run.run_id), learned.get(run.run_id)) for run in runs]


def logged_run(run_id: str, *, settings: Settings | None = None) -> Result:
    """The whole result of a run, as it was logged. Raises `RunMissing`, `StoreMissing`, `KnowledgeError`."""
    return logged(run_id, settings=settings).result


def logged(run_id: str, *, settings: Settings | None = None) -> Logged:
    """A run with when it was logged. Raises as `logged_run` does."""
    with closing(held_knowledge_base(settings)) as knowledge:
        return _logged(knowledge, run_id)


def feedback(run_id: str, verdict: str, correction: str = "", *, settings: Settings | None = None) -> KeptOpinion:
    """Say of a run that its answer was right (`up`), was not (`down`), or what the right short answer is.

    With a correction the verdict is `correction` or `down`; a word that only says whether the answer was right ("good",
    "wrong") is none, but "yes" and "no" are where they answer the question. The newest that is said of a run counts.
    The answer that the run learned is confirmed by it, or waits for review; its lesson tells the next run what misled:
    nothing, where a passage that was cited holds the correction, for then it was only read wrongly. Raises
    `RunMissing` for a run that is not in the decision log, `UsageError`, `StoreMissing`, `KnowledgeError`.
    """
    settings = settings or Settings.load()
    with closing(held_knowledge_base(settings)) as knowledge:
        run = _logged(knowledge, run_id)
        refuse_thumb(correction, run.result["standalone"])
        opinion = knowledge.feedback.give(run.run_id, verdict, correction)
        record = people_said(knowledge, run.run_id, opinion.verdict, enough=settings.confirmations)
        lesson = _taught(knowledge, run, opinion)
    return KeptOpinion(
        **vars(opinion),
        question=run.result["question"],
        record_id=record.id if record else "",
        record_status=record.status if record else None,
        followed=followed(
            opinion.verdict,
            opinion.correction,
            status=record.status if record else None,
            lesson=lesson if settings.lessons else "",
        ),
    )


def forget_runs(*run_ids: str, before: datetime | None = None, settings: Settings | None = None) -> ForgetReport:
    """Take runs out of the decision log, with what was said of them: those with these ids, and all before a moment.

    Raises `StoreMissing`, `KnowledgeError`.
    """
    with closing(held_knowledge_base(settings)) as knowledge:
        named = {run_id: knowledge.decisions.named(run_id) for run_id in run_ids}
        forgotten = knowledge.decisions.forget(named.values())
        unknown = [run_id for run_id in run_ids if named[run_id] not in forgotten]
        aged = knowledge.decisions.forget_before(before) if before else []
    return ForgetReport([*forgotten, *aged], unknown)


def _logged(knowledge: Knowledge, reference: str) -> Logged:
    """The run that is named. Raises `RunMissing`."""
    found = knowledge.decisions.find(knowledge.decisions.named(reference))
    if found is None:
        raise unknown_run(reference)
    return found


def _taught(knowledge: Knowledge, run: Logged, opinion: Opinion) -> str:
    """Revise the lesson of a run by what was said, and say what that does; empty where it does nothing.

    What was only read wrongly misled nobody, whatever was said of the run before.
    """
    if _stood_there(run.result, opinion.correction):
        knowledge.experience.revise(run.run_id, "", deadline=inf)
        return ONLY_READ_WRONGLY
    revised = knowledge.experience.revise(run.run_id, opinion.verdict, deadline=inf)
    cites = any(part["citations"] for part in run.result["sentences"])
    return RANKED[opinion.verdict] if revised and cites else ""


def _stood_there(result: Result, correction: str) -> bool:
    """Whether a passage that the answer cites holds the correction."""
    if not correction:
        return False
    cited = {one["document_id"]: one for part in result["sentences"] for one in part["citations"]}
    texts = (one["text"] for one in result["documents"] if one["document_id"] in cited)
    return any(holds_alias(text, [correction]) for text in texts)


def _summary(run: Logged, opinion: Opinion | None, learned: tuple[str, Status] | None) -> RunSummary:
    result = run.result
    return RunSummary(
        run_id=run.run_id,
        decided_at=run.decided_at,
        system=result["system"],
        outcome=run.outcome,
        question=result["question"],
        short_answer=result["short_answer"],
        said=(opinion.correction or opinion.verdict) if opinion else "",
        redacted=bool(result.get("redacted")),
        confidence=result["confidence"],
        record_id=learned[0] if learned else "",
        record_status=learned[1] if learned else None,
    )
