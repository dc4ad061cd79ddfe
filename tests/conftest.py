"""Every test starts from the defaults: no setting of this machine reaches it."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from veridic.models.opened import CHATS
from veridic.sources.pace import PACE

HERE = Path(__file__).parent
QUICK = ("VERIDIC_JUDGES", "small")
"""The judge that is quick, for fixtures of modules and other processes too; tests of the base judge ask for it."""
os.environ.update([QUICK])

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


LONG = ("quality", "docs", "served", "cli", "tracing")
"""Folders with the files that take longest: they come first, so that both workers end at the same time."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.relative_to(HERE).parts[0] not in LONG)


@pytest.fixture(autouse=True)
def default_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("VERIDIC_", "OTEL_")) or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)
    monkeypatch.setenv(*QUICK)


@pytest.fixture
def verifying_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    """The judges that ship for everyone: the small one alone promises nothing, so that it verifies nothing."""
    pytest.importorskip("veridic_judge_base")
    monkeypatch.setenv("VERIDIC_JUDGES", "base")


@pytest.fixture(autouse=True)
def no_host_rests(monkeypatch: pytest.MonkeyPatch) -> None:
    """What another test's server asked for is not held against one at the same port."""
    monkeypatch.setattr(PACE, "_resting", {})


@pytest.fixture(autouse=True)
def no_chat_model_is_open() -> None:
    """One that asked another test's server is not asked again by the port that this test's server got."""
    CHATS.clear()
