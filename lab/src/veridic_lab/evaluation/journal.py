"""Rows that survive a kill: appended one line at a time, on the disk before the next begins."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from veridic.errors import UsageError

Row = dict[str, Any]


class Journal:
    """A JSONL file of rows, one for each (question, system); a pair that is there is never added again."""

    def __init__(self, path: Path) -> None:
        """Open or make the file. A last line without an end was torn by a kill: it is dropped and its pair asked again.

        Raises `UsageError` when a whole line is not a row of ours.
        """
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        _drop_torn_line(path)
        self._done = done_in(path)
        _sync_folder(path.parent)

    def __contains__(self, pair: tuple[str, str]) -> bool:
        """Whether (question id, system) has its row."""
        return pair in self._done

    def append(self, row: Row) -> None:
        """Add a row; when this returns it is on the disk."""
        if pair_of(row) in self._done:
            return
        line = json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"
        with self.path.open("ab") as file:
            file.write(line.encode(errors="backslashreplace"))
            file.flush()
            os.fsync(file.fileno())
        self._done.add(pair_of(row))


def pair_of(row: Row) -> tuple[str, str]:
    """What a row is the row of."""
    return row["question"]["id"], row["system"]


def rows_in(path: Path) -> Iterator[Row]:
    """The whole rows of a file, in order; a torn last line is passed over. Raises `UsageError`."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                row = json.loads(line)
                pair_of(row)
            except (ValueError, KeyError, TypeError) as error:
                raise UsageError(
                    f"{path}:{number} is not a row of a run.", "Take the line out, or begin again in another folder."
                ) from error
            yield row


def done_in(path: Path) -> set[tuple[str, str]]:
    """The pairs that have their row; none when there is no file."""
    return {pair_of(row) for row in rows_in(path)} if path.exists() else set()


def _drop_torn_line(path: Path) -> None:
    with path.open("r+b") as file:
        data = file.read()
        whole = data.rfind(b"\n") + 1
        if whole < len(data):
            file.truncate(whole)
            os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    """Make the file's name durable, where folders can be opened."""
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
