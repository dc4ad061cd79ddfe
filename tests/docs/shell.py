"""A shell for the pages: `veridic` runs in this process, its models loaded once; everything else in bash."""

import os
import re
import shlex
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import TextIO

import pytest

from veridic.cli import main

BIN = Path(sys.executable).parent
FOR_BASH = {"|", ">", ">>", "<", "&&", "||", "&", ";"}
PORT = "8765"
ASSIGNED = re.compile(r"[A-Z_]+=.*")


class Shell:
    """Runs one page's commands, in one folder and one environment."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        self._patch = patch
        self._port = PORT
        self._server: subprocess.Popen[str] | None = None
        self.status = 0

    def run(self, command: str) -> str:
        """What a command prints; `status` is how it ended."""
        words = shlex.split(command.replace("$?", str(self.status)), comments=True)
        if words[:2] == ["veridic", "serve"] and words[-1] == "&":
            return self._serve(words[:-1])
        if words[0] == "export":
            for one in words[1:]:
                self._patch.setenv(*one.split("=", 1))
            return ""
        if words[0] == "echo" and command.strip() == "echo $?":
            said, self.status = f"{self.status}\n", 0
            return said
        *before, last = [command] if "$(" in command else command.split(" | ")
        printed, piped = StringIO(), ""
        for piece in before:
            out = StringIO()
            self._piece(piece, piped, out, printed)
            piped = out.getvalue()
        self._piece(last, piped, printed, printed)
        return printed.getvalue()

    def _piece(self, command: str, piped: str, out: TextIO, err: TextIO) -> None:
        """A part of a pipe, or a command by itself; what it prints may go into a file."""
        words = shlex.split(command, comments=True)
        if words[-2:-1] == [">"] and not FOR_BASH & set(words[:-2]):
            with open(self._folder / words[-1], "w", encoding="utf-8") as file:
                return self._piece(shlex.join(words[:-2]), piped, file, err)
        given = [word for word in words if ASSIGNED.fullmatch(word)][: _assignments(words)]
        rest = words[len(given) :]
        if rest and rest[0] == "veridic" and not FOR_BASH & set(rest):
            self._here(rest, dict(one.split("=", 1) for one in given), piped, out, err)
        else:
            out.write(self._in_bash(command, piped))
        return None

    def end(self) -> None:
        """Stop the server, if one was started."""
        if self._server is not None:
            self._server.terminate()
            self._server.wait(30)
            assert self._server.stdout is not None
            self._server.stdout.close()

    def _here(self, words: list[str], given: dict[str, str], piped: str, out: TextIO, err: TextIO) -> None:
        with self._patch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            for name, value in given.items():
                patch.setenv(name, value)
            patch.setattr(sys, "argv", words)
            patch.setattr(sys, "stdin", TextIOWrapper(BytesIO(piped.encode())))
            with pytest.raises(SystemExit) as ended:
                main()
        code = ended.value.code
        self.status = code if isinstance(code, int) else int(bool(code))

    def _in_bash(self, command: str, piped: str) -> str:
        path = f"{BIN}{os.pathsep}{os.environ['PATH']}"
        ended = subprocess.run(
            ["bash", "-c", command.replace(f":{PORT}", f":{self._port}")],
            env={**os.environ, "PATH": path},
            cwd=self._folder,
            input=piped,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self.status = ended.returncode
        return ended.stdout.replace(f":{self._port}", f":{PORT}")

    def _serve(self, words: list[str]) -> str:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = str(free.getsockname()[1])
        self._server = subprocess.Popen(
            [BIN / "veridic", *words[1:], "--port", self._port],
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            cwd=self._folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self._server.stdout is not None
        said = next((line for line in self._server.stdout if "serves at" in line), "")
        threading.Thread(target=self._server.stdout.read, daemon=True).start()
        return said.replace(f":{self._port}", f":{PORT}")


def _assignments(words: list[str]) -> int:
    """How many words in front set a variable for the command alone."""
    return next((at for at, word in enumerate(words) if not ASSIGNED.fullmatch(word)), len(words))


@contextmanager
def shell(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[Shell]:
    """A shell in a folder, with a knowledge base of its own and no chat model."""
    patch.chdir(folder)
    for name, value in {
        "VERIDIC_KB": str(folder.parent / "kb.sqlite"),
        "VERIDIC_MODEL": "extractive",
        "COLUMNS": "240",
        "NO_COLOR": "1",
        "TERM": "dumb",
    }.items():
        patch.setenv(name, value)
    opened = Shell(folder, patch)
    try:
        yield opened
    finally:
        opened.end()
