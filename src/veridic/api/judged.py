"""What people judged, as it is answered now: how sure it is, and whether it is right; P is fitted to that.

A judge's own verdict is never taken for a person's. What was judged is asked again without a chat model, with the
reader as it ships. An answer that nobody judged counts only where somebody told the right one.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field

from veridic.api.asking_again import WITHOUT_MEMORY, apart_from_runs, resources_for
from veridic.context import Context
from veridic.graph.builder import build_graph
from veridic.knowledge.base import Knowledge
from veridic.learning.opinions import Opinion
from veridic.models.by_settings import shipped_reader_calibration
from veridic.models.promise import Sure, fitted_to
from veridic.models.reader_calibration import ReaderCalibration
from veridic.ports.shapes import Result
from veridic.resources import held_knowledge_base
from veridic.settings import Settings
from veridic.text.answers import holds_alias, tokens
from veridic.text.kinds import answer_kind

SECONDS = 120.0
"""For one question."""


@dataclass(frozen=True)
class JudgedAnswer:
    """An answer as it is told now, how probable it is, and whether it is right by what people said."""

    question: str
    document: str
    """Id of the document that it cites first."""
    probability: float
    right: bool


@dataclass
class Judged:
    """What people judged, asked again."""

    answers: list[JudgedAnswer] = field(default_factory=list)
    passed_over: int = 0
    """Questions that are answered otherwise now, or not at all, so that nobody judged what is told."""


def fitted_to_people(
    settings: Settings, *, progress: Callable[[int, int], None] = lambda *_: None
) -> tuple[ReaderCalibration, Judged]:
    """The reader's calibration, with P and *verified* fitted to what people said of answers, and these.

    Raises `UsageError` where they judged too few; `StoreMissing`, `KnowledgeError`, `JudgeError`.
    """
    judged = asked_again(settings, progress=progress)
    found = Sure.of((one.probability, one.right, one.document) for one in judged.answers)
    return fitted_to(found, shipped_reader_calibration(settings)), judged


def asked_again(settings: Settings, *, progress: Callable[[int, int], None] = lambda *_: None) -> Judged:
    """What people judged of the log, asked again of the documents as they are.

    Raises `StoreMissing`, `KnowledgeError`, `JudgeError`.
    """
    chosen = settings.model_copy(update={"reader_calibration": None})
    with closing(held_knowledge_base(chosen)) as knowledge:
        said = _said(knowledge)
    graph, judged = build_graph(apart_from_runs(resources_for(chosen)), method=WITHOUT_MEMORY), Judged()
    for at, (then, opinion) in enumerate(said):
        progress(at, len(said))
        context = Context(write_back=False, sources=(), time_budget=SECONDS)
        now: Result = graph.invoke({"question": then["standalone"]}, context=context)["result"]
        right = is_right(then, opinion, now)
        if right is None:
            judged.passed_over += 1
        else:
            judged.answers.append(_judged(now, right=right))
    return judged


def is_right(then: Result, opinion: Opinion, now: Result) -> bool | None:
    """Whether what is told now is right by what somebody said of what was told then; None where nobody knows.

    Of yes and no, of what is not supported as it is told, and where nothing was read, as for a summary, nothing is
    promised.
    """
    if now["outcome"] == "abstained" or now["confidence"] is None or now["failures"] or not now["readings"]:
        return None
    if answer_kind(now["standalone"]) == "yes-no" or not all(one["verdict"] == "supported" for one in now["sentences"]):
        return None
    before, told = _told(then), _told(now)
    if opinion.correction:
        return _says(told, opinion.correction)
    if tokens(before) == tokens(told):
        return opinion.right
    return True if opinion.right and then["short_answer"] and _says(told, before) else None


def _told(result: Result) -> str:
    return result["short_answer"] or result["answer"]


def _says(told: str, right: str) -> bool:
    """Whether one of the two says the other, with more words or fewer."""
    return holds_alias(told, [right]) or holds_alias(right, [told])


def _said(knowledge: Knowledge) -> list[tuple[Result, Opinion]]:
    """The runs of the log of which somebody said something, the newest of each question."""
    found: dict[str, tuple[Result, Opinion]] = {}
    for opinion in knowledge.feedback:
        then = knowledge.decisions.read(opinion.run_id)
        if then and not then.get("redacted"):
            found[" ".join(tokens(then["standalone"]))] = (then, opinion)
    return list(found.values())


def _judged(now: Result, *, right: bool) -> JudgedAnswer:
    cited: Iterator[str] = (place["document_id"] for one in now["sentences"] for place in one["citations"])
    return JudgedAnswer(now["question"], next(cited, ""), now["confidence"] or 0.0, right)
