"""An opened knowledge base in a new file, or a new database, and a folder of documents.

A test of what both kinds do runs on each; one that asks for the file's `path`, or is marked `sqlite`, on that alone.
"""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.fakes.embedder import HashingEmbedder
from tests.knowledge.postgres import emptied, served
from veridic.knowledge.base import Knowledge, open_knowledge
from veridic.ports.embedding import Embedder

Opener = Callable[..., Knowledge]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kb" / "knowledge.sqlite"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "place" in metafunc.fixturenames:
        asked = inspect.signature(metafunc.function).parameters
        alone = "path" in asked or metafunc.definition.get_closest_marker("sqlite")
        both = ["sqlite", *([] if alone else [pytest.param("postgres", marks=pytest.mark.postgres)])]
        metafunc.parametrize("place", both, indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A fake is not asked once for each store."""
    asked = [one for one in items if not (one.get_closest_marker("postgres") and "fake" in one.name.split("[")[-1])]
    config.hook.pytest_deselected(items=[one for one in items if one not in set(asked)])
    items[:] = asked


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a server of PostgreSQL."""
    with served() as address:
        yield address


@pytest.fixture
def place(request: pytest.FixtureRequest, path: Path) -> Path | str:
    """Where the knowledge base is: a file, or a database that is new."""
    return emptied(request.getfixturevalue("server")) if request.param == "postgres" else path


@pytest.fixture
def opener(place: Path | str) -> Iterator[Opener]:
    """Opens the same one again, as another process would."""
    opened: list[Knowledge] = []

    def again(embedder: Embedder | None = None, namespace: str = "default", **more: int) -> Knowledge:
        opened.append(open_knowledge(place, namespace, embedder or HashingEmbedder(), **more))
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
