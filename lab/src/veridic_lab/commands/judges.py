"""`veridic train`, `export`, `fit`, `score` and `promote`: the judges, made and measured."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Literal

import typer

from veridic.cli.saying import say
from veridic.errors import MissingExtra, UsageError
from veridic.settings import Settings

Judge = Literal["both", "evaluator", "critic", "reader"]
"""Evaluator and critic share an encoder; the reader has its own."""
Learner = Literal["both", "evaluator", "critic", "reader", "base"]
"""The base judge has all heads in one."""
DATA = Annotated[
    Path | None, typer.Option("--data", metavar="FOLDER", help="Labelled pairs, JSONL; else VERIDIC_DATA.")
]


def score(
    judge: Annotated[Literal["evaluator", "critic", "reader"], typer.Argument(help="Which judge.")],
    file: Annotated[
        Path, typer.Argument(help="JSONL rows: query and passage, premise and hypothesis, or question and context.")
    ],
    metrics: Annotated[
        bool, typer.Option("--metrics", help="Print how well, against `label` or `answers`, to standard error.")
    ] = False,
) -> None:
    """Write each row with its scores and the decision at the fitted point, as JSONL."""
    from veridic_lab.training.row_scores import score as scored

    for name, value in scored(judge, file, Settings.load(), sys.stdout, metrics=metrics).items():
        say(f"{name} {value:.4g}", err=True)


def fit(
    out: Annotated[Path, typer.Option("--out", help="Where the calibration goes.")],
    judge: Annotated[Judge, typer.Argument(help="Which judge, where they are two models.")] = "both",
    data: DATA = None,
) -> None:
    """Fit scales and thresholds on whole decisions: of the standard sets, or the reader's confidence on any.

    On labelled pairs of your own: `veridic calibrate`.
    """
    if judge == "reader":
        _need("sklearn")
        from veridic_lab.training.reading import fit as reading

        say("\n".join(reading.summary(reading.fit(data_folder(data), Settings.load(), out=out))))
        return
    from veridic.models.calibrating import summary
    from veridic_lab.training.calibrate import fit as fitted

    say("\n".join(summary(fitted(data_folder(data), Settings.load(), judge, out=out))))


def train(
    judge: Annotated[Learner, typer.Argument(help="Which heads learn.")],
    out: Annotated[Path, typer.Argument(help="The run's folder; an interrupted run goes on.")],
    data: DATA = None,
    base: Annotated[Path | None, typer.Option(help="The encoder; else all-MiniLM-L6-v2.")] = None,
    start: Annotated[
        Path | None, typer.Option(help="First weights: a checkpoint, or an exported folder of a judge or reader.")
    ] = None,
    keep: Annotated[
        float, typer.Option(min=0, max=1, help="Share of the first weights in the mean that training ends with.")
    ] = 0.0,
    from_log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Labelled rows of the decision log's export.")
    ] = None,
    without: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Leave a set out.")] = None,
    weight: Annotated[list[str] | None, typer.Option(metavar="SET=W", help="How often an epoch shows a set.")] = None,
    minutes: Annotated[float, typer.Option(min=0.1, help="Learning ends, fully decayed, after this time.")] = 90.0,
    learning_rate: Annotated[float, typer.Option(help="At its peak.")] = 1.5e-4,
    dropout: Annotated[float, typer.Option(min=0, max=0.9, help="For more than one epoch: 0.1.")] = 0.0,
    bfloat16: Annotated[bool, typer.Option("--bfloat16", help="Faster on processors that multiply in it.")] = False,
    patience: Annotated[
        int, typer.Option(min=1, help="Checks, one in 250 steps, without a better held-out score before learning ends.")
    ] = 5,
    seed: Annotated[int, typer.Option(help="Order and new weights follow from it.")] = 7,
) -> None:
    r"""Train evaluator, critic or both on one encoder, or the reader on its own; needs `veridic-lab\[train]`.

    The data folder holds the standard sets, or for the judges any JSONL of labelled pairs.
    """
    _need("torch", "onnx")
    from veridic_lab.training.recipe import Recipe

    how = {"dropout": dropout, "bfloat16": bfloat16, "patience": patience, "seed": seed}
    plan = {"minutes": minutes, "learning_rate": learning_rate, **how}
    folder, left_out, weights = data_folder(data), frozenset(without or ()), dict(map(_weight, weight or ()))
    if judge == "base":
        from veridic_lab.drafts.learning import BasePlan, learn_base

        best = learn_base(out, _encoder(base), folder, BasePlan(minutes, threads=Settings.load().threads, seed=seed))
        say(f"AUC on drafts {best:.3f}; then `veridic export {out / 'best.pt'} FOLDER --kind base`")
        return
    if judge == "reader":
        from veridic_lab.training.reading.session import train_reader

        recipe = Recipe(folder, start=start, keep=keep, without=left_out, weights=weights)
        found = train_reader(recipe, out, base=base, threads=Settings.load().threads, plan=plan)
        say(f"mean held-out score {found:.3f}; export with `veridic export {out / 'reader.pt'} FOLDER --kind reader`")
        return
    from veridic.models.calibrating import HEADS
    from veridic_lab.training.log import read_log
    from veridic_lab.training.session import train_judge

    log = read_log(from_log) if from_log else None
    if log and log.unused:
        say("not used: " + ", ".join(f"{count} of {kind}" for kind, count in log.unused.items()), err=True)
    recipe = Recipe(folder, HEADS[judge], start=start, keep=keep, without=left_out, weights=weights, log=log)
    found = train_judge(recipe, out, base=base, threads=Settings.load().threads, plan=plan)
    say(f"mean held-out balanced accuracy {found:.3f}; export with `veridic export {out / 'judge.pt'} FOLDER`")


def promote(
    new: Annotated[Path, typer.Argument(help="An exported and calibrated judge.")],
    place: Annotated[Path, typer.Argument(help="The folder that VERIDIC_JUDGE names.")],
    data: DATA = None,
    from_log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The log whose held-out rows count too.")
    ] = None,
) -> None:
    """Put a judge in place if it is better than the one there, on held-out rows, and calibrated.

    Exit status 1 when it is not.
    """
    from veridic.models.onnx_encoder import OnnxEncoder
    from veridic_lab.training.promotion import promote_judge, promote_reader

    folder = data_folder(data) if data or not from_log or "VERIDIC_DATA" in os.environ else None
    found = (
        promote_reader(new, place, data_folder(data), threads=Settings.load().threads)
        if OnnxEncoder(new).card.get("kind") == "reader"
        else promote_judge(new, place, folder, from_log, threads=Settings.load().threads)
    )
    for one in found.sets:
        say(f"{one.name:<20} {one.pairs:>5} pairs  AUC {one.old:.3f} -> {one.new:.3f}")
    say(f"calibration error {found.ece:.3f}")
    say(f"{place}: promoted" if found.promoted else f"not promoted: {'; '.join(found.objections)}")
    raise typer.Exit(0 if found.promoted else 1)


def rollback(place: Annotated[Path, typer.Argument(help="The folder that VERIDIC_JUDGE names.")]) -> None:
    """Put back the judge that the last promotion replaced."""
    from veridic_lab.training.promotion import roll_back

    roll_back(place)
    say(f"{place}: the judge before is back")


def _weight(text: str) -> tuple[str, float]:
    name, _, number = text.partition("=")
    try:
        return name, float(number)
    except ValueError:
        raise UsageError(f"{text!r} is not SET=NUMBER.", "For example --weight mnli=2.") from None


def export(
    checkpoint: Annotated[Path, typer.Argument(help="`judge.pt` of a training run.")],
    out: Annotated[Path, typer.Argument(help="The model's folder; name it in VERIDIC_JUDGE.")],
    data: DATA = None,
    base: Annotated[Path | None, typer.Option(help="The encoder that training started from.")] = None,
    kind: Annotated[Literal["judge", "embedder", "reader", "base"], typer.Option(help="What to export.")] = "judge",
) -> None:
    """Write 8-bit ONNX, tokenizer, card and self-test; a judge or a reader is fitted afterwards."""
    _need("torch", "onnx")
    if kind == "base":
        from veridic_lab.drafts.exporting import export_base_from

        say(f"{out}: fingerprint {export_base_from(checkpoint, _encoder(base), out)['fingerprint']}")
        return
    from veridic_lab.training import session
    from veridic_lab.training.reading import session as reading

    card = (
        reading.export_from(data_folder(data), checkpoint, out, base=base)
        if kind == "reader"
        else session.export_from(data_folder(data), checkpoint, out, base=base, kind=kind)
    )
    say(f"{out}: fingerprint {card['fingerprint']}")


def data_folder(given: Path | None) -> Path:
    """The data folder; raises `UsageError` when there is none."""
    folder = given or Path(os.environ.get("VERIDIC_DATA", ""))
    if given is None and "VERIDIC_DATA" not in os.environ:
        raise UsageError("No data folder was named.", "Give --data FOLDER, or set VERIDIC_DATA.")
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}.", "Give --data FOLDER, or set VERIDIC_DATA.")
    return folder


def _encoder(given: Path | None) -> Path:
    """The encoder's folder; raises `UsageError` without one: all-mpnet-base-v2 is in no package that is installed."""
    if given is None:
        raise UsageError("The base judge needs its encoder.", "Give --base FOLDER with all-mpnet-base-v2's files.")
    return given


def _need(*modules: str) -> None:
    if not all(map(find_spec, modules)):
        raise MissingExtra(f"This needs {' and '.join(modules)}.", "Run `pip install 'veridic-lab[train]'`.")
