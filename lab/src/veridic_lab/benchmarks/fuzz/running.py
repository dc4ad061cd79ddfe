"""One target for some minutes: how many cases, what failed, which took longest, how much memory."""

import base64
import faulthandler
import json
import resource
import time
import traceback
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass, field
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy
from langgraph.errors import EmptyInputError, InvalidUpdateError

from veridic.errors import VeridicError

Case = dict[str, Any]
"""JSON, but that it may hold bytes."""
Attempt = Callable[[Case], None]
"""Tries a case; raises an error of ours where it was refused, or else what makes it a failure."""

BATCH = 50
"""Cases that are made of one seed."""
KINDS_SAVED = 20
"""Of how many different failures the input is kept."""
REFUSED = (VeridicError, EmptyInputError, InvalidUpdateError)
"""Errors of ours, and what LangGraph says of an input that is none."""


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
    crashes: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    """Failures by their last line."""
    slowest: float = 0.0
    megabytes: int = 0


def run(name: str, minutes: float, first_seed: int, folder: Path) -> Tally:
    """Make and try cases until the time is over; a case that never comes back ends the process."""
    target, tally, until = _named(name), Tally(name), time.monotonic() + 60 * minutes
    with target.opened(folder / f"{name}.world") as attempt:
        for case in (case for number in count(first_seed) for case in _made(target.cases, number)):
            if time.monotonic() >= until:
                break
            faulthandler.dump_traceback_later(4 * target.seconds, exit=True)
            _one(target, attempt, case, tally, folder)
        faulthandler.cancel_dump_traceback_later()
    own, started = (resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    tally.megabytes = (own + started) // 1024
    if tally.megabytes > target.megabytes:
        _failed(tally, {}, f"{tally.megabytes} MB of memory", folder)
    (folder / f"{name}.json").write_text(json.dumps(asdict(tally)), encoding="utf-8")
    return tally


def _named(name: str) -> Target:
    """The target of a module of this package."""
    target: Target = import_module(f"veridic_lab.benchmarks.fuzz.{name}").TARGET
    return target


def replay(name: str, path: Path, folder: Path) -> None:
    """Try a case that was saved; raises what it raises."""
    with _named(name).opened(folder) as attempt:
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
    @settings(max_examples=BATCH, database=None, deadline=None, phases=[Phase.generate],
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(strategy)
    def collect(case: Case) -> None:
        made.append(case)

    collect()
    return made


def _one(target: Target, attempt: Attempt, case: Case, tally: Tally, folder: Path) -> None:
    """Try a case, its input on the disk while it is tried."""
    now = folder / f"{tally.name}.now"
    now.write_text(saved(case), encoding="utf-8")
    began = time.monotonic()
    tally.cases += 1
    try:
        attempt(case)
    except REFUSED:
        tally.refused += 1
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        _failed(tally, case, _kind(error), folder, error)
    took = time.monotonic() - began
    now.unlink()
    tally.slowest = max(took, tally.slowest)
    if took > target.seconds:
        _failed(tally, case, f"took more than {target.seconds:g} s", folder)


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
    tally.kinds[kind] = tally.kinds.get(kind, 0) + 1
