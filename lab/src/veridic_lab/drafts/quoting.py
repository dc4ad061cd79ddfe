"""P(a sentence that is told as it stands answers), fitted on whole runs over few documents and over thousands.

`python -m veridic_lab.drafts.quoting FOLDER --data DATA` writes it into the reader's calibration in the folder of the
judge that decides by the settings; for the small one VERIDIC_JUDGES is `small`. Few are those of two hands, twelve
together; thousands are the texts of held-out questions beside those of others. `--measure ROLE` prints what is given of
the questions of another hand instead, right, wrong and of those without an answer, at each strictness. From where one
is verified `promising` tells.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self, cast

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from veridic import Context
from veridic.models.fitting import auc
from veridic.models.reader_calibration import ReaderCalibration, sentence_signs_of
from veridic.ports.judgements import SentenceSigns
from veridic.ports.judging import Reader
from veridic_lab.benchmarks.asking import Held, holding, say
from veridic_lab.drafts.facts import fitted_on
from veridic_lab.drafts.hands import Document, Role, documents, files_of, together
from veridic_lab.drafts.keeping import kept_rows
from veridic_lab.drafts.questions import Question, held_out, questions_of

GIVEN: Mapping[str, float] = {"loose": 0.25, "normal": 0.4, "strict": 0.6}
"""Where a wrong sentence that is given and flagged costs a third, two thirds and one and a half of a right one."""
FITTING: tuple[Role, ...] = ("fit", "trial")
"""Hands whose questions are asked among few."""
FOLDS = 8
TURNS = 3
"""Of ranking by the weights and fitting them anew."""
FIRST = 5
"""What the first text of each question weighs beside any other: it is what is told. Weights of the first ones alone
rank the others badly, and turn in circles."""


@dataclass(frozen=True)
class Asked:
    """A question with the texts that could be told, their signs, and which of them answer."""

    document: str
    answerable: bool
    signs: np.ndarray
    """Of shape (texts, signs)."""
    right: np.ndarray

    @classmethod
    def read(cls, line: str) -> Self:
        """What was asked, from a line of JSON."""
        told = json.loads(line)
        return cls(**told | {name: np.array(told[name]) for name in ("signs", "right")})


class Marking:
    """A reader that gives every sentence a number of its own for P(it answers), and keeps its signs by it."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.told: dict[float, SentenceSigns] = {}

    def __getattr__(self, name: str) -> object:
        return getattr(self._reader, name)

    def answering(self, signs: SentenceSigns) -> float:
        """The number."""
        number = 1e-6 * (1 + len(self.told))
        self.told[number] = signs
        return number


def among_few(found: Sequence[Document]) -> Iterator[Asked]:
    """Every question of written documents; as many in a knowledge base as people begin with."""
    for part in together(found):
        with holding(files=files_of(part)) as held:
            yield from _all_asked([one for document in part for one in questions_of(document)], held)
        say(f"asked of {part[-1].key}")


def among_thousands(data: Path) -> Iterator[Asked]:
    """Held-out questions of other sets, all their texts in one knowledge base with those that stand beside."""
    questions, texts = held_out(data)
    say(f"{len(questions)} questions among {len(texts)} texts")
    with holding(texts) as held:
        yield from _all_asked(questions, held)


def _all_asked(questions: Sequence[Question], held: Held) -> Iterator[Asked]:
    marking = Marking(held.resources.reader)
    marked = Held(replace(held.resources, reader=cast("Reader", marking)))
    for question in questions:
        yield _asked(marked, marking, question)


def _asked(held: Held, marking: Marking, question: Question) -> Asked:
    result = held.asked(question.text, Context(max_retries=0))
    told = [(one["text"], marking.told.get(one["usefulness"])) for one in result["candidates"]]
    rows = [(sentence_signs_of(signs), question.told_by(text)) for text, signs in told if signs]
    signs, right = [np.array(column) for column in zip(*rows, strict=True)] if rows else [np.empty(0), np.empty(0)]
    return Asked(question.document, question.answered is not None, signs, right)


def weights_of(found: Sequence[Asked]) -> list[float]:
    """Intercept and weights: of all texts, then anew with more weight on those that stand first by them.

    At last they are scaled so that P is that of the first ones, which are told; the order stays.
    """
    rows, right = (np.concatenate([getattr(one, name) for one in found]) for name in ("signs", "right"))
    begins = np.cumsum([0, *(len(one.right) for one in found[:-1])])
    weights = _logistic(rows, right, np.ones(len(rows)))
    for _ in range(TURNS):
        counted = np.ones(len(rows))
        counted[begins + _firsts(found, weights)] += FIRST
        weights = _logistic(rows, right, counted)
    first = begins + _firsts(found, weights)
    offset, scale = _logistic(rows[first] @ weights[1:, None], right[first], np.ones(len(first)))
    return [round(float(one), 4) for one in (offset, *(scale * weights[1:]))]


def _firsts(found: Sequence[Asked], weights: np.ndarray) -> np.ndarray:
    return np.array([_first(one, weights) for one in found])


def _logistic(rows: np.ndarray, right: np.ndarray, counted: np.ndarray) -> np.ndarray:
    model = LogisticRegression(C=1.0, max_iter=3000).fit(rows, right, sample_weight=counted)
    return np.concatenate([model.intercept_, model.coef_[0]])


def _first(one: Asked, weights: Sequence[float] | np.ndarray) -> int:
    return int(np.argmax(one.signs @ np.asarray(weights)[1:]))


def likeliest(found: Sequence[Asked], weights: Sequence[float]) -> list[tuple[float, bool]]:
    """P(it answers) of the likeliest text of each question, and whether it does."""
    firsts = [(one, _first(one, weights)) for one in found]
    return [
        (float(1 / (1 + np.exp(-(weights[0] + one.signs[at] @ np.array(weights[1:]))))), bool(one.right[at]))
        for one, at in firsts
    ]


def fitted(asked: Sequence[Asked], calibration: ReaderCalibration) -> ReaderCalibration:
    """The calibration with what was found; how well it tells is said of documents that had no part in it."""
    found = [one for one in asked if len(one.right)]
    apart = list[tuple[float, bool, bool]]()
    own = [one.document for one in found]
    for learned, left in GroupKFold(FOLDS).split(own, groups=own):
        weights = weights_of([found[at] for at in learned])
        rest = [found[at] for at in left]
        apart += [(p, y, one.answerable) for (p, y), one in zip(likeliest(rest, weights), rest, strict=True)]
    sure, right, answerable = (np.array(column) for column in zip(*apart, strict=True))
    say(f"AUC of right {auc(right, sure):.3f}, of answerable {auc(answerable, sure):.3f}, n {len(sure)}")
    return replace(
        calibration,
        sentences=weights_of(found),
        polar=True,
        given=GIVEN,
    )


def measured(asked: Sequence[Asked], calibration: ReaderCalibration) -> Iterator[str]:
    """What is given at each strictness: right and wrong of the answerable, and of the others."""
    found = [one for one in asked if len(one.right)]
    told = list(zip(likeliest(found, calibration.sentences), [one.answerable for one in found], strict=True))
    answerable = sum(one.answerable for one in asked)
    for strictness, least in calibration.given.items():
        given = [(right, answered) for (sure, right), answered in told if sure >= least]
        right = sum(right for right, _ in given)
        wrong = sum(answered and not right for right, answered in given)
        others = sum(not answered for _, answered in given)
        yield (
            f"{strictness}, P {least}: of {answerable} right {right}, wrong {wrong}; "
            f"of {len(asked) - answerable} without an answer {others}"
        )


def calibration_of(folder: Path) -> tuple[Path, ReaderCalibration]:
    """The reader's calibration in the folder of a base judge or of a reader, and where it is."""
    own = folder / "reader_calibration.json"
    path = own if own.is_file() else folder / "calibration.json"
    return path, ReaderCalibration.read(path, json.loads(path.read_text(encoding="utf-8"))["fingerprint"])


def main() -> None:
    """Fit and write, or measure, and say what was found."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("folder", type=Path)
    options.add_argument("--data", type=Path)
    options.add_argument("--measure", metavar="ROLE")
    options.add_argument("--every", type=int, default=1, help="of the documents")
    options.add_argument("--rows", type=Path, help="keeps what was asked, and is read where it is there")
    told = options.parse_args()
    path, calibration = calibration_of(told.folder)
    if told.measure:
        say(*measured(list(among_few(documents(told.measure)[:: told.every])), calibration))
        return
    few, data = [*documents(*FITTING), *fitted_on()][:: told.every], told.data
    asked = kept_rows(told.rows, Asked.read, lambda: [*among_few(few), *(among_thousands(data) if data else ())])
    found = fitted(asked, calibration)
    found.write(path)
    say(json.dumps({"sentences": found.sentences, "given": found.given}))


if __name__ == "__main__":
    main()
