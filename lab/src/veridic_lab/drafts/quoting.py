"""What is read and told as it stands: how probable it is right, and from where it is verified, fitted on whole runs.

`python -m veridic_lab.drafts.quoting FOLDER --data DATA` writes it into the reader's calibration in the folder of the
judge that decides by the settings; for the small one VERIDIC_JUDGES is `small`. The reader's confidence is there
already: it ranks short answers, and is scaled here. Questions are asked of written documents, twelve together, of
collections of files, and of thousands of texts: those of held-out questions beside those of others. `--measure ROLE`
prints which sentences are given of the questions of another hand instead, at each strictness.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, Self, cast

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from veridic import Context
from veridic.models.fitting import auc, probability
from veridic.models.reader_calibration import SENTENCE_SIGNS, SIGNS, ReaderCalibration, sentence_signs_of, signs_of
from veridic.ports.judgements import AnswerSigns, SentenceSigns, log_odds
from veridic.ports.judging import Reader
from veridic.ports.shapes import ReadAnswer
from veridic.text.kinds import ANSWER_KINDS, AnswerKind, answer_kind
from veridic_lab.benchmarks.asking import Held, holding, say
from veridic_lab.drafts.collections import collections
from veridic_lab.drafts.facts import fitted_on
from veridic_lab.drafts.hands import Document, documents, files_of, together
from veridic_lab.drafts.keeping import kept_rows
from veridic_lab.drafts.questions import Question, held_out, questions_of
from veridic_lab.training.promise import PROMISED, Sure

GIVEN: Mapping[str, float] = {"loose": 0.25, "normal": 0.4, "strict": 0.6}
"""Where a wrong sentence that is given and flagged costs a third, two thirds and one and a half of a right one."""
UNTOLD: frozenset[AnswerKind] = frozenset({"yes-no", "why-how"})
"""Kinds of questions of which nothing short is verified: a decision has a confidence of its own, and sentences tell
reasons."""
COMPANY, READ = SIGNS.index("company"), SENTENCE_SIGNS.index("read")
FOLDS = 8
TURNS = 3
"""Of ranking by the weights and fitting them anew."""
FIRST = 5
"""What the first text of each question weighs beside any other: it is what is told. Weights of the first ones alone
rank the others badly, and turn in circles."""


@dataclass(frozen=True)
class Short:
    """The short answer that was read, its signs as they are weighed, and whether it is right."""

    kind: AnswerKind
    signs: list[float]
    right: bool


@dataclass(frozen=True)
class Asked:
    """A question with the texts that could be told, their signs, and which of them answer."""

    document: str
    answerable: bool
    signs: np.ndarray
    """Of shape (texts, signs); no texts where a short answer was sure."""
    right: np.ndarray
    polar: bool = False
    """Whether it asks yes or no: a sentence may tell that, and is never verified."""
    short: Short | None = None
    """None where nothing was read."""

    @classmethod
    def read(cls, line: str) -> Self:
        """What was asked, from a line of JSON."""
        told = json.loads(line)
        short = told.pop("short", None)
        arrays = {name: np.array(told[name]) for name in ("signs", "right")}
        return cls(**told | arrays, short=Short(**short) if short else None)


class Marking:
    """A reader that gives every sentence a number of its own for P(it answers), and keeps its signs by it.

    So it keeps those of each short answer by its confidence.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.told: dict[float, SentenceSigns] = {}
        self.read_as: dict[float, AnswerSigns] = {}

    def __getattr__(self, name: str) -> object:
        return getattr(self._reader, name)

    def answering(self, signs: SentenceSigns) -> float:
        """The number."""
        number = 1e-6 * (1 + len(self.told))
        self.told[number] = signs
        return number

    def confidence(self, kind: AnswerKind, signs: AnswerSigns) -> float:
        """The reader's."""
        found = self._reader.confidence(kind, signs)
        self.read_as[found] = signs
        return found


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
    return Asked(
        question.document,
        question.answered is not None,
        signs,
        right,
        answer_kind(question.text) == "yes-no",
        _short(result["readings"], marking, question),
    )


def _short(readings: Sequence[ReadAnswer], marking: Marking, question: Question) -> Short | None:
    """What was read for a question of one part."""
    reading = readings[0] if len(readings) == 1 else None
    if reading is None or reading["sentence"] is None:
        return None
    signs = marking.read_as[reading["probability"]]
    return Short(reading["kind"], signs_of(signs), question.read_as(reading["text"], reading["sentence"]["quote"]))


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


class Probable(NamedTuple):
    """What is told to a question, and whether it is right."""

    sure: float
    right: bool
    document: str


def fitted(asked: Sequence[Asked], calibration: ReaderCalibration) -> ReaderCalibration:
    """The calibration with what was found; its points by probabilities that the own document had no part in."""
    told: dict[str, list[Probable]] = {"short": [], "sentences": []}
    own = [one.document for one in asked]
    for learned, left in GroupKFold(FOLDS).split(own, groups=own):
        found = weighed([asked[at] for at in learned], calibration)
        for at in left:
            told["short"] += _short_of(asked[at], found)
            told["sentences"] += _sentence_of(asked[at], found)
    short, sentences = (_promised(name, every) for name, every in told.items())
    kinds = [kind for kind in ANSWER_KINDS if kind not in UNTOLD]
    return replace(
        weighed(asked, calibration),
        polar=True,
        verified={name: {**calibration.verified.get(name, {}), **dict.fromkeys(kinds, short[name])} for name in short},
        quoted=sentences,
        given=GIVEN,
    )


def weighed(asked: Sequence[Asked], calibration: ReaderCalibration) -> ReaderCalibration:
    """The calibration with the confidence of short answers scaled, and the weights of sentences by that."""
    scaled = scaled_on([one.short for one in asked if one.short], calibration)
    return replace(scaled, sentences=weights_of([_beside_short(one, scaled) for one in asked if len(one.right)]))


def scaled_on(found: Sequence[Short], calibration: ReaderCalibration) -> ReaderCalibration:
    """The confidence scaled, and weighed with the company, so that it is how often such an answer is right.

    Which answer is the likeliest stays as it is.
    """
    told = [one for one in found if one.kind not in UNTOLD]
    if len({one.right for one in told}) < len((True, False)):
        return calibration
    rows = np.array([[log_odds(_confidence(one, calibration)), one.signs[COMPANY]] for one in told])
    offset, scale, company = _logistic(rows, np.array([one.right for one in told]), np.ones(len(told)))
    weights = dict(calibration.weights)
    for kind in weights.keys() - UNTOLD:
        anew = [scale * weight for weight in weights[kind]]
        anew[0] += offset
        anew[1 + COMPANY] += company
        weights[kind] = [round(float(weight), 4) for weight in anew]
    return replace(calibration, weights=weights)


def _confidence(short: Short, calibration: ReaderCalibration) -> float:
    return probability(calibration.weights[short.kind], short.signs)


def _beside_short(one: Asked, calibration: ReaderCalibration) -> Asked:
    """The question with the confidence of its short answer, as it is by now, among the signs of its texts."""
    if one.short is None:
        return one
    signs = one.signs.copy()
    signs[:, READ] = log_odds(_confidence(one.short, calibration))
    return replace(one, signs=signs)


def _short_of(one: Asked, calibration: ReaderCalibration) -> list[Probable]:
    """What is read, where it may be told as a short answer."""
    if one.short is None or one.short.kind in UNTOLD:
        return []
    return [Probable(_confidence(one.short, calibration), one.short.right, one.document)]


def _sentence_of(one: Asked, calibration: ReaderCalibration) -> list[Probable]:
    """The likeliest text, where it is told: no short answer is sure enough. To yes or no none is verified."""
    short = _short_of(one, calibration)
    sure = one.short is not None and any(p >= calibration.needed_for(one.short.kind, "normal") for p, *_ in short)
    if sure or one.polar or not len(one.right):
        return []
    [(p, right)] = likeliest([_beside_short(one, calibration)], calibration.sentences)
    return [Probable(p, right, one.document)]


def _promised(name: str, told: Sequence[Probable]) -> dict[str, float]:
    """From which probability the promise of each strictness is kept; what is known of all is said."""
    sure, right, own = (np.array([getattr(one, field) for one in told]) for field in Probable._fields)
    found = Sure(sure, right, own, np.ones(len(told)))
    if len(set(right)) > 1:
        say(f"{name}: AUC of right {auc(right, sure):.3f}, n {len(told)}")
    return {name: found.promising(least) for name, least in PROMISED.items()}


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


def _calibration_of(folder: Path) -> Path:
    own = folder / "reader_calibration.json"
    return own if own.is_file() else folder / "calibration.json"


def main() -> None:
    """Fit and write, or measure, and say what was found."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("folder", type=Path)
    options.add_argument("--data", type=Path)
    options.add_argument("--measure", metavar="ROLE")
    options.add_argument("--every", type=int, default=1, help="of the documents")
    options.add_argument("--rows", type=Path, help="keeps what was asked, and is read where it is there")
    told = options.parse_args()
    path = _calibration_of(told.folder)
    calibration = ReaderCalibration.read(path, json.loads(path.read_text(encoding="utf-8"))["fingerprint"])
    if told.measure:
        say(*measured(list(among_few(documents(told.measure)[:: told.every])), calibration))
        return
    few, data = [*documents("fit"), *fitted_on(), *collections("fit")][:: told.every], told.data
    asked = kept_rows(told.rows, Asked.read, lambda: [*among_few(few), *(among_thousands(data) if data else ())])
    found = fitted(asked, calibration)
    found.write(path)
    say(json.dumps({name: getattr(found, name) for name in ("weights", "verified", "sentences", "quoted", "given")}))


if __name__ == "__main__":
    main()
