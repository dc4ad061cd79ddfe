"""Every example runs as it stands, and says what it is there to say."""

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"

FOUND = ("mayor Clara Voss · Bridges of the county · page 12 · archive/bridges.pdf", "I don't know")
SAID = {
    "own_model": ("chat · too unsure · The first dome was paid", "chat · not supported · The first dome was paid"),
    "own_documents_memory": (
        "mayor Clara Voss · Bridges of the county · page 12 · archive/bridges.pdf",
        "I don't know",
    ),
    "own_documents_faiss": FOUND,
    "own_documents_chroma": (
        "mayor Clara Voss · Bridges of the county · page 12 · archive/bridges.pdf",
        "I don't know",
    ),
    "part_of_a_graph": ("Dear guest, Ingrid Solvang", "Dear guest, a colleague will answer you."),
    "tool_of_an_agent": ("I looked it up. Ingrid Solvang [1]", "\n[1] A short history of the observatory"),
}
NEEDS = {"own_documents_chroma": "langchain_chroma"}


def test_every_example_is_run() -> None:
    assert set(SAID) == {path.stem for path in EXAMPLES.glob("*.py")} - {"embeddings"}


@pytest.mark.usefixtures("verifying_judges")
@pytest.mark.parametrize("name", SAID)
@pytest.mark.filterwarnings("ignore:`langchain-community` is being sunset")
def test_an_example_runs(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(EXAMPLES))
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    shown = capsys.readouterr().out
    assert all(text in shown for text in SAID[name]), shown
