"""What is generated is what the code says."""

import re
from pathlib import Path

import pytest

import veridic
from veridic.cli.app import Commands
from veridic.graph.systems import SYSTEMS
from veridic.server.app import ROUTES
from veridic_lab.evaluation import corrupted
from veridic_lab.evaluation.told import kept_in
from veridic_lab.manual.curve import digest, digest_of
from veridic_lab.manual.names import GROUPS
from veridic_lab.manual.results import ASKED, ASKED_PICTURE, CORRUPTED, CORRUPTED_PICTURE, KEPT, PICTURE, floors
from veridic_lab.reference import FILLED, PAGES, SCHEMAS, check_drawing, drawing, filled, schema

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("name", "parts"), FILLED.items())
def test_the_generated_parts_are_current(name: str, parts: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = (ROOT / name).read_text(encoding="utf-8")
    assert filled(text, parts) == text, "run `make docs`"


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_bytes()) <= 7_000


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_published_schemas_are_current(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == schema(name), "run `make docs`"


def test_every_node_is_drawn() -> None:
    nodes = {path.stem for path in (ROOT / "src/veridic/nodes").glob("*.py")} - {"__init__"}
    drawn = "".join([*map(drawing, SYSTEMS), check_drawing()])
    undrawn = {"accept", "find", "give", "give_best", "report", "write_all"}
    assert {node for node in nodes if f"{node}({node})" not in drawn} <= undrawn


@pytest.mark.parametrize("name", PAGES)
def test_the_generated_pages_are_current(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == PAGES[name](), "run `make docs`"


def test_the_curve_is_drawn_from_what_is_kept() -> None:
    told, picture = kept_in(KEPT), ROOT / PICTURE
    assert picture.exists() == bool(told)
    assert not told or digest(told, floors()) in picture.read_text(encoding="utf-8"), (
        "run `veridic_lab.benchmarks.told`"
    )


def test_the_curve_of_written_questions_is_drawn_from_what_is_kept() -> None:
    assert digest(kept_in(ASKED), {}) in (ROOT / ASKED_PICTURE).read_text(encoding="utf-8"), (
        "run `veridic_lab.drafts.asked --keep`"
    )


def test_the_curve_of_lost_pages_is_drawn_from_what_is_kept() -> None:
    cases, picture = corrupted.kept_in(CORRUPTED), ROOT / CORRUPTED_PICTURE
    assert picture.exists() == bool(cases)
    assert not cases or digest_of(cases) in picture.read_text(encoding="utf-8"), (
        "run `veridic_lab.benchmarks.corrupted`"
    )


def test_every_public_name_is_told_once() -> None:
    assert sorted([*(name for names in GROUPS.values() for name in names), "VeridicError"]) == sorted(veridic.__all__)


def test_every_command_and_route_has_a_place() -> None:
    commands, routes = PAGES["docs/reference/commands.md"](), PAGES["docs/reference/routes.md"]()
    assert all(f"\n## {name}\n" in commands for name in ("ask", "memory audit", "keys add", "mcp", "eval run"))
    assert "| `--max-retries` | `2` | 0 to 5 |" in commands
    assert all(f"`{method} /veridic{path}" in routes for path, methods in ROUTES.items() for method in methods)
    assert "| `POST /veridic/documents` | manages |" in routes
    assert "| `GET /veridic/health` | everybody |" in routes


def test_every_command_the_readme_names_exists() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"^veridic ([a-z]+)|`veridic ([a-z]+)", readme, re.MULTILINE))
    assert {name for pair in named for name in pair if name} <= set(Commands())
