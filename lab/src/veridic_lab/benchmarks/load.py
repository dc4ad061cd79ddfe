"""Many clients of one server: whether each gets the answer to its own question, how long it waits, what is left over.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.load --out DIR [--host veridic|langgraph]
[--model NAME] [--clients 16] [--minutes 5]`. The documents are XQuAD's passages. Each question is asked alone first;
then every client asks one after another for as long as is said, and each twentieth request is broken off by its client.
An answer is right for its question when it is the one that was given alone; with a model that draws its words, when it
names the question. In the end the decision log has to hold every run that a client got, with that question and that
answer.
"""

import argparse
import asyncio
import os
import random
import statistics
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import httpx
from tests.served.hosts import Host, running

from veridic.api.history import logged_run
from veridic.knowledge.ingest import ingest_texts
from veridic.resources import open_knowledge_base
from veridic.settings import Settings
from veridic_lab.benchmarks.asking import say
from veridic_lab.evaluation.merged import passages_of
from veridic_lab.training.pairs import find, read_rows

SET = "xquad_en"
QUESTIONS = 120
BROKEN_OFF = 20
"""Each so manieth request is broken off by its client, after a moment."""
MB = 1 << 20


@dataclass
class Found:
    """What the clients saw."""

    seconds: list[float] = field(default_factory=list)
    what: Counter[str] = field(default_factory=Counter)
    got: list[tuple[str, str, str]] = field(default_factory=list)
    """Run, question and short answer of what came whole."""


def main() -> None:
    """Serve, ask, count."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--host", choices=("veridic", "langgraph"), default="veridic")
    options.add_argument("--model", default="extractive")
    options.add_argument("--clients", type=int, default=16)
    options.add_argument("--minutes", type=float, default=5.0)
    told = options.parse_args()
    told.out.mkdir(parents=True, exist_ok=True)
    kb = told.out / "kb.sqlite"
    knowledge = open_knowledge_base(Settings.load(kb=str(kb)))
    ingest_texts(passages_of(Path(os.environ["VERIDIC_DATA"]), [SET]), knowledge.corpus)
    knowledge.close()
    with running(told.host, kb, model=told.model) as host:
        asyncio.run(_measured(host, told))
        _check_log(kb, host)


FOUND = Found()


async def _measured(host: Host, told: argparse.Namespace) -> None:
    asked = [row["question"] for row in read_rows(find(Path(os.environ["VERIDIC_DATA"]), f"{SET}.qa"))][:QUESTIONS]
    async with httpx.AsyncClient(base_url=f"{host.url}/veridic", timeout=600) as client:
        few = asked if told.model == "extractive" else asked[: told.clients]
        alone = {question: (await _answer(client, question))["answer"] for question in few}
        began = time.perf_counter()
        ends = began + 60 * told.minutes
        await asyncio.gather(*(_client(client, number, alone, ends) for number in range(told.clients)))
        whole = time.perf_counter() - began
    waits = sorted(FOUND.seconds)
    say(f"{told.host}, {told.model}: {told.clients} clients, {whole:.0f} s, {len(waits)} answers, {dict(FOUND.what)}")
    p95, rate = waits[int(0.95 * len(waits))], len(waits) / whole
    say(f"p50 {statistics.median(waits):.2f} s, p95 {p95:.2f} s, {rate:.1f} a second")
    say(f"memory {_memory(host)} MB")


async def _client(client: httpx.AsyncClient, number: int, alone: dict[str, str], ends: float) -> None:
    drawn = random.Random(number)  # noqa: S311 - which question comes next is no secret
    while time.perf_counter() < ends:
        question = drawn.choice(list(alone))
        if drawn.randrange(BROKEN_OFF) == 0:
            await _break_off(client, question, drawn.uniform(0.05, 2))
            continue
        began = time.perf_counter()
        try:
            result = await _answer(client, question)
        except (httpx.HTTPError, KeyError) as error:
            FOUND.what[f"error {type(error).__name__}"] += 1
            continue
        FOUND.seconds.append(time.perf_counter() - began)
        FOUND.got.append((result["run_id"], question, result["answer"]))
        own = result["question"] == question
        FOUND.what["mixed" if not own else "as alone" if result["answer"] == alone[question] else "otherwise"] += 1


async def _answer(client: httpx.AsyncClient, question: str) -> dict[str, str]:
    answer = await client.post("ask", json=_unlearned(question))
    answer.raise_for_status()
    told: dict[str, str] = answer.json()
    return told


def _unlearned(question: str) -> dict[str, object]:
    """The question, whose answer is not learned: it would lead others to theirs."""
    return {"question": question, "context": {"write_back": False}}


async def _break_off(client: httpx.AsyncClient, question: str, seconds: float) -> None:
    """Ask for a stream, and go away after a while."""
    FOUND.what["broken off"] += 1
    streamed = client.stream("POST", "ask", json=_unlearned(question), headers={"accept": "text/event-stream"})
    try:
        async with asyncio.timeout(seconds), streamed as answer:
            async for _ in answer.aiter_lines():
                pass
    except TimeoutError:
        return


def _check_log(kb: Path, host: Host) -> None:
    """Whether the log holds every run that a client got."""
    settings = Settings.load(kb=str(kb), model="extractive")
    lost = 0
    for run, question, short in FOUND.got:
        logged = logged_run(run, settings=settings)
        lost += (logged["question"], logged["answer"]) != (question, short)
    troubles = [line for line in host.log if "Traceback" in line or "Blocking" in line]
    say(f"{len(FOUND.got)} runs in the log, {lost} of them otherwise than told; {len(troubles)} tracebacks")


def _memory(host: Host) -> int:
    """Resident memory of the server's processes, in MB."""
    status = Path(f"/proc/{host.pid}/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1]) * 1024 // MB


if __name__ == "__main__":
    main()
