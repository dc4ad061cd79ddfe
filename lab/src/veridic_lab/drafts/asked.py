"""What is told to the questions of written documents, and how sure: right, wrong, silent, verified or flagged.

`python -m veridic_lab.drafts.asked ROLE [--model NAME] [--every N] [--keep]` asks every question of a role's hands in
whole runs, as many documents a knowledge base as people begin with, or a collection. Right is what cites the place that
answers and, where it gives a short answer or words of its own, gives the written one. Who answers nothing has no right
one, and whoever pastes a passage has a wrong one to every question without an answer. `--keep` puts the few numbers of
each question into the checkout and draws their curve, for which `pip install 'lab[plots]'` brings matplotlib.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from veridic.ports.shapes import Result
from veridic.text.answers import coverage
from veridic_lab.benchmarks.asking import Held, holding, say
from veridic_lab.bootstrap import calibration_error
from veridic_lab.drafts.collections import collections
from veridic_lab.drafts.hands import Asked, Document, documents, files_of, together
from veridic_lab.drafts.questions import gives_short, says
from veridic_lab.evaluation.told import TOLD_AS, Told, keep, kept_in
from veridic_lab.manual.curve import draw
from veridic_lab.manual.results import ASKED, ASKED_PICTURE

ENOUGH = 0.5
"""Share of the written answer's words that an answer in other words than the document's has to give."""


def asked_of(found: Sequence[Document], name: str, model: str) -> Iterator[Told]:
    """Every question of documents, answered by a span or by nothing, and what `model` told; `name` says of whom."""
    for part in together(found):
        with holding(files=files_of(part), model=model) as held:
            yield from (one for document in part for one in _told(document, held, name))
        say(f"asked of {part[-1].key}")


def _told(document: Document, held: Held, name: str) -> Iterator[Told]:
    for asked in document.asked:
        if asked.span:
            result = held.asked(asked.question)
            yield _one(name, result, right=is_right(document, asked, result), answerable=True)
    for question in document.unanswered:
        yield _one(name, held.asked(question), right=False, answerable=False)


def _one(name: str, result: Result, *, right: bool, answerable: bool) -> Told:
    told_as = TOLD_AS[result["outcome"]]
    given = told_as != "silent"
    sure = result["confidence"] if given else None
    return Told(name, None if sure is None else round(sure, 3), told_as, given and right, answerable)


def is_right(document: Document, asked: Asked, result: Result) -> bool:
    """Whether a result cites the place of the document that answers, and says what is written there."""
    cited = [place for one in result["sentences"] for place in one["citations"]]
    own = [place["quote"] for place in cited if Path(place["url"]).name in document.files()]
    return any(says(asked, quote) for quote in own) and _gives(asked, result)


def _gives(asked: Asked, result: Result) -> bool:
    if short := result["short_answer"]:
        return gives_short(asked, short)
    quoted = all(one.get("quoted", False) for one in result["sentences"])
    return quoted or any(coverage(one, result["answer"]) >= ENOUGH for one in (asked.answer, *asked.answers))


def lines_of(told: Sequence[Told]) -> Iterator[str]:
    """How many came to what, of the questions with an answer and of those without, and how true the flags' P is."""
    for answerable, of in ((True, "with an answer"), (False, "without one")):
        own = [one for one in told if one.answerable is answerable]
        counted = Counter((one.told_as, one.right) for one in own)
        parts = [f"{'right' if right else 'wrong'} {told_as} {n}" for (told_as, right), n in sorted(counted.items())]
        yield f"{len(own)} {of}: {', '.join(parts)}"
    flagged = [(one.right, one.probability) for one in told if one.told_as == "flagged" and one.probability is not None]
    if flagged:
        right, sure = zip(*flagged, strict=True)
        error = calibration_error(right, sure)
        yield f"calibration error of {len(flagged)} flagged ones: {error(np.ones((1, len(flagged))))[0]:.3f}"


def main() -> None:
    """Ask, say what was told, and keep it where that is asked for."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("role")
    options.add_argument("--model", default="extractive", help="who writes")
    options.add_argument("--every", type=int, default=1, help="of the documents")
    options.add_argument("--keep", action="store_true")
    chosen = options.parse_args()
    name = f"{chosen.role}, {chosen.model}"
    found = [*documents(chosen.role), *collections(chosen.role)][:: chosen.every]
    told = list(asked_of(found, name, chosen.model))
    say(*lines_of(told))
    if chosen.keep:
        kept = [*(one for one in kept_in(ASKED) if one.system != name), *told]
        keep(kept, ASKED)
        draw(kept, {}, ASKED_PICTURE)


if __name__ == "__main__":
    main()
