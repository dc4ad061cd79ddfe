"""What is generated is what the code says."""

import re
from pathlib import Path

import pytest

from veridic.cli.app import app
from veridic.cli.reference import FILLED, SCHEMAS, check_drawing, drawing, filled, schema, systems_page
from veridic.graph.systems import SYSTEMS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("name", "parts"), FILLED.items())
def test_the_generated_parts_are_current(name: str, parts: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = (ROOT / name).read_text(encoding="utf-8")
    assert filled(text, parts) == text, "run `make docs`"


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_bytes()) <= 8_000


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_published_schemas_are_current(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == schema(name), "run `make docs`"


def test_every_node_is_drawn() -> None:
    nodes = {path.stem for path in (ROOT / "src/veridic/nodes").glob("*.py")} - {"__init__"}
    drawn = "".join([*map(drawing, SYSTEMS), check_drawing()])
    undrawn = {"accept", "give", "give_best", "report", "write_all"}
    assert {node for node in nodes if f"{node}({node})" not in drawn} <= undrawn


def test_the_page_of_the_systems_is_current() -> None:
    assert (ROOT / "docs/systems.md").read_text(encoding="utf-8") == systems_page(), "run `make docs`"


def test_every_command_the_readme_names_exists() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^veridic ([a-z]+)|`veridic ([a-z]+)", readme, re.MULTILINE))
    known = {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
    known |= {group.typer_instance.info.name for group in app.registered_groups if group.typer_instance}
    assert {name for pair in named for name in pair if name} <= known
