"""Fits what decides on drafts: whole runs over the hand that fits, with writers that give true and false answers.

`python -m veridic_lab.drafts.deciding FOLDER [--rows FILE]` writes `decision.json` into the folder of the judge that
decides by the settings; for the small one VERIDIC_JUDGES is `small`. Every draft of a question is written by a scripted
model, once; to a question without an answer another question's true draft is given. Rows that were made before are read
from the file, and made and kept there where it is not. Each row is weighed as it is, and with the word of scripted
judges that err more or less often.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Self

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from veridic import Context
from veridic.evidence.evidence import kept
from veridic.evidence.ranking import draft_signs
from veridic.models.calibration import Decision, weighed
from veridic.models.onnx_encoder import OnnxEncoder
from veridic.models.promise import EVEN, PROMISED, Sure
from veridic.ports.judgements import DraftSigns, Strictness
from veridic.ports.shapes import Result
from veridic_lab.benchmarks.asking import Held, holding, say
from veridic_lab.drafts.hands import Document, documents, files_of, together
from veridic_lab.drafts.keeping import kept_rows
from veridic_lab.drafts.scripted import RATES, Truth, band_of, errs, weights_of

FOLDS = 8
CAPABLE = 0.8
"""Share of the drafts of a capable writer that are right; the others have a subtle error, or are invented. What is
promised of drafts holds where so many are."""
RECALL: Mapping[Strictness, float] = {"loose": 0.96, "normal": 0.92, "strict": 0.85}
"""Share of the true drafts that are given, verified or flagged."""
FEWEST_ALONE = 150
"""Verified drafts without which nothing is promised where no chat model judges: a promise on 102 did not hold where the
documents were attacked."""
INVERSE_PENALTY = 0.3


@dataclass(frozen=True)
class Row:
    """A draft that was judged in a whole run."""

    document: str
    writer: str
    """`true`, `invented`, or the kind of error."""
    signs: DraftSigns
    told: list[tuple[str, float, bool]]
    """Each sentence that is not quoted: text, P(supported), whether it is faithful and the evidence holds it."""

    @classmethod
    def read(cls, line: str) -> Self:
        """A draft that was judged, from a line of JSON."""
        told = json.loads(line)
        return cls(**told | {"signs": DraftSigns(**told["signs"]), "told": [tuple(one) for one in told["told"]]})

    @property
    def right(self) -> bool:
        """Whether the draft is true and its question is answered by the documents."""
        return self.writer == "true"

    @property
    def spoken(self) -> bool:
        """Whether it answers, truly or not, what the documents speak of."""
        return self.writer != "invented"


def rows_of(found: Sequence[Document]) -> Iterator[Row]:
    """Every draft of the documents, and for each question without an answer one that is invented.

    As many documents stand in a knowledge base as people begin with.
    """
    for part in together(found):
        yield from _rows_together(part)
        say(f"asked of {part[-1].key}")


def _rows_together(found: Sequence[Document]) -> Iterator[Row]:
    """Each question is asked once; the writer gives its drafts as so many candidates."""
    left: list[str] = []
    truth = Truth(found)

    def says(prompt: str) -> str:
        """The next draft; to be asked for other words to search with costs none."""
        return "" if "Already tried:" in prompt else left.pop(0)

    with holding(files=files_of(found), says=says) as held:
        for document in found:
            for question, own in groupby(written(document), key=lambda one: one[0]):
                writers = {text: writer for _, writer, text in own}
                left[:] = writers
                yield from _judged(document, writers, held, question, truth)


def written(document: Document) -> Iterator[tuple[str, str, str]]:
    """Every question with what a writer gives: `true`, `invented`, or the kind of error, and the text."""
    for asked in document.asked:
        for draft in asked.drafts:
            yield asked.question, draft.error or "true", draft.text
    true = [draft.text for asked in document.asked for draft in asked.drafts if draft.true]
    for at, question in enumerate(document.unanswered):
        yield question, "invented", true[at % len(true)]


def _judged(document: Document, writers: Mapping[str, str], held: Held, question: str, truth: Truth) -> Iterator[Row]:
    result: Result = held.asked(question, Context(max_retries=0, candidates=len(writers)))
    strips = kept(result["strips"])
    evidence = "\n".join(strip["passage"]["text"] for strip in strips)
    for one in result["candidates"]:
        if one["text"] in writers and one["origin"] == "chat" and not one["partial"] and one["sentences"]:
            told = [
                (sentence["text"], sentence["support"] or 0.0, truth.of(question, sentence["text"], evidence))
                for sentence in one["sentences"]
                if not sentence.get("quoted")
            ]
            yield Row(document.key, writers[one["text"]], draft_signs(one, result["readings"], strips), told)


def with_words(rows: Sequence[Row], rate: float) -> list[Row]:
    """The rows with the word of a judge that errs so often on every sentence that is not quoted."""
    weights, band = weights_of(rate), band_of([sure for row in rows for _, sure, _ in row.told])
    found = []
    for row in rows:
        said = [true != errs(sure, f"{row.document} {text}", rate=rate, band=band) for text, sure, true in row.told]
        judged = min((weights.full if one else weights.other for one in said), default=0.0)
        found.append(replace(row, signs=replace(row.signs, judged=judged)))
    return found


def fitted(rows: Sequence[Row], fingerprint: str) -> Decision:
    """The decision; its points and figures by probabilities that the own document had no part in.

    What is given is measured on the rows as they are, by whether they answer. What is verified
    is promised of these, and of rows with the word of each scripted judge, of the worst of which the point is.
    """
    told = [rows, *(with_words(rows, rate) for rate in RATES)]
    weights, (alone, *judged) = _verifying(told)
    spoken, given = _giving(rows)
    verified = {name: alone.promising(least, fewest=FEWEST_ALONE, lowest=CAPABLE) for name, least in PROMISED.items()}
    worst = {name: max(one.promising(least, lowest=CAPABLE) for one in judged) for name, least in PROMISED.items()}
    by_rate = zip(RATES, judged, strict=True)
    return Decision(
        fingerprint=fingerprint,
        weights=weights,
        spoken=spoken,
        verified=verified,
        judged=worst,
        given=given,
        capable=CAPABLE,
        measured={
            "alone": alone.figures(verified["normal"]),
            **{f"judge errs in {rate:.0%}": one.figures(worst["normal"]) for rate, one in by_rate},
        },
        date=datetime.now(UTC).date().isoformat(),
    )


def _verifying(told: Sequence[Sequence[Row]]) -> tuple[list[float], list[Sure]]:
    """The weights of P(right), and how sure of each draft it is as each of so many judges tells it."""
    every = [row for own in told for row in own]
    signs = np.array([weighed(row.signs) for row in every])
    right, own = np.array([row.right for row in every]), np.array([row.document for row in every])
    sure, weights = _apart(signs, right, own)
    counts = np.tile(_shares(right[: len(told[0])], CAPABLE), len(told))
    parts = (np.split(one, len(told)) for one in (_by_bayes(sure), right, own, counts))
    return weights, [Sure(*part) for part in zip(*parts, strict=True)]


def _giving(rows: Sequence[Row]) -> tuple[list[float], dict[Strictness, float]]:
    """The weights of P(it answers), and the points above which so many of the true drafts lie."""
    spoken, right = (np.array([getattr(row, name) for row in rows]) for name in ("spoken", "right"))
    signs, own = np.array([weighed(row.signs) for row in rows]), np.array([row.document for row in rows])
    answers, weights = _apart(signs, spoken, own)
    points = {name: float(np.quantile(answers[right], 1 - most)) for name, most in RECALL.items()}
    return weights, {name: round(min(EVEN, point), 4) for name, point in points.items()}


def _apart(signs: np.ndarray, truth: np.ndarray, own: np.ndarray) -> tuple[np.ndarray, list[float]]:
    """Probabilities in which the own document had no part, and intercept and weights of all."""
    share, sure = _shares(truth, EVEN), np.zeros(len(truth))
    for learned, left in GroupKFold(FOLDS).split(signs, truth, own):
        sure[left] = _model(signs[learned], truth[learned], share[learned]).predict_proba(signs[left])[:, 1]
    whole = _model(signs, truth, share)
    return sure, [round(float(one), 4) for one in (whole.intercept_[0], *whole.coef_[0])]


def _by_bayes(sure: np.ndarray) -> np.ndarray:
    """What is so sure where every second draft is right, where `CAPABLE` of them are."""
    odds = CAPABLE / (1 - CAPABLE) * sure / (1 - sure)
    return np.asarray(odds / (1 + odds))


def _shares(right: np.ndarray, true: float) -> np.ndarray:
    """What each draft counts so that the true ones are so large a share of all."""
    return np.asarray(np.where(right, true / right.sum(), (1 - true) / (~right).sum()) * len(right))


def _model(signs: np.ndarray, right: np.ndarray, share: np.ndarray) -> LogisticRegression:
    return LogisticRegression(C=INVERSE_PENALTY, max_iter=2000).fit(signs, right, sample_weight=share)


def main() -> None:
    """Fit, write, and say what was found."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("folder", type=Path)
    options.add_argument("--rows", type=Path)
    told = options.parse_args()
    rows = kept_rows(told.rows, Row.read, lambda: rows_of(documents("fit")))
    found = fitted(rows, OnnxEncoder(told.folder).fingerprint)
    found.write(told.folder / "decision.json")
    say(json.dumps(asdict(found), indent=1))


if __name__ == "__main__":
    main()
