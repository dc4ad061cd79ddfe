"""An opened knowledge base on a new file, and a folder of documents."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.fakes.embedder import HashingEmbedder
from veridic.knowledge.base import Knowledge, open_knowledge
from veridic.ports.embedding import Embedder

Opener = Callable[..., Knowledge]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kb" / "knowledge.sqlite"


@pytest.fixture
def opener(path: Path) -> Iterator[Opener]:
    """Opens the same file again, as another process would."""
    opened: list[Knowledge] = []

    def again(embedder: Embedder | None = None, namespace: str = "default", **more: int) -> Knowledge:
        opened.append(open_knowledge(path, namespace, embedder or HashingEmbedder(), **more))
        return opened[-1]

    yield again
    for knowledge in opened:
        knowledge.close()


@pytest.fixture
def knowledge(opener: Opener) -> Knowledge:
    return opener()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three documents on different matters."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "bridge.md").write_text("# Alder Bridge\n\nThe Alder Bridge was opened in 1932 by mayor Clara Voss.\n")
    (folder / "library.txt").write_text("The Marsh Library holds ninety thousand books.\n\nIt was restored in 2004.\n")
    (folder / "tea.md").write_text("# Tea\n\n## Green\n\nGreen tea is steamed.\n\n## Black\n\nBlack tea is oxidised.\n")
    return folder
