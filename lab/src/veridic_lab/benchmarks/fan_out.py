"""Three sources of half a second each under the graph's fan-out, beside the same three without a wait.

Run from the checkout: `python -m veridic_lab.benchmarks.fan_out`. Side by side they add 0.5 s, one after another 1.5 s.
"""

import time
from dataclasses import replace

from tests.fakes.source import FakeSource

from veridic.graph.builder import build_graph
from veridic.ports.sources import Found
from veridic.sources.passages import Page
from veridic_lab.benchmarks.graph_overhead import resources

QUESTION = "Who painted the Sistine Chapel?"
PAGE = Page("painter", "Sistine Chapel", "https://example.org", "Michelangelo painted the Sistine Chapel, its ceiling.")
NAMES = ("wikipedia", "arxiv", "web")


class SlowSource(FakeSource):
    """Waits before it answers."""

    def __init__(self, name: str, seconds: float) -> None:
        """Finds the page after `seconds`."""
        super().__init__(name, [PAGE])
        self._seconds = seconds

    def search(self, query: str, *, limit: int, deadline: float) -> Found:
        """See `EvidenceSource`."""
        time.sleep(self._seconds)
        return super().search(query, limit=limit, deadline=deadline)


def seconds_with(wait: float) -> float:
    """How long a question takes whose three sources wait."""
    graph = build_graph(replace(resources(), sources={name: SlowSource(name, wait) for name in NAMES}))
    began = time.perf_counter()
    result = graph.invoke({"question": QUESTION})["result"]
    if [sent["source"] for sent in result["sources"]["sent"]].count("web") != 1:
        raise RuntimeError("each source was to be asked once")
    return time.perf_counter() - began


def main() -> None:
    """Print both times, in seconds."""
    instant, slow = min(seconds_with(0.0) for _ in range(3)), seconds_with(0.5)
    print(f"instant sources: {instant:.3f} s; three of 0.5 s each: {slow:.3f} s")  # noqa: T201


if __name__ == "__main__":
    main()
