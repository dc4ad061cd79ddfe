from __future__ import annotations

from pathlib import Path

import pytest

from tests.lab.training.small_sets import write_sets


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The standard sets in small."""
    return write_sets(tmp_path_factory.mktemp("data"))
