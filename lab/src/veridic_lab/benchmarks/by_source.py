"""What the evaluator's probabilities are worth on each kind of source, at its thresholds.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.by_source --out DIR [--into CALIBRATION.json]`.
Questions that the judges have not seen, each with its gold passages and without, by the best of the passages found; and
whether a Platt scaling for one kind, fitted on one set, holds on another set of it. About 30 ms a pair on two cores.
`--into` stores what was measured in a calibration of the same scorer. The tables are Markdown.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridic.evidence.depth import FIXED
from veridic.evidence.evidence import headed
from veridic.models.by_settings import open_judges
from veridic.models.calibration import Calibration
from veridic.models.scorers import TrainedEvaluator
from veridic.ports.judgements import Thresholds
from veridic.ports.shapes import Passage, SourceKind, SourceMeasure
from veridic.settings import Settings
from veridic_lab.benchmarks.depth import SETS, Ranked, opened, ranked
from veridic_lab.training.fitting import fit_binary
from veridic_lab.training.metrics import auc, expected_calibration_error
from veridic_lab.training.pairs import find, normalised, read_rows

KINDS: dict[str, SourceKind] = {"scifact": "abstract", "pubmedqa": "abstract", "stackexchange": "web page"}
"""What the passages of a set are; of mtrag each collection is its own, every other set is of Wikipedia."""
TRANSFERS = (("scifact", "pubmedqa"), ("pubmedqa", "scifact"), ("stackexchange", "mtrag"), ("mtrag", "stackexchange"))
SPARE = 6
"""Passages that are judged beyond the eight, to stand in where the gold ones are taken away."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """A question, with its gold passages or without."""

    set: str
    source: SourceKind
    answerable: bool
    best: float
    """The largest probability among eight passages."""


def cases(found: Sequence[Ranked], evaluator: TrainedEvaluator, collections: dict[str, str]) -> Iterator[Case]:
    """Two for each question."""
    for one in found:
        deep = one.passages[: FIXED + SPARE]
        pairs = [(one.asked.text, headed(passage, passage["text"])) for passage in deep]
        said = np.array([verdict.probability for verdict in evaluator.score(pairs, deadline=inf)])
        gold = one.gold[: len(deep)] | np.array([written_for(passage, one.asked.text) for passage in deep])
        name = one.asked.set
        source = KINDS.get(name, "encyclopaedia") if name != "mtrag" else _of_mtrag(one, collections)
        yield Case(name, source, bool(gold[:FIXED].any()), float(said[:FIXED].max()))
        if len(left := said[~gold][:FIXED]):
            yield Case(name, source, answerable=False, best=float(left.max()))


def written_for(passage: Passage, question: str) -> bool:
    """Whether a text stands under the question itself: an answer that the community did not choose."""
    return normalised(passage["title"]) == normalised(question)


def _of_mtrag(one: Ranked, collections: dict[str, str]) -> SourceKind:
    return "encyclopaedia" if any("clapnq" in collections.get(gold, "") for gold in one.asked.gold) else "web page"


def measure(found: Sequence[Case], point: Thresholds) -> SourceMeasure:
    """What the cases of one kind say."""
    truth, best = arrays(found)
    return SourceMeasure(
        questions=len(found),
        ece=round(expected_calibration_error(truth, best), 4),
        false_correct=round(float((best[~truth] >= point.upper).mean()), 4),
        false_incorrect=round(float((best[truth] < point.lower).mean()), 4),
    )


def arrays(found: Sequence[Case]) -> tuple[NDArray[np.bool_], Floats]:
    """Which can be answered, and the best probabilities."""
    return np.array([one.answerable for one in found]), np.array([one.best for one in found])


def logits(probabilities: Floats) -> Floats:
    """Log-odds."""
    inside = np.clip(probabilities, 1e-6, 1 - 1e-6)
    return np.asarray(np.log(inside / (1 - inside)))


def line(name: str, found: Sequence[Case], point: Thresholds) -> str:
    """A row of the table."""
    told = measure(found, point)
    truth, best = arrays(found)
    return (
        f"| {name} | {len(found)} | {auc(truth, best):.3f} | {told['ece']:.3f} | {best.mean() - truth.mean():+.3f} | "
        f"{told['false_correct']:.3f} | {told['false_incorrect']:.3f} | {(best[truth] >= point.upper).mean():.3f} |\n"
    )


def recalibrated(found: Sequence[Case], fitted_on: Sequence[Case]) -> list[Case]:
    """The cases under the Platt scaling of others."""
    truth, best = arrays(fitted_on)
    scale, offset = fit_binary(logits(best), truth)
    said = 1 / (1 + np.exp(-(scale * logits(arrays(found)[1]) + offset)))
    return [replace(one, best=float(value)) for one, value in zip(found, said, strict=True)]


def tables(found: Sequence[Case], point: Thresholds) -> Iterator[str]:
    """By kind of source, by set, and from one set to another."""
    yield "| source | cases | AUC | ECE | bias | false correct | false incorrect | correct of answerable |\n"
    yield "|---" * 8 + "|\n" + line("corpus: all", found, point)
    for kind in dict.fromkeys(one.source for one in found):
        yield line(kind, [one for one in found if one.source == kind], point)
    for name in dict.fromkeys(one.set for one in found):
        yield line(f"set {name}", [one for one in found if one.set == name], point)
    for one, other in TRANSFERS:
        kind = KINDS.get(one) or KINDS[other]
        fitting, measured = (
            [case for case in found if case.set == name and case.source == kind] for name in (one, other)
        )
        yield line(f"{kind}, fitted on {one}: {other}", recalibrated(measured, fitting), point)


def stored(found: Sequence[Case], point: Thresholds, path: Path, fingerprint: str) -> None:
    """Write what was measured into a calibration. Raises `CalibrationMismatch` when it is another scorer's."""
    kinds: dict[SourceKind, Sequence[Case]] = {"corpus": found}
    kinds |= {kind: [one for one in found if one.source == kind] for kind in dict.fromkeys(one.source for one in found)}
    measured = {kind: measure(own, point) for kind, own in kinds.items()}
    replace(Calibration.read(path, fingerprint), by_source=measured).write(path)


def main() -> None:
    """Judge, print, and store where that is asked."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--data", type=Path, default=os.environ.get("VERIDIC_DATA"), help="else VERIDIC_DATA")
    given.add_argument("--out", type=Path, required=True, help="where the knowledge base is kept")
    given.add_argument("--size", type=int, default=15_000, help="passages")
    given.add_argument("--per-set", type=int, default=130, help="questions of each set")
    given.add_argument("--into", type=Path, help="a calibration that the measures are stored in")
    told = given.parse_args()
    if told.data is None:
        given.error("name the data folder with --data or VERIDIC_DATA")
    asked, knowledge = opened(Path(told.data), told.out, told.size)
    unseen = ([one for one in asked if one.set == name and not one.seen] for name in SETS)
    drawn = [one for own in unseen for one in own[: told.per_set]]
    evaluator, _ = open_judges(Settings.load())
    rows = read_rows(find(Path(told.data), "mtrag.corpus"))
    collections = {row["id"]: str(row.get("collection", "")) for row in rows}
    found = list(cases(list(ranked(drawn, knowledge)), evaluator, collections))
    point = evaluator.thresholds("normal")
    sys.stdout.writelines(tables(found, point))
    if told.into:
        stored(found, point, told.into, evaluator.fingerprint)
        sys.stdout.write(json.dumps({"stored in": str(told.into)}) + "\n")
    knowledge.close()


if __name__ == "__main__":
    main()
