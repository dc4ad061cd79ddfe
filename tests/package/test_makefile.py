"""The targets of the Makefile that say something; nothing of them is run but `dev`, with a server that is none."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="there is no make")


def made(*words: str) -> subprocess.CompletedProcess[str]:
    """What a target prints, also where the tests themselves are run by make."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(["make", *words], cwd=ROOT, capture_output=True, text=True, env=own)


@pytest.fixture
def environment(tmp_path: Path) -> str:
    """An environment that is ready, whose LangGraph only says what it was told."""
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    (tools / "langgraph").write_text('#!/bin/sh\necho "served: $@"\n')
    for one in tools.iterdir():
        one.chmod(0o755)
    (tmp_path / ".ready").touch()
    return f"VENV={tmp_path}"


def test_dev_says_first_where_it_serves(environment: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = found.getsockname()[1]
    ran = made("dev", environment, f"PORT={port}")
    said, served = ran.stdout.split("served:")
    assert f"http://127.0.0.1:{port}/veridic/" in said
    assert f"studio/?baseUrl=http://127.0.0.1:{port}" in said
    assert "8765" in said
    assert served.strip() == f"dev --port {port}"


def test_dev_names_no_address_at_a_port_that_is_taken(environment: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        ran = made("dev", environment, f"PORT={port}")
    assert ran.returncode != 0
    assert ran.stdout == f"Port {port} is taken or cannot be used; choose another: make dev PORT={port + 1}\n"


def test_dev_serves_at_2024_where_nothing_else_is_said(environment: str) -> None:
    assert made("-n", "dev", environment).stdout.rstrip().endswith("langgraph dev --port 2024")


def test_ask_uses_the_knowledge_base_that_veridic_uses_here(environment: str) -> None:
    shown = made("-n", "ask", environment, "DOCS=mine").stdout
    assert '--docs "mine"' in shown
    assert "--kb" not in shown


def test_help_says_what_clean_takes_away() -> None:
    (line,) = [line for line in made("help").stdout.splitlines() if line.startswith("clean")]
    assert ".veridic" in line
    assert "knowledge base" in line
