"""One target for some minutes: how many cases, what failed, which took longest, how much memory."""

import base64
import faulthandler
import json
import resource
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from veridic.errors import VeridicError

Case = dict[str, Any]
"""JSON, but that it may hold bytes."""
Attempt = Callable[[Case], None]
"""Tries a case; raises an error of ours where it was refused, `Elsewhere`, or else what makes it a failure."""

BATCH = 50
"""Cases that are made of one seed."""
KINDS_SAVED = 20
"""Of how many different failures the input is kept."""


class Elsewhere(Exception):
    """It failed in a library, before a line of ours was run."""


@dataclass(frozen=True)
class Target:
    """What is tried, and what one case may take."""

    cases: SearchStrategy[Case]
    opened: Callable[[Path], AbstractContextManager[Attempt]]
    """Of a folder for whatever it needs."""
    seconds: float
    megabytes: int


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
    """Make and try cases until the time is over."""
    tally, until = Tally(name), time.monotonic() + 60 * minutes
    with target.opened(folder / f"{name}.world") as attempt:
        for number in count(first_seed):
            if time.monotonic() >= until:
                break
            _batch(target, number, lambda case: time.monotonic() < until and _one(target, attempt, case, tally, folder))
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


def _batch(target: Target, number: int, one: Callable[[Case], object]) -> None:
    @seed(number)
    @settings(
        max_examples=BATCH,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(target.cases)
    def cases(case: Case) -> None:
        one(case)

    cases()


def _one(target: Target, attempt: Attempt, case: Case, tally: Tally, folder: Path) -> None:
    """Try a case; one that never comes back ends the process, its input on the disk."""
    (folder / f"{tally.name}.now").write_text(saved(case), encoding="utf-8")
    faulthandler.dump_traceback_later(4 * target.seconds, exit=True)
    began = time.monotonic()
    tally.cases += 1
    try:
        attempt(case)
    except VeridicError:
        tally.refused += 1
    except Elsewhere as error:
        tally.elsewhere += 1
        _count(tally, f"elsewhere: {error}")
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        _failed(tally, case, _kind(error), folder)
    faulthandler.cancel_dump_traceback_later()
    took = time.monotonic() - began
    if took > tally.slowest:
        tally.slowest, tally.slowest_case = took, saved(case)[:300]
    if took > target.seconds:
        _failed(tally, case, f"took more than {target.seconds:g} s", folder)


def _kind(error: Exception) -> str:
    """What an error is and where it was raised; of those with the same only a few inputs are kept."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} {Path(last.filename).name}:{last.lineno} {' '.join(str(error).split())[:160]}"


def _failed(tally: Tally, case: Case, kind: str, folder: Path) -> None:
    tally.crashes += 1
    if kind not in tally.kinds and len(tally.kinds) < KINDS_SAVED:
        (folder / f"{tally.name}-{tally.crashes}.case").write_text(saved(case), encoding="utf-8")
        with (folder / f"{tally.name}.failures").open("a", encoding="utf-8") as listed:
            listed.write(f"{tally.name}-{tally.crashes}.case: {kind}\n{traceback.format_exc()}\n")
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
