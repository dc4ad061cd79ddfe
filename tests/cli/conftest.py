"""Run the command line in this process."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from veridic.api.documents import ingest
from veridic.cli import main
from veridic.knowledge.store import Store
from veridic.settings import Settings

EXAMPLES = Path(__file__).parents[2] / "examples"


@dataclass(frozen=True)
class Outcome:
    """What a command printed, and its exit status."""

    status: int
    out: str
    err: str


Veridic = Callable[..., Outcome]


@pytest.fixture
def veridic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Veridic:
    """The program, with a knowledge base of the test's own, in an empty folder, and no chat model."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VERIDIC_KB", str(tmp_path / "kb.sqlite"))
    monkeypatch.setenv("VERIDIC_MODEL", "extractive")
    monkeypatch.setenv("COLUMNS", "200")

    def run(*words: str) -> Outcome:
        monkeypatch.setattr(sys, "argv", ["veridic", *words])
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        code = ended.value.code
        return Outcome(code if isinstance(code, int) else int(bool(code)), shown.out, shown.err)

    return run


@pytest.fixture(scope="session")
def examples_held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A knowledge base of the shipped examples, to be copied."""
    chosen = Settings(kb=str(tmp_path_factory.mktemp("examples") / "kb.sqlite"), model="extractive")
    ingest(EXAMPLES, settings=chosen)
    return Path(chosen.kb)


@pytest.fixture
def ready(veridic: Veridic, examples_held: Path, tmp_path: Path) -> Veridic:
    """The program whose knowledge base holds the shipped examples."""
    with Store(examples_held) as store:
        store.copy_to(tmp_path / "kb.sqlite")
    return veridic
