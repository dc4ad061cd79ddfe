"""Aegra with API keys and two workers: who is let in, whose a thread is, and what a follow-up on it means.

Run from a checkout: `python -m veridic_lab.benchmarks.aegra_keys --out DIR --aegra PYTHON`, which asks for what
`benchmarks.aegra` asks for. Anna and Ben have a key each, for namespaces of their own; the examples lie in Anna's.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
from langgraph_sdk import get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from veridic.api.documents import ingest
from veridic.settings import Settings
from veridic_lab.benchmarks.aegra import PATIENCE, PORT, ROOT, Place, broker_at, served, settings_of
from veridic_lab.benchmarks.asking import say
from veridic_lab.benchmarks.postgres import database, serving

SYSTEM = "veridic"
ASKED = ("When was Halden Ridge Observatory founded?", "And who paid for its first dome?")
"""A question and one that leans on it."""


def main() -> None:
    """Serve, make keys, try."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--aegra", type=Path, required=True)
    told = options.parse_args()
    told.out.mkdir(parents=True, exist_ok=True)
    with serving(told.out / "postgres") as address, ExitStack() as stack:
        name = int(time.time())
        runs, knowledge = database(address, f"aegra_{name}"), database(address, f"knowledge_{name}")
        ingest(ROOT / "examples", settings=Settings.load(kb=knowledge, namespace="anna"))
        broker = stack.enter_context(broker_at(PORT - 1))
        own = {"VERIDIC_API_KEYS": "database", "VERIDIC_OPEN_TO": "loopback"}
        place = Place(runs, knowledge, {**settings_of(runs, knowledge), **own, "REDIS_URL": broker})
        keys = {caller: _keys(told.aegra, place, "add", caller, "--namespace", caller) for caller in ("anna", "ben")}
        stack.enter_context(served(told, place, PORT, workers=0))
        for one in (1, 2):
            stack.enter_context(served(told, place, PORT + one, workers=1))
        _tried(_client(keys["anna"]), _client(keys["ben"]))
        _keys(told.aegra, place, "remove", "ben")
        say(f"Ben, whose key was taken back: {_refused(_client(keys['ben']).threads.create)}")


def _tried(anna: SyncLangGraphClient, ben: SyncLangGraphClient) -> None:
    """Who is let in, what Anna gets, and what Ben gets of it."""
    for named, key in (("no key", ""), ("another key", "made-up")):
        say(f"{named}: {_refused(_client(key).threads.create)}")
    thread = anna.threads.create()["thread_id"]
    for question in ASKED:
        say(f"Anna: {question} {_answer(anna, thread, question)}")
    tries: Mapping[str, Callable[[], Any]] = {
        "read": lambda: ben.threads.get(thread),
        "its state": lambda: ben.threads.get_state(thread),
        "its history": lambda: ben.threads.get_history(thread),
        "its runs": lambda: ben.runs.list(thread),
        "ask on it": lambda: ben.runs.wait(thread, SYSTEM, input={"question": ASKED[0]}),
        "rename it": lambda: ben.threads.update(thread, metadata={"owner": "ben"}),
        "remove it": lambda: ben.threads.delete(thread),
        "change an assistant": lambda: ben.assistants.update(_assistant(ben), name="mine"),
        "keep in the store": lambda: ben.store.put_item(["anna"], "one", {"text": "one"}),
    }
    for named, tried in tries.items():
        say(f"Ben, Anna's thread, {named}: {_refused(tried)}")
    say(f"Ben finds {len(ben.threads.search())} threads, Anna {len(anna.threads.search())}")
    say(f"Ben, on his own: {ASKED[0]} {_answer(ben, ben.threads.create()['thread_id'], ASKED[0])}")


def _assistant(client: SyncLangGraphClient) -> str:
    return client.assistants.search()[0]["assistant_id"]


def _client(key: str) -> SyncLangGraphClient:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return get_sync_client(url=f"http://127.0.0.1:{PORT}", headers=headers, timeout=PATIENCE)


def _answer(client: SyncLangGraphClient, thread: str, question: str) -> str:
    found: Any = client.runs.wait(thread, SYSTEM, input={"question": question})
    result = found["result"]
    return f"({result['standalone']}) {result['outcome']}: {' '.join(result['answer'].split())}"


def _refused(tried: Callable[[], Any]) -> str:
    """The status that a try is refused with, or how much it brought where a list was asked for."""
    try:
        found = tried()
    except httpx.HTTPStatusError as error:
        return str(error.response.status_code)
    return f"{len(found)} of them" if isinstance(found, list) else "DONE"


def _keys(aegra: Path, place: Place, *words: str) -> str:
    """What `veridic keys` says, which is the key where one is made."""
    environment = {**os.environ, **place.settings}
    command: Sequence[str] = [str(aegra.with_name("veridic")), "keys", *words]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)  # noqa: S603
    return done.stdout.split()[-1] if done.stdout.split() else ""


if __name__ == "__main__":
    main()
