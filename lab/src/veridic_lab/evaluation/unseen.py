"""Which questions the shipped judges have not seen: neither trained on nor used to fit their thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from veridic_lab.training.cases import calibration_questions, calibration_sets
from veridic_lab.training.mixture import HALF, is_test
from veridic_lab.training.pairs import held_out
from veridic_lab.training.reading.asked import seen_questions
from veridic_lab.training.sets import labelled_files, question_set

SPLIT_SETS = ("nq_gold", "hotpotqa", "2wiki", "musique", "clapnq", "stackexchange")
"""Question sets of which a part was trained on; only the held-out keys of these are measured."""


def share_of(name: str) -> float:
    """Which share of a trained set's keys is held out."""
    return 0.5 if name in HALF else 0.1


@dataclass(frozen=True)
class Unseen:
    """The split keys (normalised questions) that trained or calibrated the judges."""

    trained: frozenset[str]
    calibrated: frozenset[str]

    @classmethod
    def read(cls, folder: Path) -> Unseen:
        """From the data folder that the judges were made from. Raises `UsageError` when a file of it is missing."""
        labelled = labelled_files(folder)
        trained = {pair.key for name, pairs in labelled.items() for pair in pairs if not is_test(name, pair)}
        for name in ("nq_gold", "clapnq"):
            questions, _ = question_set(folder, name)
            trained |= {one.key for one in questions if not held_out(one.key, share_of(name))}
        calibrated = {question.key for _, _, question in calibration_questions(calibration_sets(folder))}
        learned, fitting = seen_questions(folder)
        return cls(frozenset(trained | learned), frozenset(calibrated | fitting))

    def allows(self, name: str, key: str) -> bool:
        """Whether a question of set `name` may be measured."""
        split = name not in SPLIT_SETS or held_out(key, share_of(name))
        return split and key not in self.trained and key not in self.calibrated
