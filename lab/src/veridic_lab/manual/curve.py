"""The curve of `docs/results.md`: what is wrong of the answers that are given, by how many are given."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veridic_lab.evaluation.told import Told, risk_by_coverage

FIRST = 20
"""Answers from which on a share is drawn; of fewer it jumps."""
STYLE: Any = {
    "svg.hashsalt": "veridic",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "path.simplify_threshold": 0.5,
}

Point = tuple[float, float]


def digest(told: Sequence[Told], others: Mapping[str, Point]) -> str:
    """What the picture says of what it was drawn from."""
    drawn = [list(map(tuple, told)), dict(others)]
    return hashlib.sha256(json.dumps(drawn).encode()).hexdigest()


def draw(told: Sequence[Told], others: Mapping[str, Point], out: Path) -> None:
    """Draw the curve of each system, and what others do (coverage, risk) as points; the same bytes for the same rows.

    matplotlib comes with `pip install 'lab[plots]'`.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    drawn_from = digest(told, others)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(6, 3.4), layout="constrained")
        axes = figure.subplots()
        for system in dict.fromkeys(one.system for one in told):
            points = risk_by_coverage([one for one in told if one.system == system])[FIRST - 1 :]
            axes.plot(*zip(*points, strict=True), label=system, linewidth=2)
        for marker, (name, point) in zip("sD^vo", others.items(), strict=False):
            axes.plot(*point, marker, label=name)
        axes.set(xlim=(0, 1.02), ylim=(0, 1), xlabel="answered, of all questions", ylabel="wrong, of the answered")
        axes.grid(alpha=0.3)
        axes.legend(loc="upper left", frameon=False)
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Description": drawn_from})
