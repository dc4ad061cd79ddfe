"""What tutorials and how-tos tell a reader to run is run, and prints what they show."""

from collections.abc import Iterator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from shutil import copytree, which

import pytest
from opentelemetry import trace

from tests.docs.blocks import DOCS, PAGES, Block, blocks_of, commands_of, fits
from tests.docs.shell import Shell, shell
from veridic import resources
from veridic.tracing import spans

REASONS = {
    "installs packages",
    "needs a container engine",
    "needs a key",
    "needs a licence",
    "needs Ollama",
    "needs a collector",
    "goes outside",
    "needs the labelled sets",
    "needs minutes of training",
    "needs thirty judged answers",
    "needs the checkout",
    "needs another machine",
    "needs a server of PostgreSQL",
    "fetches the chat model",
}
"""Why a block may say that it is not run."""


@pytest.fixture
def resources_of_its_own() -> Iterator[None]:
    """A page opens the process's resources in a folder of its own; nobody else gets them."""
    for each in (resources.own_settings, resources._opened, resources._in_namespace):
        each.cache_clear()
    yield
    for each in (resources.own_settings, resources._opened, resources._in_namespace):
        each.cache_clear()


@pytest.mark.usefixtures("resources_of_its_own", "verifying_judges")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.stem}")
def test_what_a_page_runs_prints_what_it_shows(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = [block for block in blocks_of(page) if not block.not_run]
    if not which("curl") and any("curl " in block.text for block in blocks):
        pytest.skip("the page asks a server with curl")
    copytree(DOCS.parent / "examples", tmp_path / "here" / "examples")
    monkeypatch.setattr(
        trace,
        "set_tracer_provider",
        lambda provider: monkeypatch.setattr(spans, "TRACER", provider.get_tracer("veridic")),
    )
    names: dict[str, object] = {"__name__": "page"}
    with shell(tmp_path / "here", monkeypatch) as opened:
        for block in blocks:
            if block.language == "python":
                _python(block, names, page)
            else:
                _shell(block, opened, page)


def test_what_is_not_run_says_why() -> None:
    blocks = [block for page in PAGES for block in blocks_of(page)]
    left_out = [block.not_run for block in blocks if block.not_run]
    assert set(left_out) == REASONS
    assert len(left_out) < len(blocks) / 2


def test_what_is_shown_is_held_against_what_is_printed() -> None:
    assert fits("1911; Ingrid Solvang\n…\naccepted …\n", "1911; Ingrid Solvang\n\nso\naccepted (0.85)\n")
    assert not fits("1911; Ingrid Solvang\n", "1912; Ingrid Solvang\n")
    assert not fits("one\n", "one\ntwo\n")
    block = Block(1, "console", "$ veridic ask \\\n  -q A\nshown\n\nmore\n$ echo $?\n3\n", "", "")
    assert commands_of(block) == [("veridic ask   -q A", "shown\n\nmore\n"), ("echo $?", "3\n")]


def _python(block: Block, names: dict[str, object], page: Path) -> None:
    printed = StringIO()
    code = compile("\n" * block.line + block.text, page, "exec")
    with redirect_stdout(printed):
        exec(code, names)  # noqa: S102 - the page's own code
    if block.shown:
        assert fits(block.shown, printed.getvalue()), f"{page.name}:{block.line}\n{printed.getvalue()}"


def _shell(block: Block, opened: Shell, page: Path) -> None:
    for command, shown in commands_of(block):
        where = f"{page.name}:{block.line}: {command}"
        asks = command.strip() == "echo $?"
        assert asks or opened.status == 0, f"before {where}\nstatus {opened.status}"
        printed = opened.run(command)
        if shown:
            assert fits(shown, printed), f"{where}\n{printed}"
    assert opened.status == 0, f"{page.name}:{block.line}: status {opened.status}"
