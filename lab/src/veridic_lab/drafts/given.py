"""What becomes of what a capable chat model writes: true, false and invented drafts, in whole runs.

`python -m veridic_lab.drafts.given ROLE [--every N]` asks every question of a role's hands, the writer scripted to give
each of its drafts once, and to a question without an answer another question's true draft. With `--errs 0.1` a scripted
chat model that is wrong so often judges statements, too.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from veridic import Context
from veridic.ports.shapes import Result
from veridic_lab.benchmarks.asking import GIVEN, Held, holding, say
from veridic_lab.drafts.deciding import files_of, written
from veridic_lab.drafts.hands import Document, documents
from veridic_lab.drafts.scripted import Truth, judged_by

Fate = Literal["verified", "flagged", "in part", "replaced, verified", "replaced, flagged", "silent"]
FATES: tuple[Fate, ...] = ("verified", "flagged", "in part", "replaced, verified", "replaced, flagged", "silent")


def fates(found: Sequence[Document], errs: float | None = None) -> Iterator[tuple[str, Fate]]:
    """The kind of every draft (`true`, `false`, `invented`), and what became of it.

    `errs`: how often a chat model is wrong that judges; None: none does.
    """
    said = {"now": ""}
    with holding(files=files_of(found), says=lambda _prompt: said["now"]) as held:
        if errs is not None:
            held = Held(judged_by(held.resources, Truth(found), errs))
        for document in found:
            for question, writer, text in written(document):
                said["now"] = text
                kind = writer if writer in ("true", "invented") else "false"
                yield kind, fate(held.asked(question, Context(max_retries=0, candidates=1)), text)


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


def counted(found: Iterable[tuple[str, Fate]]) -> Mapping[str, Counter[Fate]]:
    """How many drafts of each kind came to what."""
    told = defaultdict[str, Counter[Fate]](Counter)
    for kind, came_to in found:
        told[kind][came_to] += 1
    return told


def main() -> None:
    """Print a line for each kind of draft."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("role")
    options.add_argument("--every", type=int, default=1, help="of the documents")
    options.add_argument("--errs", type=float, help="how often a chat model is wrong that judges; without, none does")
    told = options.parse_args()
    for kind, row in counted(fates(documents(told.role)[:: told.every], told.errs)).items():
        total = sum(row.values())
        say(f"{kind}, {total}: " + ", ".join(f"{name} {row[name]} ({row[name] / total:.2f})" for name in FATES))


if __name__ == "__main__":
    main()
