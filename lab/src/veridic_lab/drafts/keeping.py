"""Rows of long runs, kept in a file so that what is fitted on them can be fitted anew."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Row = TypeVar("Row", bound="DataclassInstance")


def kept_rows(path: Path | None, read: Callable[[str], Row], make: Callable[[], Iterable[Row]]) -> list[Row]:
    """The rows of a file, a line of JSON each; where it is not there those that are made now, kept in it."""
    if path and path.is_file():
        return [read(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows = list(make())
    if path:
        lines = (json.dumps(asdict(row), default=np.ndarray.tolist) for row in rows)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return rows
