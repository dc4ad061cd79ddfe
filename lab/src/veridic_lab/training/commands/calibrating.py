"""`veridic calibrate`, as plain functions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from veridic.errors import UsageError
from veridic.models.embedder import OnnxEmbedder
from veridic.settings import Settings
from veridic_lab.training.commands.heads import HEADS, AnyHead

if TYPE_CHECKING:
    from veridic_lab.training.calibrate import Fitted


def calibrate(data: Path, settings: Settings, head: AnyHead = "both", *, out: Path) -> Fitted:
    """Fit scales and thresholds of the settings' judges on labelled data; write and return them.

    A folder with the standard sets is used as they are meant, held-out rows only, with
    decisions built over a merged corpus. Any other folder's JSONL pairs are used as they
    stand, over the judge's present calibration. Raises `UsageError` when both heads are
    asked for and have different weights: a file is one scorer's.
    """
    from veridic_lab.training.calibrate import calibrated_on_standard
    from veridic_lab.training.own import calibrated_on, labelled_in
    from veridic_lab.training.recipe import is_standard
    from veridic_lab.training.scoring import RawScorer, present_calibration

    scorer = RawScorer.open(settings)
    heads = HEADS[head]
    fingerprints = {scorer.fingerprint(name) for name in heads}
    if len(fingerprints) > 1:
        raise UsageError("Evaluator and critic are two models here.", "Calibrate each into a file of its own.")
    base = present_calibration(settings, fingerprints.pop())
    if is_standard(data):
        found = calibrated_on_standard(scorer, base, heads, data, OnnxEmbedder(threads=settings.threads))
    else:
        found = calibrated_on(scorer, base, heads, labelled_in(data))
    found.calibration.write(out)
    return found


def summary(found: Fitted) -> str:
    """A calibration in a few lines, with its curves."""
    calibration = found.calibration
    lines = [f"scorer {calibration.fingerprint}, fitted {calibration.date}"]
    for name, point in calibration.thresholds.items():
        values = ", ".join(f"{key} {value:.3f}" for key, value in vars(point).items())
        lines.append(f"{name}: {values}")
    lines.append("AUC: " + ", ".join(f"{key} {value:.3f}" for key, value in calibration.auc.items()))
    lines.append("ECE: " + ", ".join(f"{key} {value:.3f}" for key, value in calibration.ece.items()))
    return "\n".join((*lines, *found.curves))
