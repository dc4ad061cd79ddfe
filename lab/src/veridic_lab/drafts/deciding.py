"""Fits what decides on drafts: whole runs over the hand that fits, with writers that give true and false answers.

`python -m veridic_lab.drafts.deciding FOLDER [--rows FILE]` writes `decision.json` into the folder of the judge that
decides by the settings; for the small one VERIDIC_JUDGES is `small`. Every draft of a question is written by a scripted
model, once; to a question without an answer another document's true draft is given. Rows that were made before are read
from the file, and made and kept there where it is not.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from veridic import Context
from veridic.evidence.evidence import kept
from veridic.evidence.ranking import draft_signs
from veridic.models.calibration import NEVER, Decision, weighed
from veridic.models.fitting import auc
from veridic.models.onnx_encoder import OnnxEncoder
from veridic.ports.judgements import DraftSigns, Strictness
from veridic.ports.shapes import Result
from veridic_lab.benchmarks.asking import Held, holding, say
from veridic_lab.drafts.hands import Document, documents
from veridic_lab.drafts.reading import TOGETHER

FOLDS = 8
PROMISED: Mapping[Strictness, float] = {"loose": 0.9, "normal": 0.95, "strict": 0.98}
"""Precision of what is verified, by the lower bound of its interval."""
RECALL: Mapping[Strictness, float] = {"loose": 0.96, "normal": 0.92, "strict": 0.85}
"""Share of the true drafts that are given, verified or flagged."""
EVEN = 0.5
"""What is likelier than not is given, however many are."""
FEWEST = 100
"""Verified drafts without which nothing is promised."""
DRAWN = 400
"""Draws of documents for an interval."""
ONE_SIDED = 5
"""Per cent of the draws that may lie under the lower bound."""
INVERSE_PENALTY = 0.3


@dataclass(frozen=True)
class Row:
    """A draft that was judged in a whole run."""

    document: str
    writer: str
    """`true`, `invented`, or the kind of error."""
    signs: DraftSigns

    @property
    def right(self) -> bool:
        """Whether the draft is true and its question is answered by the documents."""
        return self.writer == "true"


def rows_of(found: Sequence[Document]) -> Iterator[Row]:
    """Every draft of the documents, and for each question without an answer one that is invented.

    As many documents stand in a knowledge base as people begin with.
    """
    for at in range(0, len(found), TOGETHER):
        yield from _rows_together(found[at : at + TOGETHER])
        say(f"{min(at + TOGETHER, len(found))} of {len(found)} documents")


def _rows_together(found: Sequence[Document]) -> Iterator[Row]:
    """Each question is asked once; the writer gives its drafts as so many candidates."""
    left: list[str] = []
    with holding(files=files_of(found), says=lambda _prompt: left.pop(0)) as held:
        for document in found:
            for question, own in groupby(written(document), key=lambda one: one[0]):
                writers = {text: writer for _, writer, text in own}
                left[:] = writers
                yield from _judged(document, writers, held, question)


def files_of(found: Sequence[Document]) -> dict[str, str]:
    """The texts of documents by the names of their files."""
    return {f"{one.key}-{at}.md": _titled(one, text) for one in found for at, text in enumerate(one.texts)}


def _titled(document: Document, text: str) -> str:
    return text if text.startswith("# ") else f"# {document.title}\n\n{text}"


def written(document: Document) -> Iterator[tuple[str, str, str]]:
    """Every question with what a writer gives: `true`, `invented`, or the kind of error, and the text."""
    for asked in document.asked:
        for draft in asked.drafts:
            yield asked.question, draft.error or "true", draft.text
    true = [draft.text for asked in document.asked for draft in asked.drafts if draft.true]
    for at, question in enumerate(document.unanswered):
        yield question, "invented", true[at % len(true)]


def _judged(document: Document, writers: Mapping[str, str], held: Held, question: str) -> Iterator[Row]:
    result: Result = held.asked(question, Context(max_retries=0, candidates=len(writers)))
    strips = kept(result["strips"])
    for one in result["candidates"]:
        if one["text"] in writers and one["origin"] == "chat" and not one["partial"] and one["sentences"]:
            yield Row(document.key, writers[one["text"]], draft_signs(one, result["readings"], strips))


def fitted(rows: Sequence[Row], fingerprint: str) -> Decision:
    """The decision; its points and figures by probabilities that the own document had no part in."""
    signs = np.array([weighed(row.signs) for row in rows])
    right = np.array([row.right for row in rows])
    own = np.array([row.document for row in rows])
    share = np.where(right, 1 / right.sum(), 1 / (~right).sum()) * len(rows) / 2
    sure = np.zeros(len(rows))
    for learned, left in GroupKFold(FOLDS).split(signs, right, own):
        sure[left] = _model(signs[learned], right[learned], share[learned]).predict_proba(signs[left])[:, 1]
    whole = _model(signs, right, share)
    verified = {name: _promising(sure, right, share, own, least) for name, least in PROMISED.items()}
    above = sure >= verified["normal"]
    return Decision(
        fingerprint=fingerprint,
        weights=[round(float(one), 4) for one in (whole.intercept_[0], *whole.coef_[0])],
        verified=verified,
        given={name: round(min(EVEN, float(np.quantile(sure[right], 1 - most))), 4) for name, most in RECALL.items()},
        measured={
            "auc": round(auc(right, sure), 4),
            "n": int(above.sum()),
            "precision": round(_precision(right[above], share[above]), 4),
            "least": round(_lower(right, share, own, above), 4),
            "true verified": round(float(above[right].mean()), 4),
        },
        date=datetime.now(UTC).date().isoformat(),
    )


def _model(signs: np.ndarray, right: np.ndarray, share: np.ndarray) -> LogisticRegression:
    return LogisticRegression(C=INVERSE_PENALTY, max_iter=2000).fit(signs, right, sample_weight=share)


def _promising(sure: np.ndarray, right: np.ndarray, share: np.ndarray, own: np.ndarray, least: float) -> float:
    """The lowest P above which precision is at least so high by its lower bound; `NEVER` where there is none."""
    for point in np.arange(0.5, 0.995, 0.01):
        above = sure >= point
        if above.sum() < FEWEST:
            break
        if _lower(right, share, own, above) >= least:
            return round(float(point), 4)
    return NEVER


def _lower(right: np.ndarray, share: np.ndarray, own: np.ndarray, above: np.ndarray, seed: int = 7) -> float:
    """The lower bound of precision, documents drawn anew; true and false drafts count the same in all."""
    rng = np.random.default_rng(seed)
    places = {key: np.flatnonzero((own == key) & above) for key in np.unique(own)}
    names = list(places)
    found = []
    for _ in range(DRAWN):
        drawn = np.concatenate([places[names[at]] for at in rng.integers(0, len(names), len(names))])
        if len(drawn):
            found.append(_precision(right[drawn], share[drawn]))
    return float(np.percentile(found, ONE_SIDED)) if found else 0.0


def _precision(right: np.ndarray, share: np.ndarray) -> float:
    return float(share[right].sum() / share.sum()) if len(right) else 0.0


def _kept_rows(path: Path | None) -> list[Row]:
    if path and path.is_file():
        told = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return [Row(one["document"], one["writer"], DraftSigns(**one["signs"])) for one in told]
    rows = list(rows_of(documents("fit")))
    if path:
        path.write_text("".join(f"{json.dumps(asdict(row))}\n" for row in rows), encoding="utf-8")
    return rows


def main() -> None:
    """Fit, write, and say what was found."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("folder", type=Path)
    options.add_argument("--rows", type=Path)
    told = options.parse_args()
    rows = _kept_rows(told.rows)
    found = fitted(rows, OnnxEncoder(told.folder).fingerprint)
    found.write(told.folder / "decision.json")
    say(json.dumps(asdict(found), indent=1))


if __name__ == "__main__":
    main()
