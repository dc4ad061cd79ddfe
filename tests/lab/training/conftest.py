from __future__ import annotations

from pathlib import Path

import pytest

from tests.lab.training.small_sets import write_sets
from veridic_lab.drafts.hands import documents
from veridic_lab.training.written.documents import written_documents
from veridic_lab.training.written.whole import is_held_out

ALL = written_documents()
FEW = [one for held in (True, False) for one in [one for one in ALL if is_held_out(one) is held][:2]]


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The standard sets in small."""
    return write_sets(tmp_path_factory.mktemp("data"))


@pytest.fixture(autouse=True)
def _few_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the documents written for training a few: all of them take half a minute to read."""
    for module in ("cases", "reading.mixture", "written.whole"):
        monkeypatch.setattr(f"veridic_lab.training.{module}.written_documents", lambda: FEW)
    for module in ("cases", "mixture"):
        monkeypatch.setattr(f"veridic_lab.training.{module}.documents", lambda role: documents(role)[:20])
