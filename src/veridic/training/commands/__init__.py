"""What the commands about judges do, as plain functions."""

from veridic.training.commands.calibrating import calibrate, summary
from veridic.training.commands.heads import HEADS, AnyHead
from veridic.training.commands.learning import export, held_out_sets, promote, teach, train
from veridic.training.commands.scoring import score

__all__ = [
    "HEADS",
    "AnyHead",
    "calibrate",
    "export",
    "held_out_sets",
    "promote",
    "score",
    "summary",
    "teach",
    "train",
]
