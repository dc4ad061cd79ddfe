"""The laboratory's tests run the command line as the product's do; all but the smoke are asked for, by `-m`."""

from pathlib import Path

import pytest

from tests.cli.conftest import veridic as veridic

HERE = Path(__file__).parent
ALWAYS = HERE / "test_smoke.py"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what takes minutes with `lab`."""
    for item in items:
        if HERE in item.path.parents and item.path != ALWAYS:
            item.add_marker("lab")
