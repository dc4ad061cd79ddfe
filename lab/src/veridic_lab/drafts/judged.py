"""How well judges tell faithful drafts from nearly faithful ones: every judge on the same pairs.

`python -m veridic_lab.drafts.judged ROLE` prints a row for the answer without its document, for the overlap of words,
and for each critic named.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from veridic.models.by_settings import open_deciding, open_judges
from veridic.ports.judging import Critic
from veridic.settings import Settings
from veridic.text.duplicates import coverage
from veridic_lab.drafts.examples import premise_for
from veridic_lab.drafts.hands import Document, Draft, documents
from veridic_lab.drafts.measuring import Scored, by_error, measured, paired

Pair = tuple[str, str]
Judge = Callable[[Sequence[Pair]], Sequence[float]]
"""P(the first text supports the second) of each pair."""
LONG = 40
"""Words from which a draft is long."""


def scored_by(judge: Judge, found: Sequence[Document]) -> list[Scored]:
    """Every draft, as good as its worst sentence."""
    drafts = [(one, draft) for one in found for asked in one.asked for draft in asked.drafts]
    pairs, owner = list[Pair](), list[int]()
    for at, (document, draft) in enumerate(drafts):
        for statement in draft.statements():
            pairs.append((premise_for(f"{statement.text} {draft.question}", document), statement.text))
            owner.append(at)
    least = np.ones(len(drafts))
    np.minimum.at(least, owner, np.asarray(judge(pairs), dtype=float))
    return [_scored(document, draft, float(value)) for (document, draft), value in zip(drafts, least, strict=True)]


def _scored(document: Document, draft: Draft, support: float) -> Scored:
    return Scored(f"{document.key} {draft.question}", draft.error, len(draft.text.split()), support)


def critic_judge(critic: Critic) -> Judge:
    """A critic's P(entailment)."""
    return lambda pairs: [one.entailment for one in critic.judge(list(pairs), deadline=float("inf"))]


def judges(names: Sequence[str]) -> Mapping[str, Judge]:
    """The overlap of words, and the critics of these settings: `small`, `base`, a folder, a name of the hub."""
    found: dict[str, Judge] = {"words shared": lambda pairs: [coverage(told, text) for text, told in pairs]}
    for name in names:
        settings = Settings(critic=None if name in ("small", "cascade") else name)
        opened = open_deciding(settings) if name == "cascade" else open_judges(settings, calibrated=name == "small")
        found[name] = critic_judge(opened[1])
    return found


def row_of(name: str, found: Sequence[Scored]) -> str:
    """A line of the table."""
    told = measured(found)
    short, long = ([one for one in found if (one.words >= LONG) is wanted] for wanted in (False, True))
    parts = [f"{told['auc']:.3f}", f"{told['paired']:.3f}", f"{told['balanced']:.3f}"]
    parts += [f"{paired(own):.3f}" if own else "–" for own in (short, long)]
    return f"| {name} | {' | '.join(parts)} |"


def main() -> None:
    """Print the table of a role's hands."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("role")
    options.add_argument("critics", nargs="*", default=["small"])
    options.add_argument("--every", type=int, default=1, help="of the documents")
    told = options.parse_args()
    found = documents(told.role)[:: told.every]
    print("| judge | AUC | paired | balanced | paired, short | paired, long |")  # noqa: T201
    print("|---|---|---|---|---|---|")  # noqa: T201
    for name, judge in judges(told.critics).items():
        scored = scored_by(judge, found)
        print(row_of(name, scored), flush=True)  # noqa: T201
        print(name, by_error(scored), flush=True)  # noqa: T201


if __name__ == "__main__":
    main()
