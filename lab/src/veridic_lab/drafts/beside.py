"""Tables of what became of drafts, and beside it what agents would have made of them that judge nothing.

Of every row the same drafts count. Mixes are computed from the rates: each kind of draft has its share whatever number
of it was asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from veridic.models.fitting import resamples
from veridic_lab.bootstrap import Floats, calibration_error, interval, ratio

Fate = Literal[
    "verified", "flagged", "given plainly", "in part", "replaced, verified", "replaced, flagged", "silent"
]  # fmt: skip
FATES: tuple[Fate, ...] = (
    "verified", "flagged", "given plainly", "in part", "replaced, verified", "replaced, flagged", "silent",
)  # fmt: skip
"""`given plainly` is what plain RAG does: as it was written, with no word on whether it is right."""
GIVEN: tuple[Fate, ...] = ("verified", "flagged", "given plainly", "in part")
KINDS = ("true", "false", "invented")
MIXES: Mapping[str, tuple[float, float, float]] = {
    "50:25:25": (0.50, 0.25, 0.25),
    "80:10:10": (0.80, 0.10, 0.10),
    "90:5:5": (0.90, 0.05, 0.05),
}
"""Shares of the kinds, in their order."""
FEW = 0.25
"""Share of the words of a draft up to which marks tell where to look."""


@dataclass(frozen=True)
class Run:
    """A draft, and what became of it."""

    document: str
    kind: str
    """One of `KINDS`."""
    fate: Fate
    sure: float | None = None
    """The P that is told with it."""
    marked: float = 0.0
    """Share of its words that are marked as doubtful."""
    hit: bool = False
    """Whether a wrong word is among them."""


Agent = Callable[[Run], Run]

BESIDE: Mapping[str, Agent] = {
    "flags all": lambda run: replace(run, fate="flagged", sure=None, marked=0.0, hit=False),
    "verifies all": lambda run: replace(run, fate="verified", sure=None, marked=0.0, hit=False),
    "marks all words": lambda run: replace(run, fate="flagged", sure=None, marked=1.0, hit=run.kind == "false"),
    "plain RAG": lambda run: replace(run, fate="given plainly", sure=None, marked=0.0, hit=False),
}
"""What agents make of a draft that judge nothing."""


def agents(found: Sequence[Run]) -> dict[str, list[Run]]:
    """The runs, and what others would have made of the same drafts."""
    return {"veridic": list(found), **{name: [agent(run) for run in found] for name, agent in BESIDE.items()}}


def table_of_fates(found: Sequence[Run]) -> Iterator[str]:
    """A row for each agent and kind of draft: how many came to what, and which words of the flagged are marked."""
    marks = ("words marked", "a wrong one among them", f"and at most {FEW:.0%} marked")
    yield from _head("agent", "drafts", "n", *FATES, *marks)
    for agent, runs in agents(found).items():
        for kind in KINDS:
            own = [run for run in runs if run.kind == kind]
            counted = Counter(run.fate for run in own)
            yield _line(agent, kind, len(own), *(counted[name] for name in FATES), *_marks(own))


def _marks(own: Sequence[Run]) -> Iterator[str]:
    flagged = [run for run in own if run.fate == "flagged"]
    yield _mean(run.marked for run in flagged)
    if not any(run.kind == "false" for run in flagged):
        yield from ("", "")
        return
    yield _mean(run.hit for run in flagged)
    yield _mean(run.hit and run.marked <= FEW for run in flagged)


def table_of_mixes(found: Sequence[Run]) -> Iterator[str]:
    """A row for each agent and mix: how much is verified and given, how much of it is right, how true the flags' P is.

    Precision has its 95 % interval, documents drawn anew.
    """
    given = "given, of all", "of these true"
    yield from _head("agent", "mix", "n verified", "verified, of all", "of these true", *given, "n flagged", "ECE")
    for agent, runs in agents(found).items():
        for mix in MIXES:
            yield _line(agent, mix, *_cells(runs, mix))


def _cells(runs: Sequence[Run], mix: str) -> Iterator[object]:
    weights = shares(runs, mix)
    right = np.array([run.kind == "true" for run in runs])
    verified = np.array([run.fate == "verified" for run in runs])
    told = np.array([run.fate in GIVEN for run in runs])
    drawn = resamples([run.document for run in runs])
    yield int(verified.sum())
    for chosen in (verified, told):
        yield f"{(weights * chosen).sum() / weights.sum():.2f}" if len(runs) else ""
        yield _with_interval(weights * (chosen & right), weights * chosen, drawn)
    flagged = [at for at, run in enumerate(runs) if run.fate == "flagged" and run.sure is not None]
    yield len(flagged)
    error = calibration_error(right[flagged], [runs[at].sure or 0.0 for at in flagged])
    yield f"{error(weights[flagged][None])[0]:.2f}" if flagged else ""


def shares(runs: Sequence[Run], mix: str) -> Floats:
    """What each draft counts so that the kinds have the shares of a mix."""
    counted, share = Counter(run.kind for run in runs), dict(zip(KINDS, MIXES[mix], strict=True))
    return np.array([share[run.kind] / counted[run.kind] for run in runs])


def _with_interval(parts: Floats, wholes: Floats, drawn: Floats) -> str:
    found = interval(ratio(parts, wholes), drawn)
    return f"{found.value:.2f} [{found.low:.2f}, {found.high:.2f}]" if found else ""


def _mean(values: Iterable[float]) -> str:
    told = list(values)
    return f"{sum(told) / len(told):.2f}" if told else ""


def _head(*names: str) -> Iterator[str]:
    yield _line(*names)
    yield "|---" * len(names) + "|"


def _line(*cells: object) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"
