"""The tools that run a graph: a question answered, a text checked.

A call that is cancelled closes the stream of its run: no further node begins, and the one at work, whose thread nobody
can stop, ends by its own deadline with nobody listening.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import Any, cast

from veridic.context import Context
from veridic.evidence.code_blocks import with_code_fenced
from veridic.evidence.telling import marked, sources_of
from veridic.graph.tool import told
from veridic.ports.shapes import Result
from veridic.ports.shapes.checking import CheckResult
from veridic.server.mcp.desk import Desk
from veridic.server.mcp.shapes import Answered, AskArguments, CheckArguments, Checked
from veridic.server.mcp.telling import told_check
from veridic.state import CheckInput, InputState

Tell = Callable[[float, float | None, str], Awaitable[None]]
"""How much is done, of how much if that is known, and what is being done."""


async def ask(asked: AskArguments, desk: Desk, tell: Tell) -> tuple[Answered, str]:
    """Answer a question; each step that begins is told. Raises `VeridicError`."""
    given, context = InputState(question=asked.question), Context(scope=asked.scope)
    result, steps = None, 0
    stream = desk.graph(asked.system).astream(given, context=context, stream_mode=["custom", "values"])
    async with aclosing(cast("Any", stream)) as parts:
        async for mode, item in parts:
            if mode == "values":
                result = item.get("result", result)
            elif item["event"] == "step":
                steps += 1
                await tell(steps, None, item["node"])
    whole = cast("Result", result)
    return _answered(whole), told(whole)


async def check(asked: CheckArguments, desk: Desk, tell: Tell) -> tuple[Checked, str]:
    """Check a text against the documents alone; how many sentences are judged is told. Raises `VeridicError`."""
    given, context = CheckInput(text=asked.text), Context(scope=asked.scope, sources=())
    report, done = None, 0
    async with aclosing(cast("Any", desk.checking.astream(given, context=context, stream_mode="values"))) as states:
        async for state in states:
            report = state.get("report", report)
            judged = len({one["sentence_start"] for one in state.get("checked", [])})
            if judged > done:
                done = judged
                await tell(done, len(state["statements"]), "sentences")
    whole = cast("CheckResult", report)
    return _checked(whole), told_check(whole)


def _answered(result: Result) -> Answered:
    return Answered(
        run_id=result["run_id"],
        system=result["system"],
        outcome=result["outcome"],
        reason=result["reason"],
        stopped_by=result["stopped_by"],
        short_answer=result["short_answer"],
        confidence=result["confidence"],
        answer=result["answer"],
        cited_answer=marked(*with_code_fenced(result["answer"], result["sentences"])),
        sentences=result["sentences"],
        sources=sources_of(result["sentences"]),
        conflicts=result["conflicts"],
        withheld=len(result["flagged"]),
        outside=result["sources"],
        failures=result["failures"],
        write_back=result["write_back"],
        usage=result["usage"],
    )


def _checked(report: CheckResult) -> Checked:
    return Checked(
        run_id=report["run_id"],
        outcome=report["outcome"],
        reason=report["reason"],
        stopped_by=report["stopped_by"],
        counts=report["counts"],
        claims=report["claims"],
        conflicts=report["conflicts"],
        withheld=len(report["flagged"]),
        failures=report["failures"],
        usage=report["usage"],
    )
