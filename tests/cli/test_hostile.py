"""What a file's name and its text may hold, as a person in front of a terminal gets it: the program in a real one."""

import json
import os
import pty
import re
import subprocess
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

import pytest

from tests.cli.conftest import Veridic
from veridic.cli import main

NAME = "mill\x1b]0;PWNED\x07\x1b[5m\x9b31m\u202e[red]\U000e0041.txt"
QUOTED = (
    "The Lindgren mill was built in 1820 by Anna Berg ![x](http://evil.example/p.png) "
    "<img src=x onerror=alert(1)> <script>alert(2)</script> [y](javascript:alert(3)) <http://evil.example>."
)
HIDDEN = "The \u202eLindgren\u202c mill\x1b[5m has\u200b box\U000e0041 14\x9b5m."
QUESTION = "Who built the Lindgren mill in 1820?"

OWN = re.compile(r"\x1b\[[0-9;]*m|\x1b\[\d*[AK]|\x1b\[2K|\x1b\[\?25[lh]|\r")
"""What Rich sends: styles, and the movements of a progress bar. `OWN` is none of what the name holds but by chance."""

Shown = Callable[..., str]
SHOWN = {"TERM": "xterm-256color", "COLUMNS": "200"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the document; the knowledge base is made in it by the first who asks."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "docs").mkdir()
    (folder / "docs" / NAME).write_text(f"{QUOTED}\n\n{HIDDEN}\n")
    return folder


@pytest.fixture
def terminal(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Shown:
    """The program in a pseudo-terminal; returns what that is sent."""
    monkeypatch.chdir(folder)
    monkeypatch.delenv("NO_COLOR", raising=False)
    set_here = {"KB": str(folder / "kb.sqlite"), "MODEL": "extractive"}
    for name, value in {**{f"VERIDIC_{name}": value for name, value in set_here.items()}, **SHOWN}.items():
        monkeypatch.setenv(name, value)

    def run(*words: str) -> str:
        with monkeypatch.context() as patch, pseudo_terminal() as (child, _, sent):
            patch.setattr(sys, "argv", ["veridic", *words])
            for stream in ("stdin", "stdout", "stderr"):
                patch.setattr(sys, stream, child)
            with pytest.raises(SystemExit):
                main()
        return b"".join(sent).decode()

    if not (folder / "kb.sqlite").exists():
        run("ingest", "docs")
    return run


@pytest.fixture
def typed(terminal: Shown) -> Shown:
    """The same in a process of its own, for which somebody types."""

    def run(*words: str, typed: str) -> str:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        with pseudo_terminal() as (child, keys, sent):
            command = [sys.executable, "-c", "from veridic.cli import main; main()", *words]
            os.write(keys, typed.encode())
            subprocess.run(command, env=environment, stdout=child, stderr=child, stdin=child, timeout=60, check=False)
        return b"".join(sent).decode()

    return run


@contextmanager
def pseudo_terminal() -> Iterator[tuple[TextIO, int, list[bytes]]]:
    """The end that a program has, where to type, and what was sent, all of it once the block has ended."""
    parent, child = pty.openpty()
    sent = list[bytes]()

    def read() -> None:
        with suppress(OSError):  # how a pseudo-terminal ends on Linux
            while piece := os.read(parent, 65536):
                sent.append(piece)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        with open(child, "w", encoding="utf-8", buffering=1) as there:
            yield there, parent, sent
    finally:
        reader.join()
        os.close(parent)


def acting(sent: str) -> str:
    """What of the sent text would act on a terminal and is not Rich's."""
    own = OWN.sub("", sent.replace("\r\n", "\n"))
    return "".join(one for one in own if unicodedata.category(one) in ("Cc", "Cf", "Cs") and one not in "\n\t")


@pytest.mark.parametrize(
    "words",
    [
        ("ask", QUESTION),
        ("ask", "-q", QUESTION),
        ("ask", "--json", QUESTION),
        ("ask", "Which documents do you have?"),
        ("list",),
        ("list", "--json"),
        ("status",),
        ("show", f"docs/{NAME}"),
        ("doctor", "--kb", f"docs/{NAME}"),
        ("show", f"nowhere/{NAME}"),
        ("remove", f"nowhere/{NAME}"),
        ("ingest", "--prune", f"nowhere/{NAME}"),
    ],
    ids=lambda words: " ".join(word for word in words if "mill" not in word),
)
def test_nothing_that_a_name_or_a_text_holds_acts_on_a_terminal(terminal: Shown, words: tuple[str, ...]) -> None:
    sent = terminal(*words)
    assert sent.strip()
    assert "Traceback" not in sent
    assert acting(sent) == ""
    assert "\x1b[5m" not in sent


def test_nor_in_a_conversation(typed: Shown) -> None:
    sent = typed("chat", "--thread", "mill", typed=f"{QUESTION}\n/sources\n/quit\n")
    assert "Anna Berg" in sent
    assert " · characters 0-" in sent
    assert "Traceback" not in sent
    assert acting(sent.replace("\x1b[?2004h", "").replace("\x1b[?2004l", "")) == ""  # readline's own
    again = typed("chat", "--thread", "mill", typed="/quit\n")
    assert "mill: 1 question so far. The last: " in again
    assert acting(again.replace("\x1b[?2004h", "").replace("\x1b[?2004l", "")) == ""


def test_nor_while_it_is_taken_in(terminal: Shown, tmp_path: Path) -> None:
    (tmp_path / NAME).write_text(QUOTED)
    (tmp_path / f"{NAME}.pdf").write_bytes(b"no pdf")
    (tmp_path / f"{NAME}.xyz").write_text("skipped")
    sent = terminal("ingest", str(tmp_path))
    assert "PWNED" in sent
    assert "[red]" in sent
    assert acting(sent) == ""
    assert "\x1b[5m" not in sent
    assert acting(terminal("remove", str(tmp_path))) == ""


def test_a_terminal_shows_markdown_and_html_as_text(terminal: Shown) -> None:
    sent = OWN.sub("", terminal("ask", QUESTION))
    assert "![x](http://evil.example/p.png) <img src=x onerror=alert(1)> <script>alert(2)</script>" in sent


def test_offsets_count_in_what_is_shown(terminal: Shown) -> None:
    shown = terminal("show", f"docs/{NAME}").replace("\r\n", "\n")
    result = json.loads(terminal("ask", "--json", QUESTION))
    cited = [citation for sentence in result["sentences"] for citation in sentence["citations"]]
    assert cited
    for citation in cited:
        assert shown[citation["start"] : citation["end"]] == citation["quote"]
    assert "The Lindgren mill[5m has box 145m." in shown


def test_names_in_json_hold_nothing_hidden(terminal: Shown) -> None:
    [held] = [one for one in json.loads(terminal("list", "--json")) if one["kind"] == "human"]
    for part in (held["title"], held["url"]):
        assert all(unicodedata.category(one) not in ("Cc", "Cf", "Cs") for one in part)


def test_a_document_is_found_and_removed_by_the_name_it_has(veridic: Veridic, tmp_path: Path) -> None:
    (tmp_path / NAME).write_text(QUOTED)
    assert veridic("ingest", NAME).status == 0
    assert QUOTED in veridic("show", NAME).out
    assert veridic("ask", "-q", QUESTION, "--scope", NAME, "--strictness", "loose").status == 0
    assert veridic("remove", NAME).out == "1 document removed\n"
