"""From which probability what is read or quoted is verified: where the promise is kept, measured on whole runs.

`python -m veridic_lab.drafts.promising FOLDER --data DATA [--rows FILE]` writes it into the reader's calibration in the
folder of the judge that decides by the settings; for the small one VERIDIC_JUDGES is `small`. Questions are asked of
the hands that fit: of written documents, twelve together, of collections of files, and of thousands of texts. One
promise is made of all that is told without a chat model; of yes and no none is.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from veridic.models.promise import Sure, promising
from veridic.ports.shapes import Result
from veridic.text.kinds import answer_kind
from veridic_lab.benchmarks.asking import Held, holding, say
from veridic_lab.drafts.collections import collections
from veridic_lab.drafts.hands import documents, files_of, together
from veridic_lab.drafts.keeping import kept_rows
from veridic_lab.drafts.questions import Question, held_out, questions_of
from veridic_lab.drafts.quoting import calibration_of


@dataclass(frozen=True)
class Row:
    """An answer that was told, how probable it is, and whether it is right."""

    document: str
    sure: float
    right: bool

    @classmethod
    def read(cls, line: str) -> Self:
        """An answer, from a line of JSON."""
        return cls(**json.loads(line))


def told(data: Path | None) -> Iterator[Row]:
    """What may be verified of what is told to the hands that fit, and with `data` to held-out ones among thousands."""
    for part in together([*documents("fit"), *collections("fit")]):
        with holding(files=files_of(part)) as held:
            yield from _answers((one for document in part for one in questions_of(document)), held)
        say(f"asked of {part[-1].key}")
    if data:
        questions, texts = held_out(data)
        with holding(texts) as held:
            yield from _answers(questions, held)


def _answers(questions: Iterable[Question], held: Held) -> Iterator[Row]:
    for question in questions:
        result = held.asked(question.text)
        sure = None if result["outcome"] == "abstained" else result["confidence"]
        supported = all(one["verdict"] == "supported" for one in result["sentences"])
        if sure is not None and supported and answer_kind(question.text) != "yes-no":
            yield Row(question.document, sure, is_right(question, result))


def is_right(question: Question, result: Result) -> bool:
    """Whether a result cites what answers, and gives the short answer that is accepted where it gives one."""
    cites = any(question.told_by(place["quote"]) for one in result["sentences"] for place in one["citations"])
    short = result["short_answer"]
    return cites and (not short or bool(question.given and question.given(short)))


def main() -> None:
    """Fit and write, and say what was found."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("folder", type=Path)
    options.add_argument("--data", type=Path)
    options.add_argument("--rows", type=Path, help="keeps what was told, and is read where it is there")
    chosen = options.parse_args()
    path, calibration = calibration_of(chosen.folder)
    rows = kept_rows(chosen.rows, Row.read, lambda: told(chosen.data))
    found = promising(Sure.of((one.sure, one.right, one.document) for one in rows), calibration)
    found.write(path)
    say(json.dumps({"quoted": found.quoted, "measured": found.measured}))


if __name__ == "__main__":
    main()
