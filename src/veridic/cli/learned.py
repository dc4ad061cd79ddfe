"""`veridic memory`: what was learned, seen to by people."""

from dataclasses import asdict
from typing import Annotated

import typer

import veridic
from veridic.cli.gone import Group
from veridic.cli.options import JSON, with_options
from veridic.cli.saying import say, say_json, warn
from veridic.exporting.wording import counted
from veridic.settings import Settings

app = typer.Typer(
    name="memory", cls=Group, help="See to what was learned: answers that were verified.", no_args_is_help=True
)
RECORD = typer.Argument(metavar="ID | RUN", help="A record's id, or how that of its run begins.")
RECORDS = Annotated[list[str], RECORD]
STATUSES = Annotated[
    str | None,
    typer.Option("--status", metavar="NAMES", help="By commas: active, probation, review, rejected, withdrawn."),
]
NONE = "Nothing was learned yet; `veridic ask` says of each answer whether it was, and why not."


def _statuses(given: str | None, default: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(one.strip() for one in given.split(",") if one.strip()) if given is not None else default


@app.command("list")
@with_options()
def list_learned(chosen: Settings, status: STATUSES = None, as_json: JSON = False) -> None:
    """List what was learned, newest first, without what was withdrawn; what waits for review is told with the reason.

    Approve or reject what waits with `veridic memory approve` and `veridic memory reject`.
    """
    from veridic.cli.records_shown import told

    held = veridic.remembered.list_records(statuses=_statuses(status, veridic.remembered.LISTED), settings=chosen)
    if as_json:
        say_json([asdict(one) for one in held])
        return
    say("\n\n".join(map(told, held)) or (NONE if status is None else "Nothing that was learned has this status."))
    if any(one.record and one.record.status == "review" for one in held):
        say("\n`veridic memory approve ID` lets one that waits count, `veridic memory reject ID` ends it.")


@app.command()
@with_options()
def show(record: Annotated[str, RECORD], chosen: Settings, as_json: JSON = False) -> None:
    """Show one record whole: what it says, where it stands in which document, how it was judged, what became of it."""
    from veridic.cli.records_shown import shown

    held = veridic.remembered.show_record(record, settings=chosen)
    if as_json:
        say_json(asdict(held))
    else:
        say(shown(held))


@app.command()
@with_options()
def approve(references: RECORDS, chosen: Settings) -> None:
    """Make records active that wait for review or on probation.

    Exit status 1 where there is no such record, or one that was withdrawn or rejected; the others are approved.
    """
    _tell(veridic.remembered.approve(*references, settings=chosen), "active")


@app.command()
@with_options()
def reject(
    references: RECORDS,
    chosen: Settings,
    reason: Annotated[str, typer.Option(help="Why; kept with the record.")] = "",
) -> None:
    """Reject records: the same answer is not learned again, and what rests on them is withdrawn.

    Exit status 1 where there is no such record; the others are rejected.
    """
    _tell(veridic.remembered.reject(*references, reason=reason, settings=chosen), "rejected")


def _tell(settled: "veridic.remembered.Settled", status: str) -> None:
    """Say what became of each, and end with the exit status."""
    for one, became in settled.done.items():
        say(f"{one} is {became}")
    for one, stays in settled.unchanged.items():
        say(f"{one} is {stays} and stays so", err=stays != status)
    for reference in settled.unknown:
        warn(f"{reference}: no such answer was learned. List them with `veridic memory list`.")
    amiss = settled.unknown or any(stays != status for stays in settled.unchanged.values())
    raise typer.Exit(1 if amiss else 0)


@app.command()
@with_options()
def audit(
    chosen: Settings,
    everything: Annotated[bool, typer.Option("--all", help="Every record, however many there are.")] = False,
    most: Annotated[int, typer.Option("-n", min=1, help="Records, at most; the one audited longest ago first.")] = 50,
    status: Annotated[
        str, typer.Option("--status", metavar="NAMES", help="By commas: probation, active.")
    ] = "probation,active",
    resume: Annotated[
        bool, typer.Option("--resume", help="Let write-back go on: earlier audits count no more.")
    ] = False,
    seconds: Annotated[float, typer.Option(min=1, help="Seconds after which no other record is begun.")] = 600.0,
    as_json: JSON = False,
) -> None:
    """Verify what was learned anew, by its evidence and by what the documents say today.

    What holds is active from then on; what does not is withdrawn or waits for review. By 30 audits or more, write-back
    is suspended where too large a share no longer holds.
    """
    from veridic.cli.opening import progress_bar
    from veridic.cli.records_shown import audit_json, told_audit

    with progress_bar("Auditing", silent=as_json) as tell:
        done = veridic.remembered.audit(
            most=None if everything else most,
            statuses=_statuses(status, ()),
            resume=resume,
            seconds=seconds,
            settings=chosen,
            progress=lambda at, of: tell(at, of, ""),
        )
    if as_json:
        say_json(audit_json(done))
    else:
        say("\n".join(told_audit(done)))


@app.command()
@with_options()
def verify(chosen: Settings) -> None:
    """Check that the file, its index of words and what records quote hold together. Exit status 1 where they do not.

    An index of words that is not that of the chunks is made anew.
    """
    problems = veridic.remembered.verify_memory(settings=chosen)
    for one in problems:
        say(one)
    say(f"{counted(len(problems), 'problem')} found" if problems else "All of it holds together.")
    raise typer.Exit(1 if problems else 0)
