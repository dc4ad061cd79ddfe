"""Plants faults in a copy of the code, one at a time, and sees whether the tests beside it notice.

`python -m veridic_lab.planted` prints a line for each fault of `data/planted.json` and how many were caught, with exit
status 1 where one was not. A fault is a place in a file, what stands there, what is put there, and the tests that
should fail.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from veridic.errors import UsageError

ROOT = Path(__file__).parents[3]
LIST = Path(__file__).parents[2] / "data" / "planted.json"
COPIED = ("src", "lab", "tests", "examples", "docs", "pyproject.toml", "README.md", "CHANGELOG.md", "Makefile")
FAILED = 1
"""pytest's exit status where a test failed; any other means that the tests did not run."""


@dataclass(frozen=True)
class Fault:
    """Something wrong in one place."""

    file: str
    """Under `src/veridic`."""
    old: str
    """Stands there once."""
    new: str
    tests: list[str]
    """Files or folders, under `tests`."""


def planted() -> list[Fault]:
    """The list."""
    return [Fault(**one) for one in json.loads(LIST.read_text(encoding="utf-8"))]


def is_caught(fault: Fault, tree: Path) -> bool:
    """Whether a test fails with the fault in the tree. Raises `UsageError` where it cannot be planted or tried."""
    with _in(fault, tree / "src" / "veridic" / fault.file):
        ran = subprocess.run(  # noqa: S603 - our own tests
            [
                sys.executable,
                "-m",
                "pytest",
                "-q",
                "-x",
                "-p",
                "no:cacheprovider",
                *(f"tests/{one}" for one in fault.tests),
            ],
            cwd=tree,
            env={**os.environ, "PYTHONPATH": f"{tree / 'src'}:{tree / 'lab' / 'src'}"},
            capture_output=True,
            check=False,
        )
    if ran.returncode not in (0, FAILED):
        raise UsageError(f"The tests {fault.tests} did not run: {ran.stdout.decode()[-400:]}", "Mend the list.")
    return ran.returncode == FAILED


@contextmanager
def _in(fault: Fault, path: Path) -> Iterator[None]:
    """The fault stands in its file for a while."""
    before = path.read_text(encoding="utf-8")
    if before.count(fault.old) != 1:
        raise UsageError(f"{fault.file} has {fault.old!r} {before.count(fault.old)} times.", "Mend the list.")
    path.write_text(before.replace(fault.old, fault.new), encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(before, encoding="utf-8")


def main() -> None:
    """Plant them all."""
    faults, missed = planted(), 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder)
        for name in COPIED:
            source = ROOT / name
            (shutil.copytree if source.is_dir() else shutil.copy)(source, tree / name)
        for fault in faults:
            caught = is_caught(fault, tree)
            missed += not caught
            print("caught" if caught else "MISSED", fault.file, "|", fault.new, flush=True)  # noqa: T201
    print(f"{len(faults) - missed} of {len(faults)} caught")  # noqa: T201
    sys.exit(int(missed > 0))


if __name__ == "__main__":
    main()
