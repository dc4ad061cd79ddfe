"""What is tried, and what one case may take."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis.strategies import SearchStrategy

Case = dict[str, Any]
"""What Python can write down and read again."""
Attempt = Callable[[Case], None]
"""Tries a case; raises an error of ours where it was refused, or else what makes it a failure."""


@dataclass(frozen=True)
class Target:
    """One kind of what a stranger may send."""

    cases: SearchStrategy[Case]
    opened: Callable[[Path], AbstractContextManager[Attempt]]
    """Of a folder for whatever it needs."""
    seconds: float
    """That one case may take."""
