"""What measures is kept in step with what is measured."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from veridic_lab import benchmarks

BENCHMARKS = Path(benchmarks.__file__).parent
MODULES = [
    ".".join(("veridic_lab", *path.relative_to(BENCHMARKS.parent).with_suffix("").parts))
    for path in sorted(BENCHMARKS.rglob("*.py"))
    if path.stem not in ("__init__", "__main__")
]


@pytest.mark.parametrize("name", MODULES)
def test_every_benchmark_can_be_run(name: str) -> None:
    try:
        assert import_module(name).__doc__
    except ModuleNotFoundError as missing:
        if missing.name != "torch":
            raise
        pytest.skip("Training needs torch.")
