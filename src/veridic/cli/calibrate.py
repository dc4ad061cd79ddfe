"""`veridic calibrate`: thresholds of the judges, fitted to labelled pairs of one's own."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from veridic.cli.saying import say
from veridic.settings import Settings


def calibrate(
    data: Annotated[Path, typer.Option("--data", metavar="PATH", help="Labelled pairs: a JSONL file, or a folder.")],
    out: Annotated[Path, typer.Option("--out", help="Where the thresholds go; name it in VERIDIC_CALIBRATION.")],
    judge: Annotated[
        Literal["both", "evaluator", "critic"], typer.Argument(help="Which judge, where they are two models.")
    ] = "both",
) -> None:
    """Fit the scores' scale and the thresholds of evaluator and critic to labelled pairs.

    A row is a query, a passage and a label 0 or 1, or a premise, a hypothesis and a label: entailment, neutral,
    contradiction or not_entailment. At least 20 of each class are needed.
    """
    from veridic.models.by_settings import calibrate as fitted
    from veridic.models.calibrating import labelled_pairs, summary

    found = fitted(labelled_pairs(data), Settings.load(), judge)
    found.write(out)
    say("\n".join(summary(found)))
