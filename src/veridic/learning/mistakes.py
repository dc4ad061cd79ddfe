"""Likely mistakes of the judges: what they decided in a run, against what somebody said of its answer.

Nobody labelled the decisions themselves. That an answer was not right tells half as much as what is right and stands
in a passage; and runs that people speak of are no fair sample: the rates are of those runs alone.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from veridic.evidence.telling import is_excerpt, quoted
from veridic.learning.opinions import Discussed
from veridic.ports.shapes import ReadAnswer, Sentence
from veridic.text.answers import exact_match

JudgeName = Literal["evaluator", "critic", "reader"]
MistakeName = Literal["false positive", "false negative"]
Place = tuple[JudgeName, MistakeName]

PLACES: tuple[Place, ...] = (
    ("evaluator", "false positive"),
    ("evaluator", "false negative"),
    ("critic", "false positive"),
    ("critic", "false negative"),
    ("reader", "false positive"),
    ("reader", "false negative"),
)
KNOWN = 1.0
"""The support of a sentence that was found in its evidence without the critic, who is never as sure."""
HALF = 0.5
"""How sure a thumb down makes of a mistake, or a correction that no passage holds, beside one that some do."""


@dataclass(frozen=True)
class Mistake:
    """One decision that was likely wrong."""

    judge: JudgeName
    mistake: MistakeName
    surely: float
    """How surely, 0 to 1: how far the judge went wrong, times `HALF` where no passage holds what is right."""
    score: float
    """What the judge said."""
    run_id: str
    question: str
    text: str
    """The passage, the sentence or the short answer that was judged."""
    correction: str


@dataclass(frozen=True)
class Mistakes:
    """The likely mistakes of one kind of one judge, the surest first."""

    judge: JudgeName
    mistake: MistakeName
    decisions: int
    """Decisions of this kind, in runs where one could have been found out."""
    likely: list[Mistake]

    @property
    def rate(self) -> float | None:
        """The share of the decisions that was likely wrong; None where there was none."""
        return len(self.likely) / self.decisions if self.decisions else None


def likely_mistakes(runs: Iterable[Discussed]) -> list[Mistakes]:
    """Of each judge the likely false positives and negatives, in the order of `PLACES`."""
    decisions, found = Counter[Place](), defaultdict[Place, list[Mistake]](list)
    for run in runs:
        if run.opinion is not None:
            for place, mistake in _decided(run):
                decisions[place] += 1
                found[place] += [mistake] if mistake else []
    return [Mistakes(*place, decisions[place], sorted(found[place], key=lambda one: -one.surely)) for place in PLACES]


def _decided(run: Discussed) -> Iterator[tuple[Place, Mistake | None]]:
    """Every decision of a run that what was said of it can find out, with the mistake, if it likely was one."""
    yield from _of_evaluator(run)
    yield from _of_critic(run)
    yield from _of_reader(run)


def _of_evaluator(run: Discussed) -> Iterator[tuple[Place, Mistake | None]]:
    """From `upper` on none helps where the answer is wrong; below `lower` those that hold the right one do."""
    points, holding = run.result["judges"]["thresholds"], [passage["id"] for passage in run.holding]
    for passage in run.passages:
        score, text = passage["score"], passage["text"]
        if score is None:
            continue
        if score >= points["upper"] and run.told and (run.locatable or not run.correction):
            wrong = run.wrong and not (run.correction and run.gives_it(text))
            yield _one(run, PLACES[0], wrong, score, score, text)
        elif score < points["lower"] and run.locatable:
            surely = (1 - score) * run.spoken_of(passage)
            yield _one(run, PLACES[1], passage["id"] in holding, surely, score, text)


def _of_critic(run: Discussed) -> Iterator[tuple[Place, Mistake | None]]:
    """A thumb down says nothing of what the evidence says; a sentence that was copied was not the critic's to judge."""
    if not (run.locatable or (run.opinion and run.opinion.right)):
        return
    for sentence in run.result["sentences"]:
        if sentence["verdict"] == "supported" and not _copied(sentence, run.held):
            wrong = run.wrong and not run.gives_it(sentence["text"]) and _gives(sentence["text"], run)
            yield _one(run, PLACES[2], wrong, sentence["support"] or 0.0, sentence["support"] or 0.0, sentence["text"])
    for text, support in _refused(run).items():
        if run.locatable:
            yield _one(run, PLACES[3], run.gives_it(text), 1 - support, support, text)


def _of_reader(run: Discussed) -> Iterator[tuple[Place, Mistake | None]]:
    """One part of a question is told wrong by another one's correction too, so linked ones are left out."""
    readings = run.result.get("readings", ())
    for reading in readings if len(readings) == 1 else ():
        sure, text = reading["probability"], reading["text"]
        if reading["holds"] and run.told:
            yield _one(run, PLACES[4], run.wrong, sure, sure, text)
        elif not reading["holds"] and run.correction:
            meant = exact_match(text, [run.correction]) == 1.0
            yield _one(run, PLACES[5], meant, 1 - sure / max(reading["needed"], sure, 1e-9), sure, text)


def _one(
    run: Discussed, place: Place, wrong: bool, surely: float, score: float, text: str
) -> tuple[Place, Mistake | None]:
    if not wrong:
        return place, None
    weight = 1.0 if run.holding else HALF
    about = (run.result["run_id"], run.result["question"], text, run.correction)
    return place, Mistake(*place, round(weight * surely, 4), round(score, 4), *about)


def _gives(text: str, run: Discussed) -> bool:
    """Whether a sentence gives the answer that was told; where no short answer was, any does."""
    short = run.result["short_answer"]
    return not short or short.lower() in text.lower()


def _copied(sentence: Sentence, readings: Iterable[ReadAnswer]) -> bool:
    """Whether a sentence stands in its evidence as it is, an excerpt between ellipses too, or was read there."""
    text = sentence["text"]
    cited = any((quoted(text) if is_excerpt(text) else text) in one["quote"] for one in sentence["citations"])
    return cited or sentence["support"] == KNOWN or any(text == one["text"] for one in readings)


def _refused(run: Discussed) -> dict[str, float]:
    """The sentences of all candidates that the critic did not find supported, each once, with their support."""
    judged = [one for candidate in run.result.get("candidates", ()) for one in candidate["sentences"]]
    refused = [one for one in judged if one["verdict"] in ("unsupported", "contradicted")]
    return {one["text"]: one["support"] or 0.0 for one in refused}
