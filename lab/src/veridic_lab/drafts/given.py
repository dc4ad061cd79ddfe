"""What becomes of what a capable chat model writes: true, false and invented drafts, in whole runs.

`python -m veridic_lab.drafts.given ROLE [--every N] [--rows FILE]` asks every question of a role's hands, the writer
scripted to give each of its drafts once, and to a question without an answer another question's true draft. With
`--errs 0.1` a scripted chat model that is wrong so often judges statements, too. Printed beside it is what agents make
of the same drafts that judge nothing. Runs are kept in the file as they are made, and what was broken off goes on.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path

from veridic import Context
from veridic.ports.shapes import Result
from veridic_lab.benchmarks.asking import GIVEN, Held, holding, say
from veridic_lab.drafts.beside import Fate, Run, table_of_fates, table_of_mixes
from veridic_lab.drafts.deciding import written
from veridic_lab.drafts.hands import Document, documents, drafts_of, files_of
from veridic_lab.drafts.measuring import Marked, marked
from veridic_lab.drafts.scripted import Truth, judged_by

CONTEXT = Context(max_retries=0, candidates=1, time_budget=3600.0)
"""One attempt, and time enough for it on a machine that others use."""


def runs(found: Sequence[Document], errs: float | None = None, after: int = 0) -> Iterator[Run]:
    """Every draft after the first ones, and what became of it.

    `errs`: how often a chat model is wrong that judges; None: none does.
    """
    said = {"now": ""}
    wrong = {(draft.question, draft.text): draft.wrong for _, draft in drafts_of(found)}
    with holding(files=files_of(found), says=lambda _prompt: said["now"]) as held:
        if errs is not None:
            held = Held(judged_by(held.resources, Truth(found), errs))
        every = ((document, *told) for document in found for told in written(document))
        for document, question, writer, text in islice(every, after, None):
            said["now"] = text
            kind = writer if writer in ("true", "invented") else "false"
            result = held.asked(question, CONTEXT)
            share, hit = marks_of(result, text, wrong.get((question, text)))
            yield Run(document.key, kind, fate(result, text), result["confidence"], share, hit)


def fate(result: Result, text: str) -> Fate:
    """What a run made of a draft."""
    if result["outcome"] == "abstained":
        return "silent"
    verified = result["outcome"] in GIVEN
    if text in result["answer"]:
        return "verified" if verified else "flagged"
    if any(one["text"] in text for one in result["sentences"]):
        return "in part"
    return "replaced, verified" if verified else "replaced, flagged"


def marks_of(result: Result, text: str, wrong: tuple[int, int] | None) -> tuple[float, bool]:
    """Share of a draft's words that a run marks as doubtful, and whether a wrong one is among them."""
    places = [(text.find(one["text"]), one.get("doubtful", [])) for one in result["sentences"]]
    marks = [(at + start, at + end) for at, own in places if at >= 0 for start, end in own]
    figures = marked([Marked(text, wrong, marks)])
    return figures["marked"], figures["recall"] > 0


def kept(found: Sequence[Document], errs: float | None, path: Path) -> list[Run]:
    """The runs of a file, which goes on where it was broken off."""
    path.touch()
    made = [Run(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
    with path.open("a", encoding="utf-8") as file:
        for run in runs(found, errs, len(made)):
            file.write(f"{json.dumps(asdict(run))}\n")
            file.flush()
            made.append(run)
    return made


def main() -> None:
    """Print what became of each kind of draft, and what of mixes of them."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("role")
    options.add_argument("--every", type=int, default=1, help="of the documents")
    options.add_argument("--errs", type=float, help="how often a chat model is wrong that judges; without, none does")
    options.add_argument("--rows", type=Path, help="a file of runs")
    told = options.parse_args()
    found = documents(told.role)[:: told.every]
    made = kept(found, told.errs, told.rows) if told.rows else list(runs(found, told.errs))
    say(*table_of_fates(made), "", *table_of_mixes(made))


if __name__ == "__main__":
    main()
