"""The curves of `docs/results.md`: what is wrong by how many are answered, and what comes of lost pages."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any, get_args

from veridic_lab.evaluation.corrupted import Came, Case, expected
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


LOST = tuple(tenth / 10 for tenth in range(10))
"""Shares of the right pages that are lost."""
DRAWN_AS = {
    "standard_rag": ("C7", ":"),
    "self_rag": ("C2", "-"),
    "crag": ("C1", "-"),
    "veridic": ("C0", "-"),
}
"""Colour and line of a system; dashed where outside is asked."""


def digest(told: Sequence[Told], others: Mapping[str, Point]) -> str:
    """What the picture says of what it was drawn from."""
    drawn = [list(map(tuple, told)), dict(others)]
    return hashlib.sha256(json.dumps(drawn).encode()).hexdigest()


def digest_of(cases: Sequence[Case]) -> str:
    """What the picture of lost pages says of what it was drawn from."""
    return hashlib.sha256(json.dumps(list(map(tuple, cases))).encode()).hexdigest()


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


def draw_corrupted(cases: Sequence[Case], out: Path) -> None:
    """Draw what comes of each system's questions by the share of right pages that is lost; the same bytes for the same.

    matplotlib comes with `pip install 'lab[plots]'`.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9, 3.6), layout="constrained")
        panels = figure.subplots(1, 3, sharey=True)
        for axes, came in zip(panels, get_args(Came), strict=True):
            for system in dict.fromkeys(case.system for case in cases):
                own = [case for case in cases if case.system == system]
                colour, line = line_of(system)
                rates = [fmean(expected(own, share, came).values()) for share in LOST]
                axes.plot(LOST, rates, line, color=colour, label=called(system), linewidth=2)
            axes.set(title=came, xlim=(0, 0.9), ylim=(0, 1), xlabel="right pages lost")
            axes.grid(alpha=0.3)
        panels[0].set_ylabel("of all questions")
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
        figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None, "Description": digest_of(cases)})


def called(system: str) -> str:
    """A measured system's name without its choices, and whether it asks outside, and when."""
    name, _, choices = system.partition(":")
    when = "asked every time" if "search=beside" in choices else "allowed"
    return f"{name}, outside {when}" if choices and choices != "sources=none" else name


def line_of(system: str) -> tuple[str, str]:
    """Colour and line of a measured system."""
    name, _, choices = system.partition(":")
    colour, line = DRAWN_AS.get(name, ("C4", "-"))
    return colour, ":" if "search=beside" in choices else "--" if called(system) != name else line
