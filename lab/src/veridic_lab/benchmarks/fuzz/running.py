"""One target for some minutes: how many cases, what failed, which took longest, how much memory."""

import base64
import faulthandler
import json
import resource
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from threading import Lock, get_ident
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy
from langgraph.errors import EmptyInputError, InvalidUpdateError

import veridic
from veridic.errors import VeridicError

Case = dict[str, Any]
"""JSON, but that it may hold bytes."""
Attempt = Callable[[Case], None]
"""Tries a case; raises an error of ours where it was refused, `Elsewhere`, or else what makes it a failure."""

BATCH = 50
"""Cases that are made of one seed."""
KINDS_SAVED = 20
"""Of how many different failures the input is kept."""
REFUSED = (VeridicError, EmptyInputError, InvalidUpdateError)
"""Errors of ours, and what LangGraph says of an input that is none."""
OURS = Path(veridic.__file__).parent
"""The folder in which our modules lie."""
COUNTING = Lock()


class Elsewhere(Exception):
    """It failed in a library where no line of ours was run."""


@dataclass(frozen=True)
class Target:
    """What is tried, and what one case may take."""

    cases: SearchStrategy[Case]
    opened: Callable[[Path], AbstractContextManager[Attempt]]
    """Of a folder for whatever it needs."""
    seconds: float
    megabytes: int
    at_once: int = 1
    """How many cases are tried side by side, where what answers them waits more than it works."""


@dataclass
class Tally:
    """What became of the cases of one target."""

    name: str
    cases: int = 0
    refused: int = 0
    elsewhere: int = 0
    crashes: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    """Failures by their last line, and those elsewhere."""
    slowest: float = 0.0
    slowest_case: str = ""
    megabytes: int = 0


def run(name: str, target: Target, minutes: float, first_seed: int, folder: Path) -> Tally:
    """Make and try cases until the time is over; a case that never comes back ends the process."""
    tally, until = Tally(name), time.monotonic() + 60 * minutes

    def one(case: Case) -> None:
        if time.monotonic() < until:
            faulthandler.dump_traceback_later(4 * target.seconds, exit=True)
            _one(target, attempt, case, tally, folder)

    with target.opened(folder / f"{name}.world") as attempt, ThreadPoolExecutor(target.at_once) as pool:
        for number in count(first_seed):
            if time.monotonic() >= until:
                break
            list(pool.map(one, _made(target.cases, number)))
        faulthandler.cancel_dump_traceback_later()
    tally.megabytes = _peak()
    if tally.megabytes > target.megabytes:
        _failed(tally, {}, f"{tally.megabytes} MB of memory", folder)
    (folder / f"{name}.json").write_text(json.dumps(asdict(tally)), encoding="utf-8")
    return tally


def replay(target: Target, path: Path, folder: Path) -> None:
    """Try a case that was saved; raises what it raises."""
    with target.opened(folder) as attempt:
        attempt(loaded(path))


def saved(case: Case) -> str:
    """A case as text."""
    return json.dumps(case, default=lambda given: {"base64": base64.b64encode(given).decode()})


def loaded(path: Path) -> Case:
    """A case from its file."""
    case: Case = json.loads(
        path.read_text(encoding="utf-8"),
        object_hook=lambda given: base64.b64decode(given["base64"]) if given.keys() == {"base64"} else given,
    )
    return case


def _made(strategy: SearchStrategy[Case], number: int) -> list[Case]:
    """The cases of one seed."""
    made: list[Case] = []

    @seed(number)
    @settings(
        max_examples=BATCH,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(case: Case) -> None:
        made.append(case)

    collect()
    return made


def _one(target: Target, attempt: Attempt, case: Case, tally: Tally, folder: Path) -> None:
    """Try a case, its input on the disk while it is tried."""
    now = folder / f"{tally.name}.{get_ident()}.now"
    now.write_text(saved(case), encoding="utf-8")
    began = time.monotonic()
    refused, failed = None, None
    try:
        attempt(case)
    except REFUSED as error:
        refused = error
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        failed = error
    took = time.monotonic() - began
    now.unlink()
    with COUNTING:
        tally.cases += 1
        tally.refused += refused is not None
        if took > tally.slowest:
            tally.slowest, tally.slowest_case = took, saved(case)[:300]
            (folder / f"{tally.name}-slowest.case").write_text(saved(case), encoding="utf-8")
        if failed and _is_elsewhere(failed):
            tally.elsewhere += 1
            _count(tally, f"elsewhere: {_kind(failed)}")
        elif failed:
            _failed(tally, case, _kind(failed), folder, failed)
        elif took > target.seconds:
            _failed(tally, case, f"took more than {target.seconds:g} s", folder)


def _is_elsewhere(error: Exception) -> bool:
    """Whether no line of ours stands in its traceback; what is asserted here is always a failure."""
    frames = (Path(frame.filename) for frame in traceback.extract_tb(error.__traceback__))
    return not isinstance(error, AssertionError) and not any(frame.is_relative_to(OURS) for frame in frames)


def _kind(error: Exception) -> str:
    """What an error is and where it was raised; of those with the same only a few inputs are kept."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} {Path(last.filename).name}:{last.lineno} {' '.join(str(error).split())[:160]}"


def _failed(tally: Tally, case: Case, kind: str, folder: Path, error: Exception | None = None) -> None:
    tally.crashes += 1
    if kind not in tally.kinds and len(tally.kinds) < KINDS_SAVED:
        name = f"{tally.name}-{tally.crashes}.case"
        (folder / name).write_text(saved(case), encoding="utf-8")
        with (folder / f"{tally.name}.failures").open("a", encoding="utf-8") as listed:
            listed.write(f"{name}: {kind}\n{''.join(traceback.format_exception(error)) if error else ''}\n")
    _count(tally, kind)


def _count(tally: Tally, kind: str) -> None:
    tally.kinds[kind] = tally.kinds.get(kind, 0) + 1


def _peak() -> int:
    """The most memory that this process and the largest of those it started held, in MB."""
    both = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(both) // 1024


def table(tallies: Iterator[Tally]) -> Iterator[str]:
    """The lines of the table, in Markdown."""
    yield "| target | cases | crashes | refused | failed elsewhere | slowest (s) | peak memory (MB) |"
    yield "|---|---|---|---|---|---|---|"
    for one in tallies:
        yield (
            f"| {one.name} | {one.cases:,} | {one.crashes} | {one.refused:,} | {one.elsewhere} | {one.slowest:.2f} "
            f"| {one.megabytes:,} |"
        )
