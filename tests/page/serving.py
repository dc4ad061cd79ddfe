"""`veridic serve` over documents of a test's own."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.served.hosts import running
from veridic.api.documents import ingest
from veridic.settings import Settings


@dataclass(frozen=True)
class Served:
    """A server that runs."""

    url: str
    """Of the page."""
    kb: Path

    @property
    def settings(self) -> Settings:
        """To look into its knowledge base from here."""
        return Settings(kb=str(self.kb))


@contextmanager
def served(folder: Path, documents: Path | None, **settings: str) -> Iterator[Served]:
    """A server over these documents, with these settings; it ends with the block."""
    kb = folder / "kb.sqlite"
    if documents:
        ingest(documents, settings=Settings(kb=str(kb)))
    with running("veridic", kb, folder=folder, **settings) as host:
        yield Served(f"{host.url}/veridic/", kb)
