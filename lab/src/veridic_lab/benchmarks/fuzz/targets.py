"""What is tried, by name."""

from pathlib import Path

from veridic_lab.benchmarks.fuzz.asking import ASK
from veridic_lab.benchmarks.fuzz.files import READERS
from veridic_lab.benchmarks.fuzz.requests import CONTEXT
from veridic_lab.benchmarks.fuzz.running import Target, run
from veridic_lab.benchmarks.fuzz.threads import STATE

TARGETS: dict[str, Target] = {"readers": READERS, "ask": ASK, "context": CONTEXT, "state": STATE}


def run_named(name: str, minutes: float, seed: int, out: Path) -> None:
    """Run a target by its name; for a process of its own."""
    run(name, TARGETS[name], minutes, seed, out.resolve())
