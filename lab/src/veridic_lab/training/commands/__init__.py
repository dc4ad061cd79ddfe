"""What the commands about judges do, as plain functions."""

from veridic_lab.training.commands.calibrating import calibrate, summary
from veridic_lab.training.commands.heads import HEADS, AnyHead
from veridic_lab.training.commands.learning import export, held_out_sets, promote, teach, train
from veridic_lab.training.commands.reading import (
    calibrate_reader,
    export_reader,
    promote_reader,
    reader_summary,
    score_reader,
    train_reader,
)
from veridic_lab.training.commands.scoring import score

__all__ = [
    "HEADS",
    "AnyHead",
    "calibrate",
    "calibrate_reader",
    "export",
    "export_reader",
    "held_out_sets",
    "promote",
    "promote_reader",
    "reader_summary",
    "score",
    "score_reader",
    "summary",
    "teach",
    "train",
    "train_reader",
]
