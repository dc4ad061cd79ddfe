"""What the graph itself costs: every collaborator an instant fake, 200 questions, the median per question.

Run from the checkout: `python -m veridic_lab.benchmarks.graph_overhead`.
"""

from statistics import median
from time import perf_counter

from tests.fakes.chat import ScriptedChat
from tests.fakes.judges import OverlapCritic, OverlapEvaluator, OverlapReader, WordDetector
from tests.fakes.knowledge import ListDecisions, ListExperience, ListKnowledge
from tests.graph.world import BRIDGE, LIBRARY, FakeClock

from veridic.graph.builder import build_graph
from veridic.runtime.run import Resources
from veridic.settings import Settings

QUESTIONS = 200
PATHS = {
    "accepted": "When was the Alder Bridge opened?",
    "abstained after every retry": "Who painted the Sistine Chapel?",
}


def resources() -> Resources:
    """Everything instant, nothing on disk."""
    knowledge = ListKnowledge({"Alder Bridge": BRIDGE, "Marsh Library": LIBRARY})
    return Resources(
        settings=Settings.load(model="extractive"),
        knowledge=knowledge,
        evaluator=OverlapEvaluator(),
        sifter=OverlapEvaluator(),
        critic=OverlapCritic(),
        reader=OverlapReader(),
        detector=WordDetector(),
        embedder=knowledge.embedder,
        chat=ScriptedChat(always="The Alder Bridge was opened in 1932 by mayor Clara Voss."),
        grader=None,
        sources={},
        unusable={},
        experience=ListExperience(),
        decisions=ListDecisions(),
        clock=FakeClock(),
    )


def main() -> None:
    """Print the median and the 95th percentile of each path, in milliseconds."""
    graph = build_graph(resources())
    for name, question in PATHS.items():
        seconds = []
        for _ in range(QUESTIONS):
            began = perf_counter()
            graph.invoke({"question": question})
            seconds.append(perf_counter() - began)
        seconds.sort()
        print(f"{name}: median {1000 * median(seconds):.1f} ms, p95 {1000 * seconds[int(0.95 * QUESTIONS)]:.1f} ms")  # noqa: T201


if __name__ == "__main__":
    main()
