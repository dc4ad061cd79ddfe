"""Which judges the settings name, with their thresholds."""

from pathlib import Path

from veridic.models.calibration import Calibration
from veridic.models.cross_encoder import OnnxCritic, OnnxEvaluator, OnnxJudge, judge_fingerprint
from veridic.models.embedder import OnnxEmbedder
from veridic.models.hf import CrossEncoderCritic, CrossEncoderEvaluator
from veridic.models.onnx_encoder import SHIPPED, OnnxEncoder
from veridic.settings import Settings

AnyEvaluator = OnnxEvaluator | CrossEncoderEvaluator
AnyCritic = OnnxCritic | CrossEncoderCritic


def judge_folder(settings: Settings) -> Path:
    """Where the trained judge's files are: the settings' own, else the shipped ones."""
    return Path(settings.judge) if settings.judge and settings.grading_model is None else SHIPPED / "judge"


def open_judges(
    settings: Settings, *, calibrated: bool = True, embedder: OnnxEmbedder | None = None
) -> tuple[AnyEvaluator, AnyCritic]:
    """Both trained judges, over one encoder unless the settings name another for one of them.

    `embedder` is the shipped one, where it is open already.

    Uncalibrated they can be measured and fitted, whatever thresholds lie about. Raises
    `CalibrationMismatch` when the settings' thresholds are another scorer's.
    """
    calibrations = settings.calibration if calibrated else ()
    shared = _exported(judge_folder(settings), settings, embedder, calibrated=calibrated)
    evaluator: AnyEvaluator = OnnxEvaluator(shared)
    critic: AnyCritic = OnnxCritic(shared)
    if name := settings.evaluator:
        evaluator = (
            OnnxEvaluator(_exported(Path(name), settings, embedder, calibrated=calibrated))
            if _is_exported(name)
            else CrossEncoderEvaluator(name, calibrations=calibrations)
        )
    if name := settings.critic:
        critic = (
            OnnxCritic(_exported(Path(name), settings, embedder, calibrated=calibrated))
            if _is_exported(name)
            else CrossEncoderCritic(name, calibrations=calibrations)
        )
    return evaluator, critic


def _is_exported(name: str) -> bool:
    """Whether the name is a folder that `veridic export` wrote."""
    return (Path(name) / "card.json").is_file()


def _exported(folder: Path, settings: Settings, embedder: OnnxEmbedder | None, *, calibrated: bool) -> OnnxJudge:
    embedder = embedder or OnnxEmbedder(threads=settings.threads)
    fingerprint = judge_fingerprint(OnnxEncoder(folder), embedder)
    own = _own_thresholds(settings, fingerprint) if calibrated else Calibration.identity(fingerprint)
    return OnnxJudge(folder, threads=settings.threads, calibration=own, self_testing=calibrated, embedder=embedder)


def _own_thresholds(settings: Settings, fingerprint: str) -> Calibration | Path | None:
    """Of the settings' files the scorer's own. Beside another scorer it may have none; alone it must."""
    alone = not (settings.evaluator or settings.critic)
    foreign = settings.calibration[0] if alone and settings.calibration else None
    return Calibration.among(settings.calibration, fingerprint) or foreign
