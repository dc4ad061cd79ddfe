from __future__ import annotations

import io

from veridic.cli.steps import steps_shown
from veridic.cli.terminal import Terminal


def test_the_step_that_runs_is_shown_until_a_draft_is_written() -> None:
    terminal = Terminal(file=io.StringIO(), width=200, force_terminal=True)
    with steps_shown(terminal) as show:
        show({"event": "step", "node": "generate"})
        terminal.file.write("DRAFT")
        show({"event": "token", "node": "generate", "attempt": 0, "text": "The"})
        terminal.file.write("WRITTEN")
        terminal.print("The bridge")
        terminal.file.write("DONE")
    written = str(terminal.file.getvalue())  # type: ignore[attr-defined]
    assert "→ generate: writing an answer" in written
    during = written.partition("WRITTEN")[2].partition("DONE")[0]
    assert "generate" not in during


def test_without_a_terminal_no_step_is_shown() -> None:
    console = Terminal(file=io.StringIO(), width=200)
    with steps_shown(console) as show:
        show({"event": "step", "node": "generate"})
    assert str(console.file.getvalue()) == ""  # type: ignore[attr-defined]
