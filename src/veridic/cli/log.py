"""`veridic log` and `veridic feedback`: what earlier runs came to, and what people said of them."""

from dataclasses import asdict
from datetime import datetime
from typing import Annotated

import typer

import veridic
from veridic.cli.gone import Group
from veridic.cli.options import EXPORT, JSON, moment, with_options
from veridic.cli.saying import say, say_json, say_rows, shortened, warn
from veridic.errors import UsageError
from veridic.exporting.outgoing import for_a_line
from veridic.exporting.wording import OUTCOMES, counted
from veridic.learning.opinions import THUMBS
from veridic.settings import Settings

app = typer.Typer(name="log", cls=Group, help="What earlier runs came to.", no_args_is_help=True)
RUN = Annotated[str, typer.Argument(metavar="RUN", help="A run's id, or its first 8 characters or more.")]
UUID = [8, 4, 4, 4, 12]
"""Characters of the parts of an id of ours. The first eight are shown, by which every command knows the run."""
HEAD = ("RUN", "WHEN", "OUTCOME", "CONF", "LEARNED", "SAID", "QUESTION")
WIDTH = 60
"""Terminal cells of a text that are shown."""
ENDED, SAID = 16, 10
"""The same of an outcome, and of what somebody said: a terminal of 80 leaves 10 to the question beside both."""
SHORTEST = 0.005
"""Seconds of a step that are told, at least."""


@with_options()
def feedback(
    chosen: Settings,
    run_id: RUN,
    verdict: Annotated[str, typer.Argument(metavar="up | down | ANSWER", help="Or the right short answer.")],
    as_json: JSON = False,
) -> None:
    """Say whether a run's answer was right, or what is right, and read what followed. The newest counts."""
    given = (verdict, "") if verdict in THUMBS else ("correction", verdict)
    opinion = veridic.feedback(run_id, *given, settings=chosen)
    if as_json:
        say_json(asdict(opinion))
    else:
        say("\n  ".join([for_a_line(f"{opinion.run_id}: {opinion.question}"), *told_opinion(opinion)]))


def told_opinion(opinion: "veridic.KeptOpinion") -> list[str]:
    """What was said of a run and what followed, a line each; then where what was learned of it is seen to."""
    record = opinion.record_id
    commands = {
        "review": f"`veridic memory approve {record}` lets it count, `veridic memory reject {record}` ends it.",
        "probation": f"`veridic memory show {record}` tells what confirmed it.",
    }
    return [*map(for_a_line, opinion.followed), *filter(None, [commands.get(opinion.record_status or "")])]


@app.command("list")
@with_options()
def list_logged(
    chosen: Settings,
    outcome: Annotated[
        str | None,
        typer.Option(
            help="accepted, corrected, partial, abstained or unverified alone; or its words, as the list has them.",
            metavar="NAME",
        ),
    ] = None,
    count: Annotated[int, typer.Option("-n", min=1, help="Runs that are listed, the newest.")] = 20,
    as_json: JSON = False,
) -> None:
    """List the newest runs, newest first: how each ended, with what confidence, and whether its answer was learned.

    LEARNED is what became of the learned answer, as `veridic memory list --status` names it; - where nothing was
    learned. RUN is enough to name a run; --json has the whole id.
    """
    from veridic.cli.terminal import width

    named = next((name for name, words in OUTCOMES.items() if words == outcome), outcome)
    found = veridic.list_runs(outcome=named, limit=count, settings=chosen)
    if as_json:
        say_json([asdict(run) for run in found])
    elif found:
        say_rows([HEAD, *map(_row, found)], width())
    else:
        say("No run is logged here; `veridic ask` logs each.")


@app.command()
@with_options()
def show(chosen: Settings, run_id: RUN, export: EXPORT = None, as_json: JSON = False) -> None:
    """Print a run: what was found with its scores, what was read, the answer, sentence by sentence, and the path."""
    from veridic.api.history import logged
    from veridic.exporting.files import export_runs, free_path

    if export is not None:
        free_path(export)
    run = logged(run_id, settings=chosen)
    if as_json:
        say_json(run.result)
    else:
        _print(run.result)
    if export is not None:
        path = export_runs([run], export)
        if not as_json:
            say(f"written to {for_a_line(str(path))}")


@app.command()
@with_options()
def forget(
    chosen: Settings,
    run_ids: Annotated[list[str] | None, typer.Argument(metavar="RUN", show_default=False)] = None,
    before: Annotated[
        str | None, typer.Option(metavar="DATE", help="All runs before a day or moment, as 2026-01-31.")
    ] = None,
) -> None:
    """Take runs out of the log, with what was said of them. What was learned of them stays: see `veridic list`.

    Exit status 1 when one of the runs is not there; the others are forgotten.
    """
    if not run_ids and before is None:
        raise UsageError("No runs were named.", "Give ids of `veridic log list`, or --before DATE.")
    report = veridic.forget_runs(*run_ids or (), before=moment(before), settings=chosen)
    say(f"{counted(len(report.forgotten), 'run')} forgotten; lessons and answers that were learned of them stay")
    for run_id in report.unknown:
        warn(f"{run_id}: no such run. List them with `veridic log list`.")
    raise typer.Exit(1 if report.unknown else 0)


def _row(run: "veridic.RunSummary") -> tuple[str, ...]:
    gone = " (a document is gone)" if run.redacted else ""
    return (
        run.run_id[:8] if [*map(len, run.run_id.split("-"))] == UUID else run.run_id,
        _day_or_time(run.decided_at),
        shortened(OUTCOMES[run.outcome], ENDED),
        "-" if run.confidence is None else f"{run.confidence:.2f}",
        run.record_status or "-",
        shortened(run.said, SAID),
        shortened(run.question + gone, WIDTH),
    )


def _day_or_time(written: str) -> str:
    """A time in this machine's zone: with the hour in this year, with the year in another."""
    moment = datetime.fromisoformat(written).astimezone()
    this_year = moment.year == datetime.now(moment.tzinfo).year
    return moment.strftime("%m-%d %H:%M" if this_year else "%Y-%m-%d")


def _print(result: "veridic.Result") -> None:
    from veridic.cli.rendering import print_result
    from veridic.cli.steps import print_found
    from veridic.cli.terminal import Terminal

    console = Terminal()
    say(result["question"])
    graded = [*result["documents"], *result.get("rejected", ())]
    print_found(console, graded, result["action"], result["strips"], result["readings"])
    print_result(console, result)
    say(f"steps: {_path(result)}")
    if gone := result.get("redacted"):
        say(f"The words of {', '.join(gone)} were taken out when that was removed.")


def _path(result: "veridic.Result") -> str:
    """The nodes in order, with the seconds of all its visits where one ran last."""
    path, timings = result.get("path", []), result["timings"]
    last = {node: at for at, node in enumerate(path)}
    seconds = [
        f" {timings.get(node, 0):.2f} s" * (last[node] == at and timings.get(node, 0) >= SHORTEST)
        for at, node in enumerate(path)
    ]
    return " → ".join(node + spent for node, spent in zip(path, seconds, strict=True)) or "not kept"
