"""A queue of jobs is kept by a database alone; where there is none it is refused with what to do."""

from pathlib import Path

import pytest

from tests.cli.conftest import Veridic


@pytest.mark.parametrize(
    "words",
    [
        ("ingest", "--queue", "."),
        ("worker",),
        ("jobs", "list"),
        ("jobs", "retry", "--all"),
        ("jobs", "remove", "1"),
    ],
    ids=" ".join,
)
def test_a_file_has_no_queue(veridic: Veridic, tmp_path: Path, words: tuple[str, ...]) -> None:
    shown = veridic(*words)
    assert (shown.status, shown.out) == (2, "")
    assert f"There is no queue of jobs at {tmp_path / 'kb.sqlite'}" in shown.err
    assert "VERIDIC_KB=postgresql://" in shown.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("other", ["--prune", "--reembed"])
def test_what_is_queued_is_that_alone(veridic: Veridic, other: str) -> None:
    assert veridic("ingest", "--queue", other, ".").status == 2


def test_what_became_of_files_can_be_read_by_programs(veridic: Veridic, tmp_path: Path) -> None:
    (tmp_path / "mill.txt").write_text("The mill was built in 1820.")
    shown = veridic("ingest", "--json", "mill.txt")
    assert (shown.status, f'"added": [\n    "{tmp_path / "mill.txt"}"' in shown.out) == (0, True)
