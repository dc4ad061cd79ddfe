"""The points at which the evaluator calls retrieval correct or incorrect (CRAG), fitted on whole retrievals.

`python -m veridic_lab.drafts.evaluating FOLDER --data DATA` writes them into the calibration in the folder of the judge
that decides by the settings; for the small one VERIDIC_JUDGES is `small`. Questions of the hand that fits are asked
among few documents, held-out ones of other sets among thousands, those of encyclopaedic articles among them: what is
found outside is of that kind, and counts as found among the most. Each point follows from what a mistake costs
(`COSTS`), as if half of the questions had an answer. `--measure ROLE` prints what the folder's points do on the
questions of another hand.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import exp, inf, log
from pathlib import Path
from typing import Any, cast

import numpy as np
from sklearn.linear_model import LogisticRegression

from veridic import Context
from veridic.evidence.analysis import depth_of, near
from veridic.models.calibrating import with_points
from veridic.models.calibration import Calibration
from veridic.models.fitting import COSTS, auc, within
from veridic.nodes.evaluate import evaluate
from veridic.ports.judgements import FEW, Strictness, Thresholds, log_odds
from veridic.runtime.run import Run
from veridic.state import GraphState
from veridic_lab.benchmarks.asking import Held, holding, say
from veridic_lab.drafts.deciding import files_of
from veridic_lab.drafts.facts import fitted_on
from veridic_lab.drafts.hands import Document, documents
from veridic_lab.drafts.quoting import Question, held_out, questions_of
from veridic_lab.drafts.reading import TOGETHER

POINTS = ("upper", "lower", "passage")
SIDES = {"answered": True, "not": False}


@dataclass(frozen=True)
class Retrieved:
    """What was retrieved for a question: the score of the best passage, and whether any of them answers."""

    among: str
    best: float
    answers: bool
    searched: int
    """Passages, counted as a run counts them."""


def among_few(found: Sequence[Document]) -> Iterator[Retrieved]:
    """Every question of written documents; as many in a knowledge base as people begin with."""
    for at in range(0, len(found), TOGETHER):
        part = found[at : at + TOGETHER]
        with holding(files=files_of(part)) as held:
            yield from (_retrieved("few", one, held) for document in part for one in questions_of(document))
        say(f"{min(at + TOGETHER, len(found))} of {len(found)} documents")


def among_thousands(data: Path, every: int) -> Iterator[Retrieved]:
    """Held-out questions of other sets, over all their texts and others."""
    questions, texts = held_out(data)
    say(f"{len(questions[::every])} questions among {len(texts)} texts")
    with holding(texts) as held:
        yield from (_retrieved("thousands", one, held) for one in questions[::every])


def _retrieved(among: str, question: Question, held: Held) -> Retrieved:
    run = Run(Context(), held.resources, lambda _: None)
    [found] = held.corpus.search([question.text], limit=depth_of(run.resources.embedder), deadline=inf)
    state: dict[str, Any] = {
        "standalone": question.text,
        "queries": [question.text],
        "searched": False,
        "findings": [],
        "documents": near(question.text, found, run.resources.embedder),
        "rejected": [],
        "readings": [],
        "deadline": inf,
    }
    told = evaluate(cast(GraphState, state), run)
    judged = [*told["documents"], *told["rejected"]]
    answers = any(question.answered(one["text"]) for one in judged) if question.answered else False
    best = max((one["score"] or 0.0 for one in judged), default=0.0)
    return Retrieved(among, best, answers, run.company(inf))


def points_of(found: Sequence[Retrieved]) -> dict[str, dict[str, float]]:
    """The points of each strictness: the score at which both mistakes cost the same, by one logistic regression.

    Few documents and thousands weigh the same, and in each questions with and without an answer. Its two signs are the
    log-odds of the best score and the logarithm of the passages that were searched, which the points rise with.
    """
    rows = [[log_odds(one.best), log(max(one.searched, FEW) / FEW)] for one in found]
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


def measured(found: Sequence[Retrieved], points: Mapping[Strictness, Thresholds]) -> Iterator[str]:
    """How often retrieval that answers, and that does not, is called correct and incorrect."""
    for among in dict.fromkeys(one.among for one in found):
        own = [one for one in found if one.among == among]
        yield f"among {among}, AUC {auc([one.answers for one in own], [one.best for one in own]):.3f}"
        for strictness, point in points.items():
            sides = [_called(name, [one for one in own if one.answers is side], point) for name, side in SIDES.items()]
            yield f"  {strictness}: {'; '.join(sides)}"


def _called(side: str, own: Sequence[Retrieved], point: Thresholds) -> str:
    limits = [point.among(one.searched) for one in own]
    correct = np.mean([one.best >= limit.upper for one, limit in zip(own, limits, strict=True)])
    incorrect = np.mean([one.best < limit.lower for one, limit in zip(own, limits, strict=True)])
    return f"{side} ({len(own)}): correct {correct:.2f}, incorrect {incorrect:.2f}"


def main() -> None:
    """Fit and write, or measure, and say what was found."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("folder", type=Path)
    options.add_argument("--data", type=Path)
    options.add_argument("--measure", metavar="ROLE")
    options.add_argument("--every", type=int, default=1, help="of the documents and of the held-out questions")
    told = options.parse_args()
    path = told.folder / "calibration.json"
    calibration = Calibration.read(path, json.loads(path.read_text(encoding="utf-8"))["fingerprint"])
    few = documents(told.measure) if told.measure else [*documents("fit"), *fitted_on()]
    found = [*among_few(few[:: told.every])]
    found += among_thousands(told.data, told.every) if told.data else ()
    if not told.measure:
        calibration = with_points(calibration, cast(Any, points_of(found)))
        calibration.write(path)
    say(*measured(found, calibration.thresholds))


if __name__ == "__main__":
    main()
