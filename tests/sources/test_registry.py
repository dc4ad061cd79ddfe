import subprocess
import sys

import pytest

from veridic.context import SOURCE_NAMES
from veridic.errors import InvalidSetting
from veridic.settings import Settings
from veridic.sources.registry import OPENERS, open_sources


def test_every_name_has_a_source() -> None:
    assert set(OPENERS) == set(SOURCE_NAMES)


def test_none_is_open_unless_it_is_named() -> None:
    assert open_sources(Settings(sources=())) == ({}, {})


def test_what_cannot_be_used_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TAVILY_API_KEY", raising=False)
    usable, unusable = open_sources(Settings(sources=("web", "arxiv", "wikipedia")))
    assert list(usable) == ["arxiv", "wikipedia"]
    assert [source.name for source in usable.values()] == ["arxiv", "wikipedia"]
    assert list(unusable) == ["web"]
    assert "TAVILY_API_KEY" in unusable["web"]


def test_an_allow_list_that_cannot_be_read_is_told_at_once() -> None:
    with pytest.raises(InvalidSetting, match="allow_hosts"):
        open_sources(Settings(allow_hosts=("localhost",)))


def test_no_client_is_imported_before_it_is_used() -> None:
    code = (
        "import sys; from veridic.settings import Settings; from veridic.sources.registry import open_sources;"
        "open_sources(Settings(sources=('wikipedia', 'arxiv', 'web'), tavily_api_key='k'));"
        "print([m for m in ('wikipedia', 'arxiv', 'tavily', 'bs4', 'langchain_community', 'trafilatura')"
        " if m in sys.modules])"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip() == "[]"
    )
