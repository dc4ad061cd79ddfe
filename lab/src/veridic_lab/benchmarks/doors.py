"""Each door played once over the shipped examples, printing what a user sees.

Run from a checkout: `python -m veridic_lab.benchmarks.doors --out DIR [--doors chat,feedback,agents,front_end]`.
`front_end` replays the calls of Agent Chat UI against `langgraph dev`. The page has `make test-page`.
"""

import argparse
import json
import os
import shlex
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anyio
from langgraph_sdk import get_sync_client
from mcp import Client, StdioServerParameters
from tests.served.hosts import BIN, ROOT, running

from veridic_lab.benchmarks.asking import say

EXAMPLES = ROOT / "examples"
WHO, WHEN = "Who founded the Halden Ridge Observatory?", "And when was it founded?"
LONGEST = 1500
"""Characters of what a command printed that are shown."""


def main() -> None:
    """Play the doors that are named."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--doors", default=",".join(DOORS))
    told = options.parse_args()
    told.out.mkdir(parents=True, exist_ok=True)
    for name in told.doors.split(","):
        say(f"\n=== {name}")
        DOORS[name](told.out)


def chat(out: Path) -> None:
    """A conversation with a follow-up, sources and feedback, and its thread listed afterwards."""
    veridic(out, "ingest", str(EXAMPLES))
    lines = [WHO, WHEN, "/sources", "/up", "/export " + str(out / "chat.md"), "When does the shuttle bus leave?"]
    veridic(out, "chat", "--thread", "visit", given="\n".join(lines))
    veridic(out, "chat", "--list")


def feedback(out: Path) -> None:
    """A correction, and what it teaches."""
    run = json.loads(veridic(out, "ask", "--json", "What does an adult ticket cost?", shown=False))["run_id"]
    veridic(out, "feedback", run, "12 euros")
    veridic(out, "log", "export", "--reviewed", "--out", str(out / "log.jsonl"))
    for line in (out / "log.jsonl").read_text(encoding="utf-8").splitlines()[:3]:
        say(f"  {line[:200]}")


def agents(out: Path) -> None:
    """A client of the Model Context Protocol."""
    anyio.run(_talk, environment(out))


async def _talk(names: dict[str, str]) -> None:
    server = StdioServerParameters(command=str(BIN / "veridic"), args=["mcp"], env=names)
    async with Client(server) as client:
        say("  tools: " + ", ".join(tool.name for tool in (await client.list_tools()).tools))
        for tool, given in (
            ("ask", {"question": WHO}),
            ("check", {"text": "The observatory was founded in 1911. It was founded in 1922."}),
            ("search", {"query": "tickets"}),
            ("ask", {"question": " "}),
        ):
            answer = await client.call_tool(tool, given)
            say(f"  {tool} {given}: {str(answer.content[0])[:400]}")


def front_end(out: Path) -> None:
    """What Agent Chat UI sends, and what it shows: a thread, a message, a follow-up."""
    with (
        running("langgraph", out / "front_end.sqlite", begin_with="examples") as host,
        get_sync_client(url=host.url) as client,
    ):
        thread = client.threads.create()["thread_id"]
        for text in (WHO, WHEN):
            message: Any = {"type": "human", "content": [{"type": "text", "text": text}]}
            parts = client.runs.stream(thread, "veridic", input={"messages": [message]}, stream_mode=["values"])
            last = [part.data for part in parts if part.event == "values"][-1]
            say(f"  {text}\n{last['messages'][-1]['content']}")


def veridic(out: Path, *words: str, given: str = "", shown: bool = True) -> str:
    """Run the program over the knowledge base in `out`; what it printed."""
    return command([str(BIN / "veridic"), *words], environment(out), given, shown=shown)


def environment(out: Path) -> dict[str, str]:
    """What the program sees."""
    own = {name: value for name, value in os.environ.items() if not name.startswith(("VERIDIC_", "OTEL_"))}
    return {**own, "VERIDIC_KB": str(out / "kb.sqlite"), "VERIDIC_MODEL": "extractive", "NO_COLOR": "1"}


def command(words: list[str], names: Mapping[str, str], given: str = "", *, shown: bool = True) -> str:
    """Run a command from the checkout; what it printed."""
    done = subprocess.run(words, env=names, input=given, text=True, capture_output=True, cwd=ROOT)  # noqa: S603 - ours
    if shown:
        say(f"$ {shlex.join([Path(words[0]).name, *words[1:]])}", (done.stdout + done.stderr)[-LONGEST:])
        say(f"  exit status {done.returncode}")
    return done.stdout


DOORS: Mapping[str, Callable[[Path], None]] = {
    "chat": chat,
    "feedback": feedback,
    "agents": agents,
    "front_end": front_end,
}


if __name__ == "__main__":
    main()
