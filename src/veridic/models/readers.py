"""Which reader the settings name, with its calibration."""

from pathlib import Path

from veridic.models.hf_reader import QuestionAnsweringReader
from veridic.models.onnx_encoder import SHIPPED, OnnxEncoder
from veridic.models.reader import OnnxReader
from veridic.models.reader_calibration import ReaderCalibration
from veridic.settings import Settings

AnyReader = OnnxReader | QuestionAnsweringReader


def open_reader(settings: Settings, *, calibrated: bool = True) -> AnyReader:
    """The shipped reader, an exported folder, or a question-answering model of transformers (`veridic[hf]`).

    Uncalibrated it can be measured and fitted. Raises `CalibrationMismatch` when the folder's calibration is another
    reader's.
    """
    name = settings.reader
    if name and not (Path(name) / "card.json").is_file():
        return QuestionAnsweringReader(name, calibration=settings.reader_calibration if calibrated else None)
    folder = Path(name) if name else SHIPPED / "reader"
    own = settings.reader_calibration if calibrated else ReaderCalibration.identity(OnnxEncoder(folder).fingerprint)
    return OnnxReader(folder, threads=settings.threads, calibration=own, self_testing=calibrated)
