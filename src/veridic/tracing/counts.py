"""Counts for Prometheus, of this process since it began: what runs came to, what steps took, what was consumed."""

from collections.abc import Mapping
from typing import Any

from prometheus_client import Counter, Histogram

RUNS = Counter("veridic_runs", "Runs that came to an end.", ["system", "outcome"])
CHECKS = Counter("veridic_checks", "Texts that were checked.", ["outcome"])
SECONDS = Histogram(
    "veridic_step_seconds",
    "How long a step took.",
    ["step"],
    buckets=(0.001, 0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60),
)
LASTED = Histogram(
    "veridic_run_seconds",
    "How long it took from a question to its answer.",
    ["system"],
    buckets=(0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120),
)
USED = Counter("veridic_used", "What runs consumed.", ["what"])
LEARNED = Counter("veridic_learned", "Answers that were looked at for learning, by what became of them.", ["decision"])
FAILED = Counter("veridic_failures", "Parts of runs that failed; the runs went on without them.", ["step"])
SENT = Counter("veridic_queries_sent", "Queries that left for a place outside.", ["source"])


def count(system: str, step: str, update: Mapping[str, Any], *, seconds: float, lasted: float) -> None:
    """Count what a step wrote; `lasted` are the seconds since its run began."""
    SECONDS.labels(step).observe(seconds)
    for what, number in _value(update, "usage", {}).items():
        USED.labels(what).inc(number)
    for failure in _value(update, "failures", []):
        FAILED.labels(failure["node"]).inc()
    for sent in _value(update, "sent", []):
        if not sent["cached"]:
            SENT.labels(sent["source"]).inc()
    if step == "finish" and "result" in update:
        RUNS.labels(system, update["result"]["outcome"]).inc()
        LASTED.labels(system).observe(lasted)
    if step == "write_back" and "result" in update:
        decision = update["result"]["write_back"]
        if decision is not None:
            became = decision["status"] if decision["written"] else "refreshed" if decision["refreshed"] else "refused"
            LEARNED.labels(became).inc()
    if "report" in update:
        CHECKS.labels(update["report"]["outcome"]).inc()


def _value(update: Mapping[str, Any], channel: str, otherwise: Any) -> Any:  # noqa: ANN401 - any channel's
    """What was written to a channel, be it LangGraph's way to begin it anew."""
    written = update.get(channel, otherwise)
    return getattr(written, "value", written)
