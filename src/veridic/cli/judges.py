"""`veridic score`, `calibrate`, `train` and `export`: the judges, measured and made."""

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from veridic.cli.options import settings
from veridic.errors import UsageError


class Head(StrEnum):
    """Which judge."""

    EVALUATOR = "evaluator"
    CRITIC = "critic"


class Kind(StrEnum):
    """Which model to export."""

    JUDGE = "judge"
    EMBEDDER = "embedder"


DATA = Annotated[
    Path | None, typer.Option("--data", metavar="FOLDER", help="Labelled pairs, JSONL; else VERIDIC_DATA.")
]


def score(
    judge: Annotated[Head, typer.Argument(help="Which judge.")],
    file: Annotated[Path, typer.Argument(help="JSONL rows: query and passage, or premise and hypothesis.")],
    metrics: Annotated[
        bool, typer.Option("--metrics", help="Print balanced accuracy, AUC and ECE against `label`, to standard error.")
    ] = False,
) -> None:
    """Write each row with its scores and the decision at the fitted point, as JSONL."""
    from veridic.resources import judge_folder
    from veridic.training import commands

    chosen = settings()
    found = commands.score(
        judge.value,
        file,
        folder=judge_folder(chosen),
        calibration=chosen.calibration,
        metrics=metrics,
        threads=chosen.threads,
    )
    for name, value in found.items():
        typer.echo(f"{name} {value:.4g}", err=True)


def calibrate(
    out: Annotated[Path, typer.Option("--out", help="Where the thresholds go; name it in VERIDIC_CALIBRATION.")],
    data: DATA = None,
) -> None:
    """Fit the scores' scale and the thresholds on labelled data, on the decisions they serve."""
    from veridic.resources import judge_folder
    from veridic.training import commands

    chosen = settings()
    folder = judge_folder(chosen)
    typer.echo(commands.summary(commands.calibrate(data_folder(data), folder, out=out, threads=chosen.threads)))


def train(
    out: Annotated[Path, typer.Argument(help="The run's folder; an interrupted run goes on.")],
    data: DATA = None,
    base: Annotated[Path | None, typer.Option(help="The encoder to start from; else all-MiniLM-L6-v2.")] = None,
    minutes: Annotated[float, typer.Option(min=0.1, help="Learning ends, fully decayed, after this time.")] = 90.0,
    learning_rate: Annotated[float, typer.Option(help="At its peak.")] = 1.5e-4,
    seed: Annotated[int, typer.Option(help="Order and new weights follow from it.")] = 7,
) -> None:
    """Train the judges, evaluator and critic on one encoder; needs `veridic[train]`."""
    from veridic.training import commands

    best = commands.train(
        data_folder(data),
        out,
        base=base,
        minutes=minutes,
        learning_rate=learning_rate,
        seed=seed,
        threads=settings().threads,
    )
    typer.echo(f"mean held-out balanced accuracy {best:.3f}; export with `veridic export {out / 'best.pt'} FOLDER`")


def export(
    checkpoint: Annotated[Path, typer.Argument(help="`best.pt` of a training run.")],
    out: Annotated[Path, typer.Argument(help="The model's folder; name it in VERIDIC_JUDGE.")],
    data: DATA = None,
    base: Annotated[Path | None, typer.Option(help="The encoder that training started from.")] = None,
    kind: Annotated[Kind, typer.Option(help="What to export.")] = Kind.JUDGE,
) -> None:
    """Write 8-bit ONNX, tokenizer, card and self-test; the judge is calibrated afterwards."""
    from veridic.training import commands

    card = commands.export(data_folder(data), checkpoint, out, base=base, kind=kind.value)
    typer.echo(f"{out}: fingerprint {card['fingerprint']}")


def data_folder(given: Path | None) -> Path:
    """The data folder; raises `UsageError` when there is none."""
    folder = given or Path(os.environ.get("VERIDIC_DATA", ""))
    if given is None and "VERIDIC_DATA" not in os.environ:
        raise UsageError("No data folder was named.", "Give --data FOLDER, or set VERIDIC_DATA.")
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}.", "Give --data FOLDER, or set VERIDIC_DATA.")
    return folder
