"""Which questions the shipped judges have not seen: neither trained on nor used to fit their thresholds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from veridic_lab.training.pairs import held_out
from veridic_lab.training.reading.asked import seen_questions
from veridic_lab.training.sets import labelled_files, question_set
from veridic_lab.training.splits import is_test, share_of

SPLIT_SETS = ("nq_gold", "hotpotqa", "2wiki", "musique", "clapnq", "stackexchange")
"""Question sets of which a part was trained on; only the held-out keys of these are measured."""
FITTED = 120
"""Questions of ClapNQ with an answer, and as many without, that fitted the small judge's thresholds."""


@dataclass(frozen=True)
class Unseen:
    """The split keys (normalised questions) that trained or calibrated the judges."""

    seen: frozenset[str]

    @classmethod
    def read(cls, folder: Path) -> Unseen:
        """From the data folder that the judges were made from. Raises `UsageError` when a file of it is missing."""
        seen = {
            pair.key for name, own in labelled_files(folder).items() for pair in own if not is_test(name, pair)
        } | seen_questions(folder)
        for name in ("nq_gold", "clapnq"):
            seen |= {one.key for one in question_set(folder, name) if not held_out(one.key, share_of(name))}
        return cls(frozenset(seen.union(fitted_questions(folder))))

    def allows(self, name: str, key: str) -> bool:
        """Whether a question of set `name` may be measured."""
        split = name not in SPLIT_SETS or held_out(key, share_of(name))
        return split and key not in self.seen


def fitted_questions(folder: Path) -> Iterator[str]:
    """The keys of the questions that fitted the small judge's thresholds, of which it learned nothing."""
    kept = [one for one in question_set(folder, "clapnq") if one.gold and held_out(one.key, share_of("clapnq"))]
    drawn = [kept[at] for at in np.random.default_rng(5).permutation(len(kept))]
    for answered in (True, False):
        yield from [one.key for one in drawn if one.answered == answered][:FITTED]
