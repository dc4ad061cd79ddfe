"""Reading in a process of its own: what a library does with a hostile file is bounded from outside.

The process is started for the first file that needs it (`python -m veridic.knowledge.readers.process LIMITS`) and
reads one file after another. It is asked by a line of JSON, `{"path", "bytes"}`, with the file's bytes after it, and
answers with a line: the document, or `{"problem", "mend"}`. It ends itself at its limits of time and memory, so that
none is left behind where the process that started it is gone.
"""

import faulthandler
import json
import os
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any, cast

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers import files
from veridic.knowledge.readers.model import ParsedDocument
from veridic.knowledge.readers.pandoc import hold_to
from veridic.ports.file_limits import FileLimits

IN_PLACE = frozenset({".txt", ".text", ".log"})
"""Extensions of files that are read in this process if they are UTF-8: by our own code alone, in time that grows with
their size."""

OUT_OF_MEMORY = 3
"""The exit status of a process that came to the end of its memory."""


class ReadingProcess:
    """Parses files one at a time, within the limits; for one thread. To be closed."""

    def __init__(self, limits: FileLimits) -> None:
        """Nothing is started yet."""
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None

    def parse(self, path: Path, content: bytes) -> ParsedDocument:
        """What `files.parse` gives, or `DocumentUnreadable`."""
        if path.suffix.lower() in IN_PLACE and _is_utf8(content):
            return files.parse(path, content, self._limits)
        used, began = self._process is not None, time.monotonic()
        told = self._asked(path, content)
        if told is None:
            late = time.monotonic() - began >= self._limits.seconds
            status = self._ended()
            if used and not late:  # the files before may have worn it out
                return self.parse(path, content)
            raise self._limits.too_long() if late else self._broken(status)
        if "problem" in told:
            raise DocumentUnreadable(told["problem"], told["mend"])
        return ParsedDocument.of(told)

    def close(self) -> None:
        """End the process, whatever it does."""
        if self._process is not None:
            self._process.kill()
            self._ended()

    def _asked(self, path: Path, content: bytes) -> dict[str, Any] | None:
        """What comes back; None when the process ended instead. Raises `DocumentUnreadable`."""
        try:
            self._process = self._process or _started(self._limits)
        except OSError as error:
            raise DocumentUnreadable(
                f"The process that reads files cannot be started ({error.strerror}).", "Free memory, then ingest again."
            ) from error
        source, sink = cast("IO[bytes]", self._process.stdin), cast("IO[bytes]", self._process.stdout)
        try:
            source.write(line({"path": str(path), "bytes": len(content)}))
            source.write(content)
            source.flush()
        except BrokenPipeError:
            return None
        reply = sink.readline()
        return json.loads(reply) if reply.endswith(b"\n") else None

    def _ended(self) -> int:
        """The exit status of a process that is at its end; the next file finds a new one."""
        process, self._process = cast("subprocess.Popen[bytes]", self._process), None
        process.communicate()
        return process.returncode

    def _broken(self, status: int) -> DocumentUnreadable:
        if status == OUT_OF_MEMORY:
            return self._limits.too_large()
        return DocumentUnreadable(
            f"Its reader broke down (status {status}).", "Open it in its own program and save it again."
        )


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _started(limits: FileLimits) -> "subprocess.Popen[bytes]":
    """A process that finds the modules this one finds, and none in the working directory."""
    return subprocess.Popen(  # noqa: S603 - this interpreter and a module of ours
        [sys.executable, "-P", "-m", "veridic.knowledge.readers.process", json.dumps(asdict(limits))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            "MALLOC_ARENA_MAX": "1",  # an arena for each thread counts as memory that nobody uses
        },
    )


def line(told: dict[str, Any]) -> bytes:
    """Anything as one line of JSON."""
    return json.dumps(told).encode() + b"\n"


def main() -> None:
    """Read files until there are no more."""
    limits = FileLimits(**json.loads(sys.argv[1]))
    hold_to("RLIMIT_AS", limits.memory_bytes)
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # what a library prints is no reply
    with open(os.devnull, "wb") as nowhere:
        while request := source.readline():
            asked = json.loads(request)
            faulthandler.dump_traceback_later(limits.seconds, exit=True, file=nowhere)
            reply = _reply(Path(asked["path"]), source.read(asked["bytes"]), limits)
            faulthandler.cancel_dump_traceback_later()
            sink.write(reply)
            sink.flush()


def _reply(path: Path, content: bytes, limits: FileLimits) -> bytes:
    try:
        return line(asdict(files.parse(path, content, limits)))
    except DocumentUnreadable as error:
        return line({"problem": error.problem, "mend": error.mend})
    except MemoryError:
        os._exit(OUT_OF_MEMORY)  # to raise takes memory, and what was read is held until then


if __name__ == "__main__":
    main()
