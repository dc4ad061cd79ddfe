"""The process that reads files: `python -m veridic.knowledge.readers.child LIMITS`, started by `ReadingProcess`.

It is asked by a line of JSON, `{"path", "bytes"}`, with the file's bytes after it, and answers with a line: the
document, or `{"problem", "mend"}`. It ends itself at its limits of time and memory, so that none is left
behind where the process that started it is gone.
"""

import faulthandler
import json
import os
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers.files import parse
from veridic.knowledge.readers.process import OUT_OF_MEMORY, line
from veridic.ports.file_limits import FileLimits


def main() -> None:
    """Read files until there are no more."""
    limits = FileLimits(**json.loads(sys.argv[1]))
    _hold_to(limits.memory_bytes)
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
        return line(asdict(parse(path, content, limits)))
    except DocumentUnreadable as error:
        return line({"problem": error.problem, "mend": error.mend})
    except MemoryError:
        os._exit(OUT_OF_MEMORY)  # to raise takes memory, and what was read is held until then


def _hold_to(memory_bytes: int) -> None:
    """Hold this process to so much memory, where the platform can."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))


if __name__ == "__main__":
    main()
