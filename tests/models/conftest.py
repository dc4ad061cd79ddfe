"""The embedded model, fetched once into the usual cache."""

import os

import pytest
from platformdirs import user_cache_path

from veridic.models.chat.adapter import LangChainChat
from veridic.models.chat.by_name import open_chat
from veridic.settings import Settings


@pytest.fixture(scope="session")
def embedded() -> LangChainChat:
    """The real model. Where there is no package index, VERIDIC_OFFLINE=1 leaves its tests out; else they fail."""
    if os.environ.get("VERIDIC_OFFLINE") == "1":
        pytest.skip("VERIDIC_OFFLINE=1")
    chat = open_chat(Settings.load(model="embedded", threads=1, cache=user_cache_path("veridic")))
    assert chat is not None
    chat.prepare()
    return chat
