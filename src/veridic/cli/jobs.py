"""`veridic worker` and `veridic jobs`: files that were queued, taken in by who has time, and what became of them."""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from veridic.cli.gone import Group
from veridic.cli.options import JSON, KB, with_options
from veridic.cli.saying import say, say_json, say_rows, warn, when
from veridic.errors import UsageError
from veridic.exporting.outgoing import for_a_line
from veridic.exporting.wording import counted
from veridic.ports.jobs import JobState
from veridic.settings import Settings

if TYPE_CHECKING:
    from veridic.knowledge.jobs import Ended, Job, JobCounts

app = typer.Typer(name="jobs", cls=Group, help="Files that were queued, and what became of them.", no_args_is_help=True)
HEAD = ("JOB", "STATE", "TRIED", "SINCE", "PATH", "")
IDS = Annotated[list[int], typer.Argument(metavar="JOB", help="A job's number.", show_default=False)]


def worker(
    kb: KB = None,
    namespace: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Take jobs of this one alone, may be given again; else all."),
    ] = None,
    grace: Annotated[int, typer.Option(min=0, max=3600, help="Seconds for the job in hand at the end.")] = 20,
    until_empty: Annotated[bool, typer.Option("--until-empty", help="End as soon as no job waits.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only what could not be taken in.")] = False,
) -> None:
    """Take in the files that `veridic ingest --queue` queued, one after another, until Ctrl-C or SIGTERM.

    Any number of workers may run, on any machine that reaches the database and the files. What a worker had that was
    killed is taken by another one after half a minute. A job is tried five times where what failed may pass.
    """
    from veridic.api.queueing import work
    from veridic.knowledge.jobs import Pace

    def tell(ended: "Ended") -> None:
        """Print what came of one attempt."""
        line = f"{ended.id} {ended.path}: {' '.join(filter(None, (ended.outcome, ended.reason)))}"
        if ended.reason:
            warn(line)
        elif not quiet:
            say(for_a_line(line))

    chosen = Settings.load(kb=kb)
    work(settings=chosen, namespaces=namespace or (), until_empty=until_empty, tell=tell, pace=Pace(grace=float(grace)))


@app.command("list")
@with_options()
def list_jobs(
    chosen: Settings,
    ids: Annotated[
        list[int] | None, typer.Argument(metavar="JOB", help="Only these, by their numbers.", show_default=False)
    ] = None,
    state: Annotated[JobState | None, typer.Option(help="Only those in this state.", show_default=False)] = None,
    count: Annotated[int, typer.Option("-n", min=1, help="Jobs that are listed, the newest.")] = 20,
    as_json: JSON = False,
) -> None:
    """Say how many jobs wait, run, are done and failed, and list the newest: of failed ones with the reason."""
    from veridic.api.queueing import queue_status

    found = queue_status(ids=ids or (), state=state, limit=len(ids) if ids else count, settings=chosen)
    if as_json:
        say_json(asdict(found))
        return
    say(told_counts(found.counts))
    if found.jobs:
        say_rows([HEAD, *map(_row, found.jobs)])


@app.command()
@with_options()
def retry(
    chosen: Settings,
    ids: Annotated[list[int] | None, typer.Argument(metavar="JOB", help="Their numbers.", show_default=False)] = None,
    failed: Annotated[bool, typer.Option("--all", help="All that failed.")] = False,
) -> None:
    """Queue jobs again that failed.

    Exit status 1 where one of these did not fail; the others are queued.
    """
    from veridic.api.queueing import retry_jobs

    if bool(ids) == failed:
        raise UsageError("Which jobs are meant?", "Name them by their numbers, or all that failed with --all.")
    _tell(retry_jobs(None if failed else ids, settings=chosen), ids or [], "queued again", "has not failed")


@app.command()
@with_options()
def remove(ids: IDS, chosen: Settings) -> None:
    """Remove jobs that wait, are done or failed. What was taken in stays.

    Exit status 1 where one of these runs, or there is none; the others are removed.
    """
    from veridic.api.queueing import remove_jobs

    _tell(remove_jobs(ids, settings=chosen), ids, "removed", "runs, or is none")


def told_counts(counts: "JobCounts") -> str:
    """How a queue is, in a line."""
    states = (f"{getattr(counts, state):,} {state}" for state in get_args(JobState))
    return f"{', '.join(states)}; {counted(counts.workers, 'worker')}"


def told_ids(ids: Sequence[int]) -> str:
    """`3 to 7, 9`."""
    runs = [
        [one for _, one in run] for _, run in groupby(enumerate(sorted(ids)), key=lambda placed: placed[1] - placed[0])
    ]
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def _row(job: "Job") -> tuple[str, ...]:
    told = job.reason or job.outcome
    return str(job.id), job.state, str(job.attempts), when(job.changed_at), job.path, told


def _tell(changed: Sequence[int], asked: Sequence[int], what: str, why_not: str) -> None:
    if changed or not asked:
        say(f"{counted(len(changed), 'job')} {what}{f': {told_ids(changed)}' if changed else ''}")
    for one in asked:
        if one not in changed:
            warn(f"Job {one} {why_not}. `veridic jobs list` tells how each is.")
    raise typer.Exit(0 if set(asked) <= set(changed) else 1)
