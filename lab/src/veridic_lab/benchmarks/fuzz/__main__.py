"""Each target in a process of its own, one after another, and the table at the end."""

import argparse
import json
import sys
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from veridic_lab.benchmarks.asking import say
from veridic_lab.benchmarks.fuzz import __doc__ as what
from veridic_lab.benchmarks.fuzz.running import Tally, replay, run

TARGETS = ("files", "questions")


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
        with TemporaryDirectory() as folder:
            replay(told.replay.name.split("-")[0], told.replay, Path(folder))
        return
    told.out.mkdir(parents=True, exist_ok=True)
    tallies = [_apart(name, told.minutes, told.seed, told.out) for name in told.only.split(",")]
    say("| target | cases | crashes | refused | slowest (s) | peak memory (MB) |", "|---" * 6 + "|")
    for one in tallies:
        numbers = f"{one.cases:,} | {one.crashes} | {one.refused:,} | {one.slowest:.2f} | {one.megabytes:,}"
        say(f"| {one.name} | {numbers} |", *(f"    {number} × {kind}" for kind, number in one.kinds.items()))
    sys.exit(any(one.crashes for one in tallies))


def _apart(name: str, minutes: float, seed: int, out: Path) -> Tally:
    """What a target came to in its process; one that died counts as a crash, its input is in NAME.now."""
    kept = out / f"{name}.json"
    kept.unlink(missing_ok=True)
    process = get_context("spawn").Process(target=run, args=(name, minutes, seed, out.resolve()))
    process.start()
    process.join()
    if not kept.exists():
        return Tally(name, crashes=1, kinds={f"the process ended with {process.exitcode}; see {name}.now": 1})
    return Tally(**json.loads(kept.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
