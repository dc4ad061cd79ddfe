"""The hosts of our routes, as real processes: LangGraph's own server, and `veridic serve`; and the judges' service."""

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = str(ROOT / "examples")
READY = {"langgraph": "Application started up", "veridic": "Veridic serves at", "judges": "The judges are served at"}
PROGRAMS = {"judges": "veridic"}
BIN = Path(sys.executable).parent


@dataclass
class Host:
    """A server that runs."""

    name: str
    url: str
    pid: int
    log: list[str] = field(default_factory=list)
    """What it printed so far, by lines."""


@contextmanager
def running(name: str, kb: Path | str, *, folder: Path | None = None, **settings: str) -> Iterator[Host]:
    """A host over a knowledge base, `langgraph`, `veridic` or `judges`, extractive, with these settings.

    It starts in the folder of the knowledge base, or in the one that is given. LangGraph's server keeps its runs in
    the folder it starts in: two in one would take each other's. From there it reads the graphs' file.
    """
    folder = folder or Path(kb).parent
    if name == "langgraph" and not (folder / "src").exists():
        (folder / "src").symlink_to(ROOT / "src")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("VERIDIC_")}
    own = {"VERIDIC_KB": str(kb), "VERIDIC_MODEL": "extractive", "VERIDIC_RATE": "900000/minute"}
    given = {f"VERIDIC_{name.upper()}": value for name, value in settings.items()}
    config = ["--config", ROOT / "langgraph.json"]
    words = {
        "langgraph": ["dev", "--no-browser", "--no-reload", *config],
        "veridic": ["serve"],
        "judges": ["judges", "serve"],
    }[name]
    process = subprocess.Popen(
        [BIN / PROGRAMS.get(name, name), *words, "--port", str(port)],
        cwd=folder,
        env={**kept, **own, **given, "LANGGRAPH_NO_VERSION_CHECK": "true", "NO_COLOR": "1", "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    host, ready = Host(name, f"http://127.0.0.1:{port}", process.pid), threading.Event()

    def read() -> None:
        for line in process.stdout or ():
            host.log.append(line)
            if READY[name] in line:
                ready.set()
        ready.set()

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    ready.wait(120)
    while not _listens(port):
        assert process.poll() is None, "".join(host.log)
    try:
        yield host
    finally:
        process.terminate()
        process.wait(30)
        reader.join(10)
        process.stdout.close()


def _listens(port: int) -> bool:
    """Whether a server that has said that it is about to listen does so by now."""
    with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
        return True
    return threading.Event().wait(0.05)
