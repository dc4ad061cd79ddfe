"""Texts that are marked one a line: `+` before one that has what is asked after, `-` before one that has not."""

from pathlib import Path


def marked(file: Path) -> dict[str, bool]:
    """Each text with its mark."""
    lines = (line.partition(" ") for line in file.read_text(encoding="utf-8").splitlines())
    return {text: mark == "+" for mark, _, text in lines if mark in ("+", "-")}
