"""The laboratory's tests run the command line as the product's do; all that takes minutes is asked for, by `-m`."""

from pathlib import Path

import pytest

from tests.cli.conftest import veridic as veridic

HERE = Path(__file__).parent
ALWAYS = (HERE / "test_smoke.py", HERE / "drafts")
"""What takes seconds."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what takes minutes with `lab`."""
    for item in items:
        at_once = any(place in (item.path, *item.path.parents) for place in ALWAYS)
        if HERE in item.path.parents and not at_once:
            item.add_marker("lab")
