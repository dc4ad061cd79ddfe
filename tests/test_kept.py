"""Small facts in files: whole or not at all, and none that anybody needs."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from veridic.runtime.kept import Kept


def test_what_is_kept_is_read_and_only_by_its_owner(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "new")
    assert kept.read("a") == {}
    kept.keep("a", {"n": 1})
    kept.keep("a", {"n": 2})
    assert Kept(tmp_path / "new").read("a") == {"n": 2}
    [file] = (tmp_path / "new").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'"text"', b"\xff"])
def test_what_cannot_be_read_is_none(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "a.json").write_bytes(damage)
    assert Kept(tmp_path).read("a") == {}


def test_a_place_that_cannot_be_written_or_is_none_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    for kept in (Kept(tmp_path / "file"), Kept(None)):
        kept.keep("a", {"n": 1})
        kept.trim(1, before=0.0)
        assert kept.read("a") == {}


def test_the_oldest_and_what_is_too_old_make_room(tmp_path: Path) -> None:
    kept = Kept(tmp_path)
    for second in range(5):
        kept.keep(str(second), {"n": second}, now=1000.0 + second)
    kept.trim(3, before=1003.0)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["3.json", "4.json"]


def test_writers_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: Kept(tmp_path).keep("a", {"text": str(n) * 9000}), range(40)))
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]
    assert len(set(Kept(tmp_path).read("a")["text"])) <= 2
