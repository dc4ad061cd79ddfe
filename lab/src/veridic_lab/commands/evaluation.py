"""`veridic eval`: the systems measured, reported and explained."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veridic.cli.options import BASE_URL, CHOICES, MODEL, with_options
from veridic.cli.saying import say, say_json
from veridic.context import Context
from veridic.settings import Settings
from veridic_lab.commands.judges import DATA, data_folder

if TYPE_CHECKING:
    from veridic_lab.evaluation.plan import Request

app = typer.Typer(name="eval", help="Measure the agent against plain RAG.", no_args_is_help=True)
RUN = Annotated[Path, typer.Argument(metavar="DIR", help="A run's folder.")]
NAMES = Annotated[
    str,
    typer.Option(
        metavar="NAMES",
        help="By commas, of `veridic systems` and the bench's own; the others are compared with the first. "
        "NAME:field=value,field=value sets choices.",
    ),
]


@app.command()
@with_options(choices=CHOICES)
def run(
    suite: Annotated[str, typer.Argument(help="answers, linked, outside, speed, or your own JSONL.")],
    out: Annotated[Path, typer.Option("--out", help="The run's folder; an interrupted run goes on.")],
    context: Context,
    docs: Annotated[Path | None, typer.Option(metavar="FOLDER", help="The documents of your own questions.")] = None,
    systems: NAMES = "standard_rag,always_abstains,pastes_best,veridic",
    model: MODEL = None,
    base_url: BASE_URL = None,
    limit: Annotated[int, typer.Option(min=1, help="Questions asked of each system, at most.")] = 100,
    seed: Annotated[int, typer.Option(help="Which questions are drawn.")] = 7,
    documents: Annotated[
        int | None, typer.Option(min=1, help="Documents of a suite, at most; fewer make retrieval easier.")
    ] = None,
    k: Annotated[int, typer.Option("--k", min=1, max=50, help="Passages that plain RAG reads.")] = 3,
    as_json: Annotated[bool, typer.Option("--json", help="Print every metric with its interval as JSON.")] = False,
    data: DATA = None,
) -> None:
    """Ask the questions of a suite of each system, and keep every result.

    `--model extractive` needs no model. Killed, it goes on where it was.
    """
    from veridic.cli.opening import progress_bar
    from veridic_lab.evaluation.plan import Request
    from veridic_lab.evaluation.presets import names_in
    from veridic_lab.evaluation.run import run as make

    chosen = Settings.load(base_url=base_url)
    request = Request(
        suite=suite,
        folder=docs,
        systems=names_in(systems),
        model=model or chosen.model,
        limit=limit,
        seed=seed,
        out=out,
        documents=documents,
        k=k,
    )
    make(request, chosen, context, data=lambda: data_folder(data), say=_say, bar=progress_bar)
    _show(request, as_json=as_json)


@app.command()
def report(out: RUN) -> None:
    """Write the run as Markdown: tables with intervals, settings, fingerprints, the worst cases."""
    from veridic_lab.evaluation.report import report as written

    say(written(out), end="")


@app.command()
def explain(out: RUN) -> None:
    """Say where the errors come from on this data, and whether correction pays."""
    from veridic_lab.evaluation.explain import explained

    say(explained(out))


def _say(line: str) -> None:
    say(line, err=True)


def _show(request: "Request", *, as_json: bool) -> None:
    from veridic_lab.evaluation.summary import summarised

    found = summarised(request.out)
    if as_json:
        say_json(found)
        return
    for name, metrics in found["systems"].items():
        shown = (f"{metric} {_brief(metrics.get(metric))}" for metric in ("handled", "right", "wrong", "abstained"))
        times = f"p50 {_brief(metrics['seconds_p50'])} s"
        say(f"{name}: {', '.join([*shown, times]) if 'handled' in metrics else times}")
    say(f"veridic eval report {request.out}{os.linesep}veridic eval explain {request.out}")


def _brief(interval: dict[str, Any] | None) -> str:
    return "-" if interval is None else f"{interval['value']:.3f} [{interval['low']:.3f}, {interval['high']:.3f}]"
