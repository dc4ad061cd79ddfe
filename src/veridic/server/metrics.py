"""What a judge service counts, in Prometheus' text form."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)


class Metrics:
    """The counts of one service, of which a process may have several."""

    def __init__(self) -> None:
        own = CollectorRegistry()
        self._registry = own
        self.requests = Counter("veridic_judges_requests", "Requests, by HTTP status.", ["status"], registry=own)
        self.waiting = Gauge("veridic_judges_waiting", "Requests that wait to be judged.", registry=own)
        self._joined = Histogram(
            "veridic_judges_call_requests", "Requests in one call of a model.", buckets=SIZES, registry=own
        )
        self._pairs = Histogram("veridic_judges_call_pairs", "Pairs in one call.", buckets=SIZES, registry=own)
        self._seconds = Histogram("veridic_judges_call_seconds", "Seconds that one call takes.", registry=own)

    @contextmanager
    def call(self, requests: int, pairs: int) -> Iterator[None]:
        """Count a call of a model, and time it, whether it fails or not."""
        self._joined.observe(requests)
        self._pairs.observe(pairs)
        began = time.perf_counter()
        try:
            yield
        finally:
            self._seconds.observe(time.perf_counter() - began)

    def told(self) -> bytes:
        """All counts, in Prometheus' text form."""
        return generate_latest(self._registry)
