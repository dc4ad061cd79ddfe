"""What the evaluator makes of both judges' words, and where it calls retrieval correct or incorrect (CRAG).

`python -m veridic_lab.drafts.evaluating FOLDER --data DATA` writes them into the calibration in the folder of the judge
that decides by the settings; for the small one, which decides by its own word, VERIDIC_JUDGES is `small`. Questions of
the hand that fits are asked among few documents, held-out ones of other sets among thousands, those of encyclopaedic
articles among them: what is found outside is of that kind, and counts as found among the most. Each point follows from
what a mistake costs (`COSTS`), as if half of the questions had an answer. `--measure ROLE` prints what the folder's
points do on the questions of another hand.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from math import exp, inf, log
from pathlib import Path
from typing import Any, Self, cast

import numpy as np
from sklearn.linear_model import LogisticRegression

from veridic import Context
from veridic.evidence.analysis import depth_of, near
from veridic.evidence.evidence import headed
from veridic.models.calibrating import with_points
from veridic.models.calibration import Calibration
from veridic.models.cascade import CascadeEvaluator
from veridic.models.fitting import COSTS, auc, within
from veridic.models.scorers import Pairs, TrainedEvaluator
from veridic.nodes.evaluate import evaluate
from veridic.ports.judgements import FEW, Relevance, Thresholds, log_odds
from veridic.runtime.run import Run
from veridic.state import GraphState
from veridic_lab.benchmarks.asking import Held, holding, say
from veridic_lab.drafts.facts import fitted_on
from veridic_lab.drafts.hands import Document, documents, files_of, together
from veridic_lab.drafts.keeping import kept_rows
from veridic_lab.drafts.questions import Question, held_out, questions_of

POINTS = ("upper", "lower", "passage")
SIDES = {"answered": True, "not": False}
RATIOS = np.arange(0.0, 1.05, 0.1)
"""Of the other judge's weight to that of the one that decides, those that are tried."""


@dataclass(frozen=True)
class Graded:
    """What each judge says of a passage, and whether it answers."""

    own: float
    """P(relevant) by the judge that decides."""
    other: float
    """The same by the one before it; of one judge alone both are the same."""
    answers: bool


@dataclass(frozen=True)
class Retrieved:
    """What was retrieved for a question, as far as the judge that decides read it."""

    among: str
    passages: Sequence[Graded]
    searched: int
    """Passages, counted as a run counts them."""

    @classmethod
    def read(cls, line: str) -> Self:
        """What was retrieved, from a line of JSON."""
        told = json.loads(line)
        return cls(**told | {"passages": [Graded(**one) for one in told["passages"]]})

    @property
    def answers(self) -> bool:
        """Whether any passage answers."""
        return any(one.answers for one in self.passages)

    def best(self, calibration: Calibration) -> float:
        """The score of the best passage."""
        return max((calibration.relevant(one.own, one.other) for one in self.passages), default=0.0)


class Marking:
    """An evaluator that keeps what it said of each text."""

    def __init__(self, judge: TrainedEvaluator) -> None:
        self._judge = judge
        self.said: dict[str, float] = {}

    def __getattr__(self, name: str) -> object:
        return getattr(self._judge, name)

    def score(self, pairs: Pairs, *, deadline: float) -> list[Relevance]:
        """As the judge scores."""
        found = self._judge.score(pairs, deadline=deadline)
        self.said |= {text: one.probability for (_, text), one in zip(pairs, found, strict=True)}
        return found


class Marked:
    """A knowledge base whose evaluator's judges keep what they say."""

    def __init__(self, held: Held) -> None:
        judge: Any = held.resources.evaluator
        if isinstance(judge, CascadeEvaluator):
            self.own, self.other = Marking(judge._base), Marking(judge._small)
            judge = copy(judge)
            judge._base, judge._small = (cast(TrainedEvaluator, one) for one in (self.own, self.other))
        else:
            self.own = self.other = judge = Marking(judge)
        self.resources = replace(held.resources, evaluator=judge)
        self.corpus = held.corpus

    def retrieved(self, among: str, question: Question) -> Retrieved:
        """What is retrieved for a question, graded."""
        self.own.said.clear()
        self.other.said.clear()
        run = Run(Context(), self.resources, lambda _: None)
        [found] = self.corpus.search([question.text], limit=depth_of(run.resources.embedder), deadline=inf)
        documents = near(question.text, found, run.resources.embedder)
        state: dict[str, Any] = {
            "standalone": question.text,
            "queries": [question.text],
            "searched": False,
            "findings": [],
            "documents": documents,
            "rejected": [],
            "readings": [],
            "deadline": inf,
        }
        evaluate(cast(GraphState, state), run)
        texts = {headed(one, one["text"]): one["text"] for one in documents}
        passages = [
            Graded(self.own.said[shown], self.other.said[shown], bool(question.answered and question.answered(text)))
            for shown, text in texts.items()
            if shown in self.own.said
        ]
        return Retrieved(among, passages, run.company(inf))


def among_few(found: Sequence[Document]) -> Iterator[Retrieved]:
    """Every question of written documents; as many in a knowledge base as people begin with."""
    for part in together(found):
        with holding(files=files_of(part)) as held:
            marked = Marked(held)
            yield from (marked.retrieved("few", one) for document in part for one in questions_of(document))
        say(f"asked of {part[-1].key}")


def among_thousands(data: Path, every: int) -> Iterator[Retrieved]:
    """Held-out questions of other sets, over all their texts and others."""
    questions, texts = held_out(data)
    say(f"{len(questions[::every])} questions among {len(texts)} texts")
    with holding(texts) as held:
        marked = Marked(held)
        yield from (marked.retrieved("thousands", one) for one in questions[::every])


def retrieved(few: Sequence[Document], data: Path | None, every: int) -> Iterator[Retrieved]:
    """What is retrieved for the questions of these documents, and for each so many of the held-out ones."""
    yield from among_few(few)
    if data:
        yield from among_thousands(data, every)


def fitted(found: Sequence[Retrieved], calibration: Calibration) -> Calibration:
    """The calibration with what both words weigh, where there are two, and its points by that."""
    together = replace(calibration, beside=beside_of(found))
    return with_points(together, cast(Any, points_of(found, together)))


def beside_of(found: Sequence[Retrieved]) -> list[float]:
    """Intercept and weights of P(a passage answers), as if half of them did; nothing where one judge spoke alone.

    Their ratio is the one at which the best passage of a question tells most surely whether any answers: the mean of
    the areas among few documents and among thousands.
    """
    if all(one.own == one.other for row in found for one in row.passages):
        return []
    ratio = max(RATIOS, key=lambda one: np.mean([_area(found, among, one) for among in {row.among for row in found}]))
    rows = [(row.among, one) for row in found for one in row.passages]
    kinds = Counter((among, one.answers) for among, one in rows)
    weights = [len(rows) / kinds[among, one.answers] for among, one in rows]
    scores = [[_weighed(one, ratio)] for _, one in rows]
    model = LogisticRegression(C=1e3).fit(scores, [one.answers for _, one in rows], sample_weight=weights)
    scale = float(model.coef_[0][0])
    return [round(one, 4) for one in (float(model.intercept_[0]), scale, scale * float(ratio))]


def _weighed(one: Graded, ratio: float) -> float:
    return log_odds(one.own) + ratio * log_odds(one.other)


def _area(found: Sequence[Retrieved], among: str, ratio: float) -> float:
    own = [row for row in found if row.among == among and row.passages]
    return auc([row.answers for row in own], [max(_weighed(one, ratio) for one in row.passages) for row in own])


def points_of(found: Sequence[Retrieved], calibration: Calibration) -> dict[str, dict[str, float]]:
    """The points of each strictness: the score at which both mistakes cost the same, by one logistic regression.

    Few documents and thousands weigh the same, and in each questions with and without an answer. Its two signs are the
    log-odds of the best score and the logarithm of the passages that were searched, which the points rise with.
    """
    rows = [[log_odds(one.best(calibration)), log(max(one.searched, FEW) / FEW)] for one in found]
    truth = [one.answers for one in found]
    kinds = [(one.among, one.answers) for one in found]
    weights = [len(found) / kinds.count(kind) for kind in kinds]
    model = LogisticRegression(C=1e3).fit(rows, truth, sample_weight=weights)
    offset, (scale, company) = float(model.intercept_[0]), map(float, model.coef_[0])
    points = {
        strictness: {name: 1 / (1 + exp((offset - log(getattr(cost, name))) / scale)) for name in POINTS}
        for strictness, cost in COSTS.items()
    }
    rise = max(0.0, round(-company / scale, 4))
    return {strictness: {**within(**point), "rise": rise} for strictness, point in points.items()}


def measured(found: Sequence[Retrieved], calibration: Calibration) -> Iterator[str]:
    """How often retrieval that answers, and that does not, is called correct and incorrect."""
    for among in dict.fromkeys(one.among for one in found):
        own = [one for one in found if one.among == among]
        area = auc([one.answers for one in own], [one.best(calibration) for one in own])
        yield f"among {among}, AUC {area:.3f}"
        for strictness, point in calibration.thresholds.items():
            sides = {name: [one for one in own if one.answers is side] for name, side in SIDES.items()}
            told = (_called(name, rows, calibration, point) for name, rows in sides.items())
            yield f"  {strictness}: {'; '.join(told)}"


def _called(side: str, own: Sequence[Retrieved], calibration: Calibration, point: Thresholds) -> str:
    limits = [(one.best(calibration), point.among(one.searched)) for one in own]
    correct = np.mean([best >= limit.upper for best, limit in limits])
    incorrect = np.mean([best < limit.lower for best, limit in limits])
    return f"{side} ({len(own)}): correct {correct:.2f}, incorrect {incorrect:.2f}"


def main() -> None:
    """Fit and write, or measure, and say what was found."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("folder", type=Path)
    options.add_argument("--data", type=Path)
    options.add_argument("--measure", metavar="ROLE")
    options.add_argument("--every", type=int, default=1, help="of the documents and of the held-out questions")
    options.add_argument("--rows", type=Path, help="keeps what was retrieved, and is read where it is there")
    told = options.parse_args()
    path = told.folder / "calibration.json"
    calibration = Calibration.read(path, json.loads(path.read_text(encoding="utf-8"))["fingerprint"])
    few = documents(told.measure) if told.measure else [*documents("fit"), *fitted_on()]
    data, every = told.data, told.every
    found = kept_rows(told.rows, Retrieved.read, lambda: retrieved(few[::every], data, every))
    if not told.measure:
        calibration = fitted(found, calibration)
        calibration.write(path)
    say(*measured(found, calibration))


if __name__ == "__main__":
    main()
