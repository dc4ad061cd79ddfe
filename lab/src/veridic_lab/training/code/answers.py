"""Fits how probably code answers a question that asks for it: `python -m veridic_lab.training.code.answers OUT`.

From the documents and questions of `answers.txt`, written for it, asked of one knowledge base that holds them all.
Those of `benchmarks/code_answers.txt` measure it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, astuple, dataclass
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from veridic.api.documents import ingest
from veridic.evidence.code_answers import CodeSigns, CodeWeights, signs_of_code
from veridic.evidence.depth import depth_of
from veridic.resources import open_resources
from veridic.runtime.run import Resources
from veridic.settings import Settings
from veridic.text.analysis import question_kind
from veridic.text.sentences import is_code
from veridic_lab.training.code.told import CodeDocument, documents_in, write_into
from veridic_lab.training.metrics import auc
from veridic_lab.training.pairs import fraction_of

NEVER = float("inf")


@dataclass(frozen=True)
class CodeCase:
    """One piece of code that was retrieved for a question, and whether it answers it."""

    document: str
    question: str
    signs: CodeSigns
    right: bool
    few: bool
    """Whether it is told beside less than was found."""


def main() -> None:
    """Fit on everything and write the weights; say how well the likeliest of each question is told."""
    [out] = sys.argv[1:]
    documents = documents_in(files(__package__).joinpath("answers.txt").read_text(encoding="utf-8"))
    with TemporaryDirectory() as folder:
        resources = holding(documents, Path(folder))
        weights = fitted(list(cases(documents, resources)), resources.embedder.fingerprint)
    Path(out).write_text(json.dumps(asdict(weights)) + "\n", encoding="utf-8")
    sys.stdout.write(f"{weights.fitted_on} pieces of code, AUC {weights.auc:.3f}\n")


def holding(documents: list[CodeDocument], folder: Path) -> Resources:
    """What is open of a new knowledge base in a folder that holds the documents."""
    (folder / "docs").mkdir()
    write_into(folder / "docs", documents)
    settings = Settings.load(kb=str(folder / "kb.sqlite"), docs="", model="extractive")
    ingest(folder / "docs", settings=settings)
    return open_resources(settings)


def cases(documents: Sequence[CodeDocument], resources: Resources) -> Iterator[CodeCase]:
    """Every piece of code that is retrieved for a question, and again beside less.

    As if its document were all that is held, and as if that had no other code.
    """
    embedder = resources.embedder
    for document in documents:
        for one in document.questions:
            depth = depth_of(question_kind(one.question), embedder)
            [found] = resources.knowledge.search([one.question], limit=depth, deadline=NEVER)
            best = next((passage for passage in found if is_code(passage["text"])), None)
            if best is None:
                continue
            own = [passage for passage in found if passage["document_id"] == best["document_id"]]
            few = [passage for passage in own if passage is best or not is_code(passage["text"])]
            for held in (found, own, few):
                for passage, signs in signs_of_code(one.question, held, embedder):
                    right = bool(one.code) and one.code in passage["text"]
                    yield CodeCase(document.name, one.question, signs, right, few=held is not found)


def fitted(found: Sequence[CodeCase], embedder: str) -> CodeWeights:
    """The regression on all cases; the AUC is of the likeliest of each question, under the fit of the other half."""
    side = np.array([fraction_of(f"half:{case.document}") < 0.5 for case in found])
    rows, right = np.array([astuple(case.signs) for case in found]), np.array([case.right for case in found])
    sure = np.zeros(len(found))
    for own in (side, ~side):
        sure[~own] = _regression(rows[own], right[own]).predict_proba(rows[~own])[:, 1]
    best: dict[tuple[str, str], int] = {}
    for place, case in enumerate(found):
        if case.few:
            continue
        key = case.document, case.question
        best[key] = max(best.get(key, place), place, key=lambda at: sure[at])
    whole, places = _regression(rows, right), list(best.values())
    return CodeWeights(
        embedder=embedder,
        weights=[round(float(one), 4) for one in whole.coef_[0]],
        offset=round(float(whole.intercept_[0]), 4),
        fitted_on=len(found),
        auc=round(auc(right[places].tolist(), sure[places].tolist()), 4),
        date=datetime.now(UTC).date().isoformat(),
    )


def _regression(rows: NDArray[np.float64], right: NDArray[np.bool_]) -> LogisticRegression:
    """Cosines differ by tenths: they are weighed freely."""
    return LogisticRegression(C=100.0, max_iter=5000).fit(rows, right)


if __name__ == "__main__":
    main()
