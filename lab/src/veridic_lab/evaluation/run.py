"""A run from its request to its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from veridic.context import Context
from veridic.errors import UsageError
from veridic.settings import Settings
from veridic_lab.evaluation.connected import connected
from veridic_lab.evaluation.journal import Journal
from veridic_lab.evaluation.measuring import measure
from veridic_lab.evaluation.plan import ROWS, Request, taken_up
from veridic_lab.evaluation.preparing import Bar, ready
from veridic_lab.evaluation.systems import check_systems, open_systems


def run(
    request: Request,
    settings: Settings,
    context: Context,
    *,
    data: Callable[[], Path],
    say: Callable[[str], None],
    bar: Bar,
) -> None:
    """Make the rows of a run in `request.out`, or go on where it was interrupted.

    Raises `UsageError` when the data fails a check, the folder holds another run or another process writes
    to it, and what a system raises; the same call goes on then.
    """
    check_systems(request.systems, context)
    bench = ready(request, settings, context, data=data, say=say, bar=bar)
    if bench.resources.chat:
        with bar("Preparing the chat model") as told:
            bench.resources.chat.prepare(lambda done, total: told(done, total, ""))
    taken_up(request.out, bench.plan)
    with connected(bench.resources, bench.suite.outside) as resources, _alone(request.out):
        systems = open_systems(request.systems, resources, bench.context, k=request.k)
        with bar("Asking") as told:
            measure(systems, bench.asked, Journal(request.out / ROWS), told)


@contextmanager
def _alone(out: Path) -> Iterator[None]:
    """Hold a run's folder: two runs would ask the same questions and mix their lines. Raises `UsageError`."""
    try:
        with FileLock(out / ".lock").acquire(timeout=0):
            yield
    except Timeout as error:
        raise UsageError(f"Another run is writing to {out}.", "Wait for it, or name another folder.") from error
