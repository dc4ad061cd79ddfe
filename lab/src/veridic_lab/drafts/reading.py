"""A reader's confidence, fitted on the questions of the hand that fits and on held-out ones.

`python -m veridic_lab.drafts.reading FOLDER --data DATA` writes it into the folder of an exported reader, or of a base
judge that reads. For the small reader VERIDIC_JUDGES is `small`, so that small grades, too. Each question is asked of a
knowledge base of as many documents as people begin with, so that what is read has company and the question one meaning:
asked beside a hundred others' documents most of the written ones have several.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from veridic.errors import CalibrationMismatch
from veridic.models.base_reader import YES, BaseReader, entailing
from veridic.models.cross_encoder import OnnxJudge
from veridic.models.fitting import fit_binary
from veridic.models.onnx_encoder import OnnxEncoder
from veridic.models.reader import OnnxReader
from veridic.models.reader_calibration import ReaderCalibration
from veridic.settings import Settings
from veridic_lab.drafts.examples import decided
from veridic_lab.drafts.facts import fitted_on
from veridic_lab.drafts.hands import TOGETHER, Asked, Document, documents
from veridic_lab.training.reading.asked import asked_rows
from veridic_lab.training.reading.cases import AnswerCase, answer_cases
from veridic_lab.training.reading.fit import fitted, summary
from veridic_lab.training.reading.rows import COMPOSED, Kind, Reading, shown

EVERY = 3
"""Of the held-out questions of other sets each third is asked."""
NEVER = float("inf")
WRITTEN = "written drafts"
"""The source of the questions of the hand that fits."""
COMPOSING = ("why", "how", "what", "steps", "list", "compare")
"""Kinds of written questions that sentences answer."""


def readings_of(found: Sequence[Document]) -> Iterator[Reading]:
    """Every question of written documents beside the whole text, answered or not."""
    for document in found:
        for asked in document.asked:
            if asked.span:
                yield _answered(document, asked)
        for question in document.unanswered:
            yield _row(document, question, "none")


def _answered(document: Document, asked: Asked) -> Reading:
    start = document.text.find(asked.span)
    place = (start, start + len(asked.span))
    polar = decided(asked)
    if polar >= 0:
        return _row(document, asked.question, ("yes", "no")[polar], evidence=(place,))
    part = COMPOSED if asked.kind in COMPOSING else ""
    return _row(document, asked.question, "span", places=(place,), evidence=(place,), part=part)


def _row(
    document: Document,
    question: str,
    kind: Kind,
    *,
    places: tuple[tuple[int, int], ...] = (),
    evidence: tuple[tuple[int, int], ...] = (),
    part: str = "",
) -> Reading:
    return Reading(
        question=question,
        title=document.title,
        text=document.text,
        places=places,
        kind=kind,
        source=WRITTEN,
        key=document.key,
        part=part,
        evidence=evidence,
    )


def fit_reading(folder: Path, data: Path | None) -> ReaderCalibration:
    """Fit, and write beside the weights."""
    settings = Settings()
    rows = list(readings_of([*documents("fit"), *fitted_on()]))
    held, others = asked_rows(data) if data else ([], [])
    reads_alone = OnnxEncoder(folder).card.get("kind") == "reader"
    reader = OnnxReader(folder, calibration=_identity(folder)) if reads_alone else _judging(folder, rows, settings)
    asked = [*grouped(rows, by=lambda row: row.key), *grouped([*held[::EVERY]], by=lambda row: row.text)]
    cases = [case for group in asked for case in _cases(group, others, reader, settings)]
    path = folder / ("calibration.json" if reads_alone else "reader_calibration.json")
    found = _beside(path, replace(fitted(cases, reader.fingerprint), decided=reader.calibration.decided))
    found.write(path)
    return found


def _beside(path: Path, found: ReaderCalibration) -> ReaderCalibration:
    """What was found, with what `quoting` fitted for the same reader before: nothing is known of sentences else."""
    try:
        old = ReaderCalibration.read(path, found.fingerprint)
    except CalibrationMismatch:
        return found
    return replace(found, sentences=old.sentences, polar=old.polar, quoted=old.quoted, given=old.given)


def _judging(folder: Path, rows: Sequence[Reading], settings: Settings) -> BaseReader:
    """A base judge that reads, its scale of yes and no fitted first."""
    judge = OnnxJudge(folder)
    identity = replace(_identity(folder), decided=decisions(rows, judge))
    reader = OnnxReader(folder, calibration=identity)
    return BaseReader(reader, judge, second=OnnxReader(), tokens=settings.base_tokens)


def _identity(folder: Path) -> ReaderCalibration:
    return ReaderCalibration.identity(OnnxEncoder(folder).fingerprint)


def grouped(rows: Sequence[Reading], *, by: Callable[[Reading], str]) -> Iterator[list[Reading]]:
    """The rows of `TOGETHER` documents each, in order; `by` tells documents apart."""
    documents = defaultdict[str, list[Reading]](list)
    for row in rows:
        documents[by(row)].append(row)
    own = list(documents.values())
    for at in range(0, len(own), TOGETHER):
        yield [row for document in own[at : at + TOGETHER] for row in document]


def _cases(
    rows: Sequence[Reading], others: Sequence[Reading], reader: BaseReader | OnnxReader, settings: Settings
) -> list[AnswerCase]:
    """The rows asked of a knowledge base of their own; of held-out sets with as many texts beside them."""
    written = all(row.source == WRITTEN for row in rows)
    with TemporaryDirectory() as place:
        return answer_cases(rows, [] if written else others[:TOGETHER], reader, settings, Path(place))


def decisions(rows: Sequence[Reading], judge: OnnxJudge) -> list[float]:
    """Scale and offset of the log-odds of "Yes." on the questions that are answered by yes or no."""
    polar = [row for row in rows if row.kind in ("yes", "no")]
    said = [judge.hearing(row.question).logits([(shown(row), YES)], "nli", deadline=NEVER)[0] for row in polar]
    decisive = [max(entailing(one), key=abs) for one in said]
    return [round(one, 4) for one in fit_binary(decisive, [row.kind == "yes" for row in polar])]


def main() -> None:
    """Fit, write, and say what was found."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("folder", type=Path)
    options.add_argument("--data", type=Path)
    told = options.parse_args()
    print("\n".join(summary(fit_reading(told.folder, told.data))))  # noqa: T201


if __name__ == "__main__":
    main()
