"""What is public, held against what it was: a name that goes or comes is meant.

`python -m tests.test_public` writes `tests/fixtures/public.json` anew, on purpose.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from pydantic import TypeAdapter
from starlette.routing import Mount, Route

import veridic
from veridic.cli.app import app as commands
from veridic.context import Context
from veridic.graph.systems import SYSTEMS
from veridic.ports.method import NUMBERS
from veridic.ports.shapes import Result
from veridic.settings import Settings
from veridic.state import GraphState

SNAPSHOT = Path(__file__).parent / "fixtures" / "public.json"
WAS: dict[str, Any] = json.loads(SNAPSHOT.read_text(encoding="utf-8")) if SNAPSHOT.exists() else {}
PRODUCT = "veridic.cli"
"""Where the product's own commands are; the laboratory joins others where it is installed."""


def options(command: Any, name: str = "") -> Iterator[tuple[str, list[str]]]:
    """The options of each command beneath one."""
    if hasattr(command, "commands"):
        for each in command.commands.values():
            yield from options(each, f"{name} {each.name}".strip())
    elif command.callback.__module__.startswith(PRODUCT):
        yield name, sorted(flag for one in command.params for flag in [*one.opts, *one.secondary_opts])


def addresses(found: Any, before: str = "") -> Iterator[str]:
    """Methods and paths of routes."""
    for route in found:
        if isinstance(route, Mount):
            yield from addresses(route.routes, before + route.path)
        elif isinstance(route, Route):
            yield f"{','.join(sorted((route.methods or set()) - {'HEAD'}))} {before}{route.path}"


def shape(schema: Any) -> Any:
    """A JSON schema without what it says for people."""
    if isinstance(schema, list):
        return [shape(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    told = {"description", "title"}
    return {name: shape(one) for name, one in schema.items() if not (name in told and isinstance(one, str))}


def public() -> dict[str, Any]:
    """All that others may rely on, by kind."""
    from veridic.server.app import app as served  # reads the process's settings when it is imported

    return {
        "veridic": sorted(veridic.__all__),
        "context": sorted(Context.model_fields),
        "method": sorted(NUMBERS),
        "settings": sorted(Settings.model_fields),
        "state": sorted(GraphState.__annotations__),
        "systems": sorted(SYSTEMS),
        "commands": dict(sorted(options(typer.main.get_command(commands)))),
        "routes": sorted(addresses(served.routes)),
        "result": shape(TypeAdapter(Result).json_schema()),
    }


@pytest.mark.parametrize("kind", WAS)
def test_what_is_public_is_as_it_was(kind: str) -> None:
    is_now = public()
    assert is_now.keys() == WAS.keys()
    assert is_now[kind] == WAS[kind]


if __name__ == "__main__":
    SNAPSHOT.write_text(json.dumps(public(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
