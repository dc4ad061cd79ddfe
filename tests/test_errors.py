"""A foreign error is told with its class and message, and without what may be a credential."""

import ast
from pathlib import Path

import pytest

from veridic import errors
from veridic.errors import LONGEST_TOLD, VeridicError, told_of

SOURCES = Path(errors.__file__).parent
KINDS = {name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, VeridicError)}


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("the vector db\n is down", "the vector db is down"),
        ("postgres://user:hunter2@host:5432/db refused", "postgres://host:5432/db refused"),
        ("GET https://x.org/v1?key=hunter2 failed", "GET https://x.org/v1 failed"),
        ("Incorrect API key provided: hunter2. See the docs", "Incorrect API key provided: *** See the docs"),
        ("{'api_key': 'hunter2'}", "{'api_key': ***"),
        ("Authorization: Bearer hunter2", "Authorization: Bearer ***"),
        ("no such tenant sk-proj-1234567890abcdefghij", "no such tenant ***"),
        ("", None),
    ],
)
def test_a_foreign_error_is_told_without_credentials(message: str, told: str | None) -> None:
    assert told_of(RuntimeError(message)) == ("RuntimeError" if told is None else f"RuntimeError: {told}")


def test_a_long_message_is_cut() -> None:
    assert len(told_of(ValueError("no " * 1000))) <= len("ValueError: …") + LONGEST_TOLD


def test_every_error_that_is_made_says_what_to_do() -> None:
    silent = []
    for path in SOURCES.rglob("*.py"):
        calls = (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call))
        for call in (one for one in calls if isinstance(one.func, ast.Name) and one.func.id in KINDS - {"BudgetSpent"}):
            said = [*call.args, *call.keywords]
            if len(said) < 2 and not isinstance(said[0], ast.Starred):
                silent.append(f"{path}:{call.lineno}")
    assert silent == []
