"""Each target for some minutes: how many cases, what failed, which took longest, how much memory."""

import argparse
import ast
import faulthandler
import resource
import sys
import time
import traceback
from collections import Counter
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy
from langgraph.errors import EmptyInputError, InvalidUpdateError

from veridic.errors import VeridicError
from veridic_lab.benchmarks.asking import say
from veridic_lab.benchmarks.fuzz import __doc__ as what
from veridic_lab.benchmarks.fuzz.files import FILES
from veridic_lab.benchmarks.fuzz.questions import QUESTIONS
from veridic_lab.benchmarks.fuzz.target import Attempt, Case, Target

TARGETS = {"files": FILES, "questions": QUESTIONS}
BATCH = 50
"""Cases that are made of one seed."""
REFUSED = (VeridicError, EmptyInputError, InvalidUpdateError)
"""Errors of ours, and what LangGraph says of an input that is none."""


def main() -> None:
    """Run the targets that were asked for."""
    options = argparse.ArgumentParser(description=(what or "").splitlines()[0])
    options.add_argument("--minutes", type=float, default=10.0)
    options.add_argument("--only", default=",".join(TARGETS))
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--out", type=Path, default=Path("runs/fuzz"))
    options.add_argument("--replay", type=Path)
    told = options.parse_args()
    if told.replay:
        target = TARGETS[told.replay.name.split("-")[0]]
        with TemporaryDirectory() as folder, target.opened(Path(folder)) as attempt:
            attempt(ast.literal_eval(told.replay.read_text(encoding="utf-8", errors="surrogatepass")))
        return
    told.out.mkdir(parents=True, exist_ok=True)
    say("| target | cases | refused | crashes | slowest (s) | peak memory (MB) |", "|---" * 6 + "|")
    failed = [run(name, TARGETS[name], told.minutes, told.seed, told.out) for name in told.only.split(",")]
    sys.exit(any(failed))


def run(name: str, target: Target, minutes: float, first: int, out: Path) -> int:
    """Make and try cases until the time is over, and print what came of them; returns how many failed.

    The input of each kind of failure is kept. A case that never comes back ends the process; its input is in NAME.now.
    """
    counted, kinds, slowest, until = Counter[str](), Counter[str](), 0.0, time.monotonic() + 60 * minutes
    with TemporaryDirectory() as folder, target.opened(Path(folder)) as attempt:
        for case in (case for number in count(first) for case in made(target.cases, number)):
            if time.monotonic() >= until:
                break
            faulthandler.dump_traceback_later(4 * target.seconds, exit=True)
            kept, began = _kept(out / f"{name}.now", case), time.monotonic()
            came, slow = tried(attempt, case), time.monotonic() - began
            came = came or (f"took more than {target.seconds:g} s" if slow > target.seconds else "")
            slowest = max(slowest, slow)
            counted["refused" if came == "refused" else "failed" if came else "tried"] += 1
            if came not in ("", "refused"):
                kinds[came] += 1
                kept.rename(out / f"{name}-{len(kinds)}.case")
        faulthandler.cancel_dump_traceback_later()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    numbers = f"{counted.total():,} | {counted['refused']:,} | {counted['failed']} | {slowest:.2f} | {memory:,}"
    say(f"| {name} | {numbers} |", *(f"    {number} × {kind}" for kind, number in kinds.items()))
    return counted["failed"]


def made(strategy: SearchStrategy[Case], number: int) -> list[Case]:
    """The cases of one seed."""
    found: list[Case] = []

    @seed(number)
    @settings(max_examples=BATCH, database=None, deadline=None, phases=[Phase.generate],
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(strategy)
    def collect(case: Case) -> None:
        found.append(case)

    collect()
    return found


def tried(attempt: Attempt, case: Case) -> str:
    """What became of a case: nothing, `refused`, or what failed and where."""
    try:
        attempt(case)
    except REFUSED:
        return "refused"
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        last = traceback.extract_tb(error.__traceback__)[-1]
        said = " ".join(str(error).split())[:160]
        return f"{type(error).__name__} {Path(last.filename).name}:{last.lineno} {said}"
    return ""


def _kept(file: Path, case: Case) -> Path:
    file.write_text(repr(case), encoding="utf-8", errors="surrogatepass")
    return file


if __name__ == "__main__":
    main()
