"""The laboratory's commands join the program's where it is installed, and are named where it is not."""

from importlib.metadata import EntryPoint

import pytest
import typer
from typer.testing import CliRunner

from tests.cli.conftest import Veridic
from veridic.cli import app as program

RUNNER = CliRunner()
POINTS = [
    EntryPoint("train", f"{__name__}:train", program.GROUP),
    EntryPoint("eval", f"{__name__}:measuring", program.GROUP),
]
measuring = typer.Typer(help="Measure the systems.")


def train(steps: int) -> None:
    """Train a judge."""
    typer.echo(f"{steps} steps")


@measuring.command()
def run() -> None:
    """Ask the questions."""
    typer.echo("asked")


@measuring.command()
def report() -> None:
    """Print the tables."""


def joined(monkeypatch: pytest.MonkeyPatch, points: list[EntryPoint]) -> typer.Typer:
    monkeypatch.setattr(program, "entry_points", lambda group: points)
    return program.app


@pytest.mark.parametrize("words", [("train", "both", "run/", "--data", "pairs/"), ("eval", "run", "answers")])
def test_without_it_one_line_says_what_installs_it(
    veridic: Veridic, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    joined(monkeypatch, [])
    told = veridic(*words)
    assert told.status
    assert told.err == f"veridic: `veridic {words[0]}` belongs to the laboratory. pip install veridic-lab\n"


def test_with_it_its_commands_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    app = joined(monkeypatch, POINTS)
    assert RUNNER.invoke(app, ["train", "3"]).output == "3 steps\n"
    assert RUNNER.invoke(app, ["eval", "run"]).output == "asked\n"


def test_a_group_of_commands_keeps_its_help(monkeypatch: pytest.MonkeyPatch) -> None:
    app = joined(monkeypatch, POINTS)
    assert "eval" in RUNNER.invoke(app, ["--help"]).output
    shown = RUNNER.invoke(app, ["eval", "--help"]).output
    assert "Measure the systems." in shown
    assert "Ask the questions." in shown
