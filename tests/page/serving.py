"""`veridic serve` as a process of its own, on a free port."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from veridic.documents import ingest
from veridic.settings import Settings

ADDRESS = re.compile(r"http://\S+/veridic/")


@dataclass(frozen=True)
class Served:
    """A server that runs."""

    url: str
    kb: Path

    @property
    def settings(self) -> Settings:
        """To look into its knowledge base from here."""
        return Settings(kb=str(self.kb))


@contextmanager
def served(folder: Path, documents: Path | None, **environment: str) -> Iterator[Served]:
    """A server over these documents, with these settings; it ends with the block."""
    kb = folder / "kb.sqlite"
    if documents:
        ingest(documents, settings=Settings(kb=str(kb)))
    own = {name: value for name, value in os.environ.items() if not name.startswith("VERIDIC_")}
    source = Path(__file__).parents[2] / "src"
    settings = {"PYTHONPATH": str(source), "VERIDIC_RATE": "5000/minute", "PYTHONUNBUFFERED": "1", **environment}
    command = [sys.executable, "-c", "from veridic.cli import main; main()", "serve", "--kb", str(kb), "--port", "0"]
    process = subprocess.Popen(
        [*command, "--model", "extractive"],
        env=own | settings,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield Served(_address(process), kb)
    finally:
        process.terminate()
        process.wait(30)
        process.stdout.close()


def _address(process: "subprocess.Popen[str]") -> str:
    """What the server prints once it listens."""
    lines = []
    for line in process.stdout or ():
        lines.append(line)
        if found := ADDRESS.search(line):
            return found.group()
    raise AssertionError("".join(lines))
