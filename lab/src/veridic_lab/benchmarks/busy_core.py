"""The second `veridic ask` of the examples on a quiet machine, and with one core kept busy by someone else.

Run from the checkout, on Linux: `python -m veridic_lab.benchmarks.busy_core --runs 5`. Quiet and busy runs alternate,
so that what else the machine does weighs on both; the first run, which ingests and fetches, does not count.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

EXAMPLES = Path(__file__).parents[1] / "examples"
QUESTION = "Why did the Halden Ridge Observatory hide the lenses of the Brekke refractor?"
ASK = "from veridic.cli import main; main()"
BUSY = """
import os, sys
os.sched_setaffinity(0, {int(sys.argv[1])})
parent = os.getppid()
while os.getppid() == parent:
    pass
"""
FAILED = (1, 2)


@contextmanager
def busy_core() -> Iterator[None]:
    """Keep one core busy, from a session of its own: in ours it would share what the scheduler gives us."""
    core = str(min(os.sched_getaffinity(0)))
    with subprocess.Popen([sys.executable, "-c", BUSY, core], start_new_session=True) as loop:  # noqa: S603
        try:
            yield
        finally:
            loop.kill()


def seconds(question: str, folder: Path) -> float:
    """How long `veridic ask` takes in a process of its own."""
    command = [sys.executable, "-c", ASK, "ask", "--kb", str(folder / "kb.sqlite"), "--docs", str(EXAMPLES)]
    began = perf_counter()
    done = subprocess.run([*command, "--", question], capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode in FAILED:
        raise RuntimeError(done.stderr)
    return perf_counter() - began


def main() -> None:
    """Print the medians, in seconds, and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--question", default=QUESTION)
    chosen = parser.parse_args()
    quiet, busy = list[float](), list[float]()
    with TemporaryDirectory() as place:
        seconds(chosen.question, Path(place))
        for _ in range(chosen.runs):
            quiet.append(seconds(chosen.question, Path(place)))
            with busy_core():
                busy.append(seconds(chosen.question, Path(place)))
    ratio = median(busy) / median(quiet)
    print(f"quiet: {median(quiet):.1f} s; one core busy: {median(busy):.1f} s; {ratio:.2f} times as long")  # noqa: T201


if __name__ == "__main__":
    main()
