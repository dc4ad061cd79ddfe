"""What measures is kept in step with what is measured."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from veridic_lab import benchmarks

NAMES = [path.stem for path in sorted(Path(benchmarks.__file__).parent.glob("[a-z]*.py"))]


@pytest.mark.parametrize("name", NAMES)
def test_every_benchmark_can_be_run(name: str) -> None:
    assert import_module(f"veridic_lab.benchmarks.{name}").__doc__
