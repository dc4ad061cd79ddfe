"""What help tells of each option, and what is said of one that is gone."""

from typing import Any

import pytest
import typer

from tests.cli.conftest import Veridic
from veridic.cli.app import COMMANDS, app
from veridic.cli.gone import GONE
from veridic.cli.options import bounds_of
from veridic.context import Context

FOUNDED = "When was the Halden Ridge Observatory founded?"
UNBOUNDED = {"scope", "sources", "write_back"}


def options(command: str) -> dict[str, Any]:
    """The options of a command, by name."""
    group: Any = typer.main.get_command(app)
    return {one.name: one for one in group.commands[command].params}


@pytest.mark.parametrize("command", ["ask", "chat", "check"])
def test_every_choice_of_a_run_tells_its_bounds_and_its_default(veridic: Veridic, command: str) -> None:
    shown = " ".join(veridic(command, "--help").out.replace("│", " ").split())
    made = options(command).keys() & Context.model_fields.keys() - {"sources"}
    assert made
    for name in made:
        field = Context.model_fields[name]
        told = shown.partition(f"--{name.replace('_', '-')} ")[2][:900]
        if name not in UNBOUNDED:
            assert f"{bounds_of(field)}." in told, name
        if field.default is not None and command != "check":
            assert f"[default: {field.default}]" in told, name


def test_the_list_tells_each_command_in_one_line(veridic: Veridic) -> None:
    shown = veridic("--help").out
    assert all(" ".join(told.split()) in shown for _, told in COMMANDS.values())


def test_bounds_are_those_that_are_held_to() -> None:
    assert {name for name, field in Context.model_fields.items() if not bounds_of(field)} == UNBOUNDED
    assert bounds_of(Context.model_fields["max_retries"]) == "0 to 5"
    assert bounds_of(Context.model_fields["strictness"]) == "loose, normal, strict"


@pytest.mark.parametrize(
    "words",
    [
        ("ask", FOUNDED, "--upper=0.9"),
        ("ask", "--no-recollect", FOUNDED),
        ("chat", "--beam", "2"),
        ("check", "a.txt", "--support", "1"),
    ],
)
def test_an_option_that_is_a_number_of_the_method_is_refused(veridic: Veridic, words: tuple[str, ...]) -> None:
    refused = veridic(*words)
    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert "in Python build_graph(method=Method(" in refused.err


@pytest.mark.parametrize("told", GONE)
def test_what_is_gone_is_refused_with_what_took_its_place(veridic: Veridic, told: str) -> None:
    refused = veridic(*told.split())
    assert (refused.status, refused.out) == (2, "")
    assert refused.err == f"veridic: `veridic {told}` is gone. {GONE[told]}\n"


def test_an_option_before_a_setting_tells_that_and_its_default(veridic: Veridic) -> None:
    shown = " ".join(veridic("ask", "--help").out.replace("│", " ").split())
    assert "[default: VERIDIC_MODEL, else embedded]" in shown
    assert "[default: VERIDIC_NAMESPACE, else default]" in shown
    assert "[default: VERIDIC_SOURCES]" in shown


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_shown_for_a_shell(veridic: Veridic, monkeypatch: pytest.MonkeyPatch, shell: str) -> None:
    monkeypatch.setattr("typer.completion._get_shell_name", lambda: shell)
    monkeypatch.setenv("_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION", "1")
    shown = veridic("--show-completion", shell)
    assert (shown.status, "_VERIDIC_COMPLETE" in shown.out) == (0, True)
