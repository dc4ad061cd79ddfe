"""The judges at a service of their own beside the same ones here: what a request costs, and what comes of a kill.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.judge_service [--seconds 30] [--batch 10]`.
Questions and passages of XQuAD are paired anew for each request, as both sides remember what they judged. By turns a
single client asks here and there; then one, four and sixteen ask at once. In the end four ask whole questions while
the service is killed, and after it was started again.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock

import httpx

from veridic.knowledge.ingest import Text
from veridic.models.judges_by_name import judge_named
from veridic.ports.judging import RetrievalEvaluator
from veridic.settings import Settings
from veridic_lab.benchmarks.asking import GIVEN, Held, holding, say
from veridic_lab.evaluation.merged import passages_of
from veridic_lab.training.pairs import find, read_rows

SET = "xquad_en"
PORT = 8791
JUDGES = ("small", "base")
CLIENTS = (1, 4, 16)
TURNS = 40
"""Requests by turns here and there."""
ASKED, ASKERS = 40, 4
"""Whole questions before the kill, while the service is away, and afterwards, and how many at once."""


class Pairs:
    """Requests of so many pairs, none of which is asked twice."""

    def __init__(self, questions: list[str], texts: list[Text], batch: int) -> None:
        self._questions, self._texts, self._batch = questions, texts, batch
        self._drawn, self._lock = random.Random(0), Lock()  # noqa: S311 - a sample
        self._asked: set[tuple[int, int]] = set()

    def fresh(self) -> list[tuple[str, str]]:
        """A request."""
        found: list[tuple[str, str]] = []
        with self._lock:
            while len(found) < self._batch:
                one = self._drawn.randrange(len(self._questions)), self._drawn.randrange(len(self._texts))
                if one not in self._asked:
                    self._asked.add(one)
                    found.append((self._questions[one[0]], self._texts[one[1]].text))
        return found


def main() -> None:
    """Ask here and there, at once, and around a kill."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--seconds", type=float, default=30.0, help="Of each measure of pairs a second")
    options.add_argument("--batch", type=int, default=10, help="Pairs of a request")
    told = options.parse_args()
    data = Path(os.environ["VERIDIC_DATA"])
    questions = [row["question"] for row in read_rows(find(data, f"{SET}.qa"))]
    texts = list(passages_of(data, [SET]))
    with TemporaryDirectory() as folder:
        cache = Path(folder)
        for name in JUDGES:
            with serving(cache, name) as (address, _):
                pairs = Pairs(questions, texts, told.batch)
                here = _evaluator(name, Settings(judges=name, cache=cache))
                there = _evaluator(name, Settings(judges=address, cache=cache))
                _by_turns(name, pairs, here, there)
                for clients in CLIENTS:
                    rates = [_rate(pairs, one, clients, told.seconds) for one in (here, there)]
                    say(f"{name}, {clients} clients: pairs a second here {rates[0]:.0f}, there {rates[1]:.0f}")
        _killed(cache, questions, texts)


@contextmanager
def serving(cache: Path, judges: str) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A judge service once it is ready: its address and its process."""
    address = f"http://127.0.0.1:{PORT}"
    veridic = str(Path(sys.executable).with_name("veridic"))
    environment = {**os.environ, "VERIDIC_JUDGES": judges, "VERIDIC_CACHE": str(cache / "there")}
    process = subprocess.Popen([veridic, "judges", "serve", "--port", str(PORT)], env=environment)  # noqa: S603 - our own
    try:
        while not _is_ready(f"{address}/health"):
            time.sleep(0.2)
        yield address, process
    finally:
        process.kill()
        process.wait()


def _is_ready(route: str) -> bool:
    try:
        return httpx.get(route, timeout=5).is_success
    except httpx.TransportError:
        return False


def _evaluator(name: str, settings: Settings) -> RetrievalEvaluator:
    evaluator = judge_named(name, settings).evaluator
    if evaluator is None:
        raise SystemExit(f"{name} grades no passages.")
    evaluator.score([("Who?", "Nobody.")], deadline=inf)
    return evaluator


def _by_turns(name: str, pairs: Pairs, here: RetrievalEvaluator, there: RetrievalEvaluator) -> None:
    """What the way there adds to a request."""
    took: list[list[float]] = [[], []]
    for _ in range(TURNS):
        for spent, evaluator in zip(took, (here, there), strict=True):
            asked, began = pairs.fresh(), time.perf_counter()
            evaluator.score(asked, deadline=inf)
            spent.append(1000 * (time.perf_counter() - began))
    middle = [statistics.median(spent) for spent in took]
    say(f"{name}, a request: {middle[0]:.0f} ms here, {middle[1]:.0f} there; {middle[1] - middle[0]:.1f} added")


def _rate(pairs: Pairs, evaluator: RetrievalEvaluator, clients: int, seconds: float) -> float:
    """Pairs a second of so many clients, each of which asks as soon as it is answered."""
    began = time.perf_counter()

    def asked(_client: int) -> int:
        judged = 0
        while time.perf_counter() < began + seconds:
            judged += len(evaluator.score(pairs.fresh(), deadline=inf))
        return judged

    with ThreadPoolExecutor(clients) as threads:
        judged = sum(threads.map(asked, range(clients)))
    return judged / (time.perf_counter() - began)


def _killed(cache: Path, questions: list[str], texts: list[Text]) -> None:
    """What whole questions come to before, while the service is away, and after it was started again."""
    with serving(cache, "base") as (address, process):
        own = cache / "asking"
        with holding(texts, judges=address, cache=own) as held, ThreadPoolExecutor(ASKERS) as threads:
            parts = [questions[start : start + ASKED] for start in (0, ASKED, 2 * ASKED)]
            say(f"before: {_came(held, threads, parts[0])}")
            running = [threads.submit(_outcome, held, question) for question in parts[1]]
            while sum(one.done() for one in running) < ASKED // 4:
                time.sleep(0.01)
            done = sum(one.done() for one in running)
            process.kill()
            say(f"killed after {done} of {ASKED}: {dict(Counter(one.result() for one in running[done:]))}")
            with serving(cache, "base"):
                say(f"started again: {_came(held, threads, parts[2])}")


def _came(held: Held, threads: ThreadPoolExecutor, questions: list[str]) -> dict[str, int]:
    return dict(Counter(threads.map(lambda question: _outcome(held, question), questions)))


def _outcome(held: Held, question: str) -> str:
    """What a question came to, and whether its judges failed."""
    result = held.asked(question)
    came = "verified" if result["outcome"] in GIVEN else result["outcome"]
    return f"{came}, a judge failed" if result["failures"] else came


if __name__ == "__main__":
    main()
