"""P(a sentence that is told as it stands answers), fitted on whole runs over few documents and over thousands.

`python -m veridic_lab.drafts.quoting FOLDER --data DATA` writes it into the reader's calibration in the folder of the
judge that decides by the settings; for the small one VERIDIC_JUDGES is `small`. Few are those of two hands, twelve
together; thousands are the texts of held-out questions beside those of others. `--measure ROLE` prints what is given of
the questions of another hand instead, right, wrong and of those without an answer, at each strictness.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Self, cast

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from veridic import Context
from veridic.evidence.quoting import stands_in
from veridic.evidence.telling import quoted
from veridic.knowledge.ingest import Text
from veridic.models.fitting import auc
from veridic.models.reader_calibration import ReaderCalibration, sentence_signs_of
from veridic.ports.judgements import SentenceSigns
from veridic.ports.judging import Reader
from veridic.text.answers import tokens
from veridic.text.kinds import answer_kind
from veridic.text.sentences import sentences
from veridic_lab.benchmarks.asking import Held, holding, say
from veridic_lab.drafts.deciding import FEWEST, files_of
from veridic_lab.drafts.facts import fitted_on
from veridic_lab.drafts.hands import Document, Role, documents
from veridic_lab.drafts.keeping import kept_rows
from veridic_lab.drafts.reading import TOGETHER
from veridic_lab.training.pairs import fraction_of
from veridic_lab.training.reading.asked import asked_rows
from veridic_lab.training.reading.cases import text_of
from veridic_lab.training.reading.fit import VERIFIED, verified_from
from veridic_lab.training.reading.rows import Reading

GIVEN: Mapping[str, float] = {"loose": 0.25, "normal": 0.4, "strict": 0.6}
"""Where a wrong sentence that is given and flagged costs a third, two thirds and one and a half of a right one."""
FITTING: tuple[Role, ...] = ("fit", "trial")
"""Hands whose questions are asked among few."""
FOLDS = 8
BRIEF = 2
"""Words of a sentence that may stand in an answer by chance."""
EVERY = 2
"""Of the held-out questions each second is asked."""
HIDDEN = 0.25
"""Share of their texts that are left out, so that nothing answers."""
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
    polar: bool = False
    """Whether it asks yes or no: a sentence may tell that, and is never verified."""

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


@dataclass(frozen=True)
class Question:
    """What is asked, of which document, and what tells whether a text answers it; None: nothing does."""

    document: str
    text: str
    answered: Callable[[str], bool] | None


def among_few(found: Sequence[Document]) -> Iterator[Asked]:
    """Every question of written documents; as many in a knowledge base as people begin with."""
    for at in range(0, len(found), TOGETHER):
        part = found[at : at + TOGETHER]
        with holding(files=files_of(part)) as held:
            yield from _all_asked([one for document in part for one in questions_of(document)], held)
        say(f"{min(at + TOGETHER, len(found))} of {len(found)} documents")


def among_thousands(data: Path) -> Iterator[Asked]:
    """Held-out questions of other sets, all their texts in one knowledge base with those that stand beside."""
    questions, texts = held_out(data)
    say(f"{len(questions)} questions among {len(texts)} texts")
    with holding(texts) as held:
        yield from _all_asked(questions, held)


def held_out(data: Path) -> tuple[list[Question], list[Text]]:
    """Questions of other sets, and the texts that they are asked of: thousands, a part of the right ones left out."""
    rows, others = asked_rows(data)
    asked = [row for row in rows if row.kind == "none" or row.places][::EVERY]
    gone = {row.text for row in asked if fraction_of(f"company:{row.text}") < HIDDEN}
    texts = {text.url: text for text in map(text_of, (*rows, *others)) if text.text not in gone}
    return [_question(row, hidden=row.text in gone) for row in asked], [*texts.values()]


def _all_asked(questions: Sequence[Question], held: Held) -> Iterator[Asked]:
    marking = Marking(held.resources.reader)
    marked = Held(replace(held.resources, reader=cast("Reader", marking)))
    for question in questions:
        yield _asked(marked, marking, question)


def questions_of(document: Document) -> Iterator[Question]:
    """What is asked of a written document, answered by a span or by nothing."""
    yield from (Question(document.key, one.question, partial(tells, one.span)) for one in document.asked if one.span)
    yield from (Question(document.key, question, None) for question in document.unanswered)


def _question(row: Reading, *, hidden: bool) -> Question:
    return Question(row.key, row.question, None if hidden or row.kind == "none" else partial(_reaches, row))


def _asked(held: Held, marking: Marking, question: Question) -> Asked:
    result = held.asked(question.text, Context(max_retries=0))
    told = [(one["text"], marking.told.get(one["usefulness"])) for one in result["candidates"]]
    answered = question.answered
    rows = [(sentence_signs_of(signs), bool(answered and answered(text))) for text, signs in told if signs]
    signs, right = [np.array(column) for column in zip(*rows, strict=True)] if rows else [np.empty(0), np.empty(0)]
    return Asked(question.document, bool(answered), signs, right, answer_kind(question.text) == "yes-no")


def _said(text: str) -> list[str]:
    """The sentences of a text, without the marks of what was cut."""
    return [quote for one in sentences(text) if (quote := quoted(one.text))]


def tells(span: str, text: str) -> bool:
    """Whether a text says the words that answer, or a sentence of it is some of them in a row; marks do not count."""
    told = (quote for quote in _said(text) if len(tokens(quote)) > BRIEF)
    return stands_in(span, text) or any(stands_in(quote, span) for quote in told)


def _reaches(row: Reading, text: str) -> bool:
    """Whether a sentence of a text stands in the row's around a place that answers."""
    found = [(at, at + len(quote)) for quote in _said(text) if (at := row.text.find(quote)) >= 0]
    return any(start < end_of and at < end for at, end_of in row.places for start, end in found)


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
    """The calibration with what was found; its points by probabilities that the own document had no part in."""
    found = [one for one in asked if len(one.right)]
    apart = list[tuple[float, bool, bool, bool]]()
    own = [one.document for one in found]
    for learned, left in GroupKFold(FOLDS).split(own, groups=own):
        weights = weights_of([found[at] for at in learned])
        rest = [found[at] for at in left]
        apart += [(p, y, one.answerable, one.polar) for (p, y), one in zip(likeliest(rest, weights), rest, strict=True)]
    sure, right, answerable, polar = (np.array(column) for column in zip(*apart, strict=True))
    say(f"AUC of right {auc(right, sure):.3f}, of answerable {auc(answerable, sure):.3f}, n {len(sure)}")
    return replace(
        calibration,
        sentences=weights_of(found),
        polar=True,
        quoted={name: verified_from(sure[~polar], right[~polar], share, FEWEST) for name, share in VERIFIED.items()},
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
    few, data = [*documents(*FITTING), *fitted_on()][:: told.every], told.data
    asked = kept_rows(told.rows, Asked.read, lambda: [*among_few(few), *(among_thousands(data) if data else ())])
    found = fitted(asked, calibration)
    found.write(path)
    say(json.dumps({"sentences": found.sentences, "quoted": found.quoted, "given": found.given}))


if __name__ == "__main__":
    main()
