"""Several servers on one database: what one keeps, the others have, whatever becomes of it or of the database."""

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

import httpx
import pytest

from tests.knowledge.postgres import fresh, started
from tests.served.hosts import EXAMPLES, Host, running
from veridic.api.history import logged_run
from veridic.knowledge.base import open_store
from veridic.ports.access import Access
from veridic.server.keys import Keys
from veridic.settings import Settings

pytestmark = pytest.mark.postgres
QUESTIONS = (
    "When was the Halden Ridge Observatory founded?",
    "What does an adult ticket cost?",
    "Who founded the Halden Ridge Observatory?",
    "Who is not at Halden Ridge?",
)
PATIENCE = 60.0
"""Seconds until something has to have come."""


def asked(host: Host, question: str, **more: object) -> httpx.Response:
    return httpx.post(f"{host.url}/veridic/ask", json={"question": question, **more}, timeout=120)


def status(host: Host, route: str) -> int:
    return httpx.get(f"{host.url}/veridic/{route}", timeout=30).status_code


class TestTwo:
    @pytest.fixture
    def database(self, server: str) -> str:
        return fresh(server)

    @pytest.fixture
    def both(self, database: str, tmp_path: Path) -> Iterator[tuple[Host, Host]]:
        own = {"begin_with": EXAMPLES, "own_kb": "false"}
        with (
            running("veridic", database, folder=tmp_path, **own) as one,
            running("veridic", database, folder=tmp_path, **own) as other,
        ):
            yield one, other

    def test_one_is_killed_and_nothing_is_lost(self, both: tuple[Host, Host], database: str) -> None:
        here, there = both
        first = asked(here, "Who founded the Halden Ridge Observatory?", thread="a").json()
        assert first["short_answer"] == "Ingrid Solvang"

        def client(number: int) -> list[tuple[str, str, str]]:
            """Ask one server, and the other where that one is gone."""
            got = []
            for at in range(3):
                question, hosts = QUESTIONS[(number + at) % len(QUESTIONS)], both if number % 2 else both[::-1]
                if (number, at) == (0, 1):
                    os.kill(here.pid, signal.SIGKILL)
                try:
                    result = asked(hosts[0], question).json()
                except httpx.TransportError:
                    result = asked(hosts[1], question).json()
                got.append((question, result["question"], result["run_id"]))
            return got

        with ThreadPoolExecutor(16) as pool:
            told = [one for many in pool.map(client, range(16)) for one in many]
        assert len(told) == 48
        settings = Settings.load(kb=database)
        for question, answered, run_id in told:
            assert answered == question == logged_run(run_id, settings=settings)["question"]
        second = asked(there, "And when was it founded?", thread="a").json()
        assert ("Halden Ridge" in second["standalone"], "1911" in second["short_answer"]) == (True, True)
        assert not any("Traceback" in line for line in there.log)

    def test_a_rate_and_a_key_are_those_of_both(self, database: str, tmp_path: Path) -> None:
        own = {"begin_with": EXAMPLES, "own_kb": "false", "api_keys": "database", "rate": "4/day"}
        with open_store(database) as store:
            key = Keys(lambda: cast("Access", store.access)).add("anna", "default", "asks")
        with (
            running("veridic", database, folder=tmp_path, **own) as one,
            running("veridic", database, folder=tmp_path, **own) as other,
        ):
            routes = [f"{host.url}/veridic/documents" for host in (one, other, one, other, one, other)]
            told = [httpx.get(route, headers={"x-api-key": key}, timeout=60).status_code for route in routes]
            assert told == [200, 200, 200, 200, 429, 429]
            assert httpx.get(routes[0], headers={"x-api-key": "vk_guess"}, timeout=60).status_code == 401
            assert status(one, "ready") == 200


def test_a_database_that_goes_away_and_comes_back(tmp_path: Path) -> None:
    with (
        started() as postgres,
        running("veridic", fresh(postgres.address), folder=tmp_path, begin_with=EXAMPLES, own_kb="false") as host,
    ):
        assert (status(host, "ready"), asked(host, QUESTIONS[0]).status_code) == (200, 200)
        postgres.stop()
        told = httpx.get(f"{host.url}/veridic/ready", timeout=30)
        assert (told.status_code, told.json()) == (503, {"status": "not ready", "unreachable": ["knowledge base"]})
        assert status(host, "health") == 200
        refused = asked(host, QUESTIONS[0])
        assert (refused.status_code, refused.json()["error"], refused.json()["retryable"]) == (
            503,
            "StoreUnavailable",
            True,
        )
        assert "PostgreSQL" in refused.json()["mend"]
        postgres.start()
        ends = time.time() + PATIENCE
        while status(host, "ready") != 200:
            assert time.time() < ends
        assert asked(host, QUESTIONS[0]).status_code == 200
        assert not any("Traceback" in line for line in host.log)


def test_a_judge_service_that_is_not_there_is_told(server: str, tmp_path: Path) -> None:
    judges = running("judges", tmp_path / "none.sqlite")
    with judges as service:
        own = {"begin_with": EXAMPLES, "own_kb": "false", "judges": service.url, "cache": str(tmp_path / "cache")}
        with running("veridic", fresh(server), folder=tmp_path, **own) as host:
            ends = time.time() + PATIENCE
            while status(host, "ready") != 200:
                assert time.time() < ends
            os.kill(service.pid, signal.SIGKILL)
            ends = time.time() + PATIENCE
            while status(host, "ready") == 200:
                assert time.time() < ends
            told = httpx.get(f"{host.url}/veridic/ready", timeout=30).json()
            assert told["unreachable"] == ["judges"]
            assert status(host, "health") == 200
