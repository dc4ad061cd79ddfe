from __future__ import annotations

from pathlib import Path

import pytest

from tests.training.small_sets import write_sets
from veridic.training.written.documents import written_documents

FEW = written_documents()[:4]


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The standard sets in small."""
    return write_sets(tmp_path_factory.mktemp("data"))


@pytest.fixture(autouse=True)
def _few_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the documents written for training a few: all of them take half a minute to read."""
    for module in ("veridic.training.mixture", "veridic.training.reading.mixture"):
        monkeypatch.setattr(f"{module}.written_documents", lambda: FEW)
