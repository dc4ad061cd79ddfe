"""What the settings find out by themselves."""

import os
import re
import sys
from pathlib import Path

import pytest

import veridic
from veridic.errors import InvalidSetting
from veridic.settings import GONE, Settings, usable_cpus


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process is not held to some processors")
def test_no_more_threads_than_processors_that_may_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5, 7})
    assert usable_cpus() == Settings.load().threads == 3
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(64)))
    assert Settings.load().threads == 8


def test_where_that_is_not_told_all_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 6)
    assert Settings.load().threads == 6
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert Settings.load().threads == 1


def test_an_unknown_name_of_the_environment_is_told_once_with_the_nearest(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("VERIDIC_NAMESPACES", "mine")
    monkeypatch.setenv("veridic_kb", "kb.sqlite")
    monkeypatch.setenv("VERIDIC_DEBUG", "1")
    Settings.load()
    Settings.load()
    assert [one.getMessage() for one in caplog.records] == [
        "No setting is called 'VERIDIC_NAMESPACES'. Did you mean VERIDIC_NAMESPACE?"
    ]


@pytest.mark.parametrize(
    ("key", "said"), [("modle", "No setting is called 'modle'. Did you mean model?"), ("zzz", "docs/settings.md")]
)
def test_an_unknown_key_of_the_file_is_refused_with_the_nearest(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, key: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "veridic.toml").write_text(f'{key} = "x"\n')
    with pytest.raises(InvalidSetting, match=re.escape(said)):
        Settings.load()


def test_what_a_knowledge_base_begins_with_is_for_the_one_that_the_same_file_names(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "veridic.toml").write_text('kb = "own.sqlite"\nbegin_with = "examples"\n')
    assert Settings.load().begin_with == "examples"
    assert Settings.load(kb="other.sqlite").begin_with is None
    assert Settings.load(kb="other.sqlite", begin_with="notes").begin_with == "notes"
    monkeypatch.setenv("VERIDIC_KB", "other.sqlite")
    assert Settings.load().begin_with is None
    monkeypatch.setenv("VERIDIC_BEGIN_WITH", "notes")
    assert Settings.load().begin_with == "notes"


@pytest.mark.parametrize("address", ["127.0.0.1:8971", "user:secret@127.0.0.1:8971?key=secret"])
def test_an_address_without_http_is_refused_at_once(address: str) -> None:
    with pytest.raises(InvalidSetting) as raised:
        Settings.load(base_url=address)
    assert str(raised.value) == (
        "base_url is '127.0.0.1:8971' and does not begin with http:// or https://. Write http://127.0.0.1:8971."
    )


@pytest.mark.parametrize("name", GONE)
def test_a_setting_that_is_gone_is_refused_with_what_took_its_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    with pytest.raises(InvalidSetting, match=re.escape(GONE[name])):
        Settings.load(**{name: "x"})
    monkeypatch.setenv(f"VERIDIC_{name.upper()}", "x")
    with pytest.raises(InvalidSetting, match=re.escape(f"VERIDIC_{name.upper()} is gone. {GONE[name]}")):
        Settings.load()


@pytest.mark.parametrize("name", veridic.GONE)
def test_a_public_name_that_is_gone_tells_what_took_its_place(name: str) -> None:
    with pytest.raises(AttributeError, match=re.escape(veridic.GONE[name])):
        getattr(veridic, name)


def test_judges_are_here_or_at_an_address() -> None:
    assert Settings(judges="small").judges_at is None
    assert Settings(judges="http://10.0.0.7:8766").judges_at == "http://10.0.0.7:8766"
    with pytest.raises(InvalidSetting, match=r"Write base, small, or http://HOST:PORT\."):
        Settings.load(judges="large")
