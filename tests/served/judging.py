"""Applications at a free port of the loopback, in a thread of this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import uvicorn

from veridic.models.endpoint import Endpoint
from veridic.models.opened import ENDPOINTS
from veridic.server.batching import Batcher
from veridic.server.callers import address_of, listening_at
from veridic.server.judge_service import judges_app
from veridic.server.metrics import Metrics
from veridic.settings import Settings


@contextmanager
def at_port(app: Any) -> Iterator[str]:
    """The address of an application that is served until the block ends."""
    listening = listening_at("127.0.0.1", 0)
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off", timeout_graceful_shutdown=1))
    thread = Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield address_of(listening, "127.0.0.1")
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


@contextmanager
def served(cache: Path, *, judges: str = "small", key: str | None = None, **batches: Any) -> Iterator[str]:
    """The address of a judge service with these settings."""
    metrics = Metrics()
    batcher = Batcher(metrics, **batches)
    app = judges_app(Settings(judges=judges, judges_key=key, cache=cache, threads=1), batcher, metrics)
    try:
        with at_port(app) as address:
            yield address
    finally:
        batcher.close()


@contextmanager
def asking(address: str, key: str = "") -> Iterator[Endpoint]:
    """An endpoint whose connections end with the block."""
    endpoint = Endpoint(address, key)
    try:
        yield endpoint
    finally:
        endpoint.close()


def forget_endpoints() -> None:
    """End the connections of all endpoints that the process holds."""
    for _, held in ENDPOINTS._places.values():
        for one in held:
            one.close()
    ENDPOINTS.clear()
