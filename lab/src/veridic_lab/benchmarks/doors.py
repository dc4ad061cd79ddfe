"""Every system through every door: twenty questions over the shipped examples, by command line, Python and server.

Run from a checkout: `python -m veridic_lab.benchmarks.doors [--model extractive] [--systems a,b] [--doors
cli,python,server]`. It prints, for each system and door, how many answers held an accepted one, how many were given
without one, how many questions were left unanswered, and every path that was walked with its number.
"""

import argparse
import json
import os
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from langgraph_sdk import get_sync_client

from veridic import Settings, build_graph, ingest
from veridic.graph.systems import SYSTEMS
from veridic_lab.evaluation.answers import holds_alias

BIN = Path(sys.executable).parent
QUESTIONS = Path(__file__).with_name("questions.jsonl")
Ask = Callable[[str], tuple[dict[str, Any], list[str]]]
"""A question to the result and the nodes that ran; the command line tells these in its output."""


def main() -> None:
    """Ask every question of every system through every door."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--model", default="extractive")
    options.add_argument("--systems", default=",".join(name for name, one in SYSTEMS.items() if not one.chat_grades))
    options.add_argument("--doors", default="cli,python,server")
    told = options.parse_args()
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    with TemporaryDirectory() as folder:
        os.environ |= {"VERIDIC_KB": f"{folder}/kb.sqlite", "VERIDIC_MODEL": told.model, "VERIDIC_WRITE_BACK": "off"}
        ingest("examples")
        for door in told.doors.split(","):
            with DOORS[door]() as opened:
                for system in told.systems.split(","):
                    sys.stdout.write(f"{door} {system}: {counted(opened(system), rows)}\n")
                    sys.stdout.flush()


def counted(ask: Ask, rows: list[dict[str, Any]]) -> str:
    """What became of the questions, and the paths."""
    outcomes, paths = Counter[str](), Counter[str]()
    for row in rows:
        result, steps = ask(row["question"])
        silent = result["outcome"] == "abstained"
        right = not silent and holds_alias(result["answer"], row.get("answers", []))
        outcomes["silent" if silent else "right" if right else "other"] += 1
        paths[" ".join(steps)] += 1
    walked = "".join(f"\n    {number:2} × {path}" for path, number in paths.most_common())
    return f"{dict(outcomes)}{walked}"


@contextmanager
def command_line() -> Iterator[Callable[[str], Ask]]:
    """`veridic ask`, a process a question; the steps are those it prints."""

    def opened(system: str) -> Ask:
        def ask(question: str) -> tuple[dict[str, Any], list[str]]:
            command = [BIN / "veridic", "ask", "--system", system, question]
            shown = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False).stdout  # noqa: S603 - ours
            steps = [line[2:] for line in shown.splitlines() if line.startswith("→ ")]
            outcome = next(word for word in ("abstained", "unverified", "partial", "corrected", "accepted")
                           if f"\n{word}" in shown)  # fmt: skip
            return {"outcome": outcome, "answer": shown.partition("\n\n")[2]}, steps

        return ask

    yield opened


@contextmanager
def python() -> Iterator[Callable[[str], Ask]]:
    """The compiled graph, streamed."""

    def opened(system: str) -> Ask:
        graph = build_graph(system=system, settings=Settings.load())
        return lambda question: _read(graph.stream({"question": question}, stream_mode=["custom", "values"]))

    yield opened


@contextmanager
def server() -> Iterator[Callable[[str], Ask]]:
    """`langgraph dev` on a free port, asked through the SDK."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [BIN / "langgraph", "dev", "--no-browser", "--no-reload", "--port", str(port)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)  # noqa: S603 - ours
    ready = threading.Event()

    def drain() -> None:
        for line in process.stdout or ():
            if "Application started up" in line:
                ready.set()

    threading.Thread(target=drain, daemon=True).start()
    ready.wait(180)
    with get_sync_client(url=f"http://127.0.0.1:{port}") as client:

        def opened(system: str) -> Ask:
            def ask(question: str) -> tuple[dict[str, Any], list[str]]:
                stream = client.runs.stream(
                    None, system, input={"question": question}, stream_mode=["custom", "values"]
                )
                return _read((part.event, part.data) for part in stream)

            return ask

        yield opened
    process.terminate()
    process.wait(30)


def _read(stream: Any) -> tuple[dict[str, Any], list[str]]:  # noqa: ANN401 - of LangGraph or its SDK
    """The result and the steps of one run's stream."""
    state: dict[str, Any] = {}
    steps: list[str] = []
    for mode, item in stream:
        if mode == "values":
            state = item
        elif mode == "custom" and item["event"] == "step":
            steps.append(item["node"])
    return state["result"], steps


DOORS = {"cli": command_line, "python": python, "server": server}

if __name__ == "__main__":
    main()
