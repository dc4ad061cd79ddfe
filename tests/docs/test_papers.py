"""The audit of the four sources names places that exist."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "lab" / "docs" / "papers.md"
ELSEWHERE = ("lab/", "docs/", "tests/", "deploy/")
STATES = ("Works", "Differs", "Missing")


def rows() -> list[list[str]]:
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


PLACES = [place for row in rows() for place in re.findall(r"`([^`]+)`", row[2])]


@cache
def names_in(file: Path) -> set[str]:
    """The names of a module, and of its classes' own as `Class.name`."""
    found = set[str]()
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        own = named(node)
        found |= own
        if isinstance(node, ast.ClassDef):
            found |= {f"{node.name}.{name}" for line in node.body for name in named(line)}
    return found


def named(node: ast.stmt) -> set[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
        case ast.Assign(targets=targets):
            return {one.id for one in targets if isinstance(one, ast.Name)}
    return set()


@pytest.mark.parametrize("place", sorted(set(PLACES)))
def test_each_place_is_there(place: str) -> None:
    file, _, name = place.partition(":")
    path = ROOT / file if file.startswith(ELSEWHERE) else ROOT / "src" / "veridic" / file
    assert path.is_file()
    assert not name or name in names_in(path)
    assert name or path.suffix == ".md", "a place in code has a name"


def test_each_row_says_what_holds_and_where() -> None:
    for row in rows():
        assert len(row) == 4
        source, says, where, state = row
        assert source
        assert says
        assert state.startswith(STATES)
        assert where or state.startswith("Missing")


def test_every_source_and_every_equation_is_there() -> None:
    told = " ".join(f"{row[0]} {row[1]}" for row in rows())
    assert all(f"eq. {number}" in told for number in range(1, 11))
    assert {row[0][0] for row in rows()} == set("BHPSFA")
    assert all(f"layer {number}" in told for number in range(1, 6))
    assert all(f"checklist {number}" in told for number in range(1, 9))
