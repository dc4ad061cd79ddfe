"""Every test starts from the defaults: no setting of this machine reaches it."""

import os

import pytest


@pytest.fixture(autouse=True)
def default_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("VERIDIC_") or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)
