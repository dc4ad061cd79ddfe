"""A calibration of the judges that the settings name, on labelled pairs of one's own."""

from collections.abc import Sequence
from pathlib import Path

from veridic.errors import UsageError
from veridic.models.by_settings import judge_folder, open_judges
from veridic.models.calibrating import HEADS, LEAST, Head, Labelled, Which, logits_of, refitted
from veridic.models.calibration import Calibration
from veridic.models.scorers import TrainedCritic, TrainedEvaluator
from veridic.settings import Settings


def calibrate(pairs: Sequence[Labelled], settings: Settings, which: Which = "both") -> Calibration:
    """The present calibration of the settings' judges with scale and thresholds fitted to the pairs.

    A head with fewer than `LEAST` pairs of a class stays as it is. Decisions are maxima: over the passages of a query,
    over the premises of a hypothesis. AUC and ECE are of the pairs that were fitted, and so are hopeful. Raises
    `UsageError` where no head has enough pairs, and where both are asked for and are two models: a file is one
    scorer's.
    """
    evaluator, critic = open_judges(settings, calibrated=False)
    scorers: dict[Head, TrainedEvaluator | TrainedCritic] = {
        "relevance": evaluator,
        "usefulness": evaluator,
        "nli": critic,
    }
    fingerprints = {scorers[head].fingerprint for head in HEADS[which]}
    if len(fingerprints) > 1:
        raise UsageError("Evaluator and critic are two models here.", "Calibrate each into a file of its own.")
    base = present_calibration(settings, fingerprints.pop())
    # Those of the evaluator are both of relevance and of usefulness: few people label the two apart.
    by_head = {head: [pair for pair in pairs if pair.asks == (head != "nli")] for head in HEADS[which]}
    classes = {head: [pair.positive for pair in own] for head, own in by_head.items()}
    fitted = [head for head, told in classes.items() if min(told.count(True), told.count(False)) >= LEAST]
    if not fitted:
        raise UsageError(
            "There are too few labelled pairs.",
            f"At least {LEAST} positive and {LEAST} negative rows of one kind are needed.",
        )
    said = {head: (by_head[head], logits_of(scorers[head], by_head[head], head)) for head in fitted}
    return refitted(base, "labelled pairs of one's own", said)


def present_calibration(settings: Settings, fingerprint: str) -> Calibration:
    """The scorer's calibration in the settings' files or beside its weights; without any the identity."""
    folders = [judge_folder(settings), *(Path(name) for name in (settings.evaluator, settings.critic) if name)]
    stored = [folder / "calibration.json" for folder in folders]
    files = (*settings.calibration, *(path for path in stored if path.is_file()))
    return Calibration.among(files, fingerprint) or Calibration.identity(fingerprint)
