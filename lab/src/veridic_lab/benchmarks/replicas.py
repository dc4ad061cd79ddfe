"""Two servers on one database, many clients, one server killed midway: what is answered, mixed or lost.

Run as root from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.replicas --out DIR [--clients 16]
[--seconds 120] [--servers 2]`. Each server is in a network namespace of its own. A client asks its server, one question
after another, each on a thread of its own conversation; where that server is gone it asks the other the same again. In
the end the log has to hold every run that a client got, with its question, and every conversation all of its runs.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

import httpx

from veridic.api.conversations import thread_runs
from veridic.api.history import logged_run
from veridic.knowledge.ingest import ingest_texts
from veridic.resources import open_knowledge_base
from veridic.settings import Settings
from veridic_lab.benchmarks.asking import say
from veridic_lab.benchmarks.postgres import database, serving
from veridic_lab.evaluation.merged import passages_of
from veridic_lab.training.pairs import find, read_rows

SET = "xquad_en"
PORT = 8765
PATIENCE = 180.0
"""Seconds in which a server has to be ready."""


@dataclass
class Found:
    """What the clients saw."""

    seconds: list[float] = field(default_factory=list)
    what: Counter[str] = field(default_factory=Counter)
    got: list[tuple[int, str, str]] = field(default_factory=list)
    """Client, question and run of what came whole."""


def main() -> None:
    """Serve, ask, kill, count."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--clients", type=int, default=16)
    options.add_argument("--seconds", type=float, default=120.0)
    options.add_argument("--servers", type=int, default=2)
    told = options.parse_args()
    told.out.mkdir(parents=True, exist_ok=True)
    data, found = Path(os.environ["VERIDIC_DATA"]), Found()
    questions = [row["question"] for row in read_rows(find(data, f"{SET}.qa"))]
    with serving(told.out / "postgres") as address, ExitStack() as servers:
        place = database(address, f"replicas_{int(time.time())}")
        knowledge = open_knowledge_base(Settings.load(kb=place))
        ingest_texts(passages_of(data, [SET]), knowledge.corpus)
        knowledge.close()
        hosts = [servers.enter_context(serve(place, number)) for number in range(told.servers)]
        asyncio.run(_asked(hosts, questions, told, found))
        _check(place, found)


@contextmanager
def serve(place: str, number: int) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A server in a network of its own, once it is ready: its address and its process."""
    name, here, there = f"veridic{number}", f"10.77.{number}.1", f"10.77.{number}.2"
    _ip("netns", "add", name)
    try:
        _ip("link", "add", f"v{number}", "type", "veth", "peer", "name", "inside", "netns", name)
        _ip("addr", "add", f"{here}/24", "dev", f"v{number}")
        _ip("link", "set", f"v{number}", "up")
        for inside in (f"addr add {there}/24 dev inside", "link set inside up", "link set lo up"):
            _ip("-n", name, *inside.split())
        settings = {"KB": place, "MODEL": "extractive", "OPEN_TO": "all", "RATE": "900000/minute", "OWN_KB": "false"}
        environment = {**os.environ, **{f"VERIDIC_{key}": value for key, value in settings.items()}}
        veridic = str(Path(sys.executable).with_name("veridic"))
        words = ["ip", "netns", "exec", name, veridic, "serve", "--host", there, "--port", str(PORT)]
        process = subprocess.Popen(words, env=environment)  # noqa: S603 - our own words
        try:
            _await(f"http://{there}:{PORT}/veridic/ready")
            yield f"http://{there}:{PORT}", process
        finally:
            process.kill()
            process.wait()
    finally:
        _ip("netns", "delete", name)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)  # noqa: S603, S607 - our own words


def _await(route: str) -> None:
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        try:
            if httpx.get(route, timeout=5).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.2)
    raise SystemExit(f"{route} is not ready")


async def _asked(
    hosts: Sequence[tuple[str, subprocess.Popen[bytes]]],
    questions: Sequence[str],
    told: argparse.Namespace,
    found: Found,
) -> None:
    addresses = [address for address, _ in hosts]
    began = time.perf_counter()
    async with httpx.AsyncClient(timeout=600) as client, asyncio.TaskGroup() as group:
        for number in range(told.clients):
            own = addresses[number % len(hosts) :] + addresses[: number % len(hosts)]
            asked = questions[number :: told.clients]
            group.create_task(_client(client, number, own, asked, began + told.seconds, found))
        if len(hosts) > 1:
            await asyncio.sleep(told.seconds / 2)
            hosts[0][1].kill()
            say(f"killed one after {told.seconds / 2:.0f} s, {len(found.got)} answers until then")
    whole, waits = time.perf_counter() - began, sorted(found.seconds)
    late, rate = waits[int(0.95 * len(waits))], len(waits) / whole
    say(f"{len(hosts)} servers, {told.clients} clients, {whole:.0f} s: {len(waits)} answers, {dict(found.what)}")
    say(f"p50 {statistics.median(waits):.2f} s, p95 {late:.2f} s, {rate:.2f} a second")


async def _client(
    client: httpx.AsyncClient, number: int, addresses: list[str], questions: Sequence[str], ends: float, found: Found
) -> None:
    for question in cycle(questions):
        if time.perf_counter() > ends:
            return
        began = time.perf_counter()
        for address in addresses:
            sent = {"question": question, "thread": f"client{number}", "context": {"write_back": False}}
            try:
                answer = await client.post(f"{address}/veridic/ask", json=sent)
            except httpx.TransportError:
                found.what["asked the other"] += 1
                continue
            if not answer.is_success:
                found.what[f"status {answer.status_code}"] += 1
                continue
            result = answer.json()
            found.seconds.append(time.perf_counter() - began)
            found.what["own" if result["question"] == question else "mixed"] += 1
            found.got.append((number, question, result["run_id"]))
            break


def _check(place: str, found: Found) -> None:
    """Whether log and threads hold every run that a client got."""
    settings = Settings.load(kb=place, model="extractive")
    lost = sum(logged_run(run, settings=settings)["question"] != question for _, question, run in found.got)
    out = 0
    for number in {client for client, _, _ in found.got}:
        held = [one.run_id for one in thread_runs(f"client{number}", settings=settings)]
        own = [run for client, _, run in found.got if client == number]
        out += sum(run not in held for run in own)
    say(f"{len(found.got)} runs in the log, {lost} otherwise than told; {out} missing from their conversation")


if __name__ == "__main__":
    main()
