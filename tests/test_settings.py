"""What the settings find out by themselves."""

import os
import sys

import pytest

from veridic.settings import Settings, usable_cpus


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
