"""Judges where the settings place them: in this process, at a judge service, or at text-embeddings-inference."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from veridic.models.calibration import Calibration
from veridic.models.cross_encoder import ExportedJudge, OnnxJudge
from veridic.models.embedder import OnnxEmbedder
from veridic.models.endpoint import Endpoint, endpoint_at
from veridic.models.hub_scorer import HubScorer
from veridic.models.reader import ExportedReader, OnnxReader
from veridic.models.reader_calibration import ReaderCalibration
from veridic.models.remote import RemoteJudge, RemoteReader
from veridic.models.tei import TeiScorer
from veridic.runtime.kept import Kept
from veridic.settings import TEI_PREFIX, Settings


def open_exported(
    folder: Path,
    settings: Settings,
    *,
    calibration: Calibration | Path | None = None,
    self_testing: bool = True,
    embedder: OnnxEmbedder | None = None,
) -> ExportedJudge:
    """The judge of a folder; see `ExportedJudge`."""
    how: dict[str, Any] = {"threads": settings.threads, "cache": settings.cache, "calibration": calibration}
    how |= {"self_testing": self_testing, "embedder": embedder}
    if settings.judges_at:
        return RemoteJudge(folder, judge_service(settings), **how)
    return OnnxJudge(folder, **how)


def open_exported_reader(
    folder: Path, settings: Settings, *, calibration: ReaderCalibration | Path, self_testing: bool = True
) -> ExportedReader:
    """The reader of a folder; see `ExportedReader`."""
    how: dict[str, Any] = {"threads": settings.threads, "cache": settings.cache, "calibration": calibration}
    how |= {"self_testing": self_testing}
    if settings.judges_at:
        return RemoteReader(folder, judge_service(settings), **how)
    return OnnxReader(folder, **how)


def open_hub(name: str, settings: Settings, calibrations: Sequence[Path] | None = None) -> HubScorer:
    """A model of the hub, run here or, where `tei:` stands before an address, by text-embeddings-inference.

    With calibrations, be there none, it decides by one of them or by what it finds of itself, which is kept.
    """
    how: dict[str, Any] = {}
    if calibrations is not None:
        how = {"calibrations": calibrations, "kept": Kept(settings.cache / "calibrations")}
    if name.startswith(TEI_PREFIX):
        return TeiScorer(endpoint_at(name.removeprefix(TEI_PREFIX), _key(settings)), **how)
    return HubScorer(name, **how)


def judge_service(settings: Settings) -> Endpoint:
    """The service that the settings name; nothing is asked of it yet."""
    return endpoint_at(settings.judges_at or "", _key(settings))


def _key(settings: Settings) -> str:
    return settings.judges_key.get_secret_value() if settings.judges_key else ""
