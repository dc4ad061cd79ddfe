"""A small world for the graph: real knowledge base, judges of word overlap, scripted writer and sources."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import time
from typing import Any

from tests.fakes.embedder import HashingEmbedder
from tests.fakes.judges import OverlapCritic, OverlapEvaluator, OverlapReader, PlainDecision, WordDetector
from veridic.context import Context
from veridic.graph.builder import Graph, build_graph
from veridic.knowledge.base import Knowledge, open_knowledge
from veridic.knowledge.ingest import Text, ingest_texts
from veridic.models.embedder import OnnxEmbedder
from veridic.models.messages import OnnxMessages
from veridic.ports.chat import ChatModel
from veridic.ports.judging import Critic, DraftDecision, InjectionDetector, Reader, RetrievalEvaluator
from veridic.ports.method import Method
from veridic.ports.shapes import Result
from veridic.ports.sources import EvidenceSource
from veridic.resources import seal_key
from veridic.runtime.run import Resources
from veridic.settings import Settings

BRIDGE = (
    "The Alder Bridge was opened in 1932 by mayor Clara Voss. It is 412 metres long. "
    "The toll was abolished in 1967 after a strike of the ferrymen."
)
LIBRARY = "The Marsh Library holds 90,000 books. Its reading room was restored in 2004."


MESSAGES = OnnxMessages(OnnxEmbedder(threads=1))
"""The judge of messages that ships."""


@dataclass
class FakeClock:
    """A clock that moves by `step` seconds each time it is read."""

    step: float = 0.0
    moved: float = 0.0

    def now(self) -> float:
        self.moved += self.step
        return time() + self.moved


@dataclass
class World:
    """What a test changes, and the graph made of it."""

    path: Path
    texts: Mapping[str, str] = field(default_factory=lambda: {"Alder Bridge": BRIDGE, "Marsh Library": LIBRARY})
    chat: ChatModel | None = None
    grader: ChatModel | None = None
    evaluator: RetrievalEvaluator = field(default_factory=OverlapEvaluator)
    sifter: RetrievalEvaluator | None = None
    """The evaluator itself unless given."""
    critic: Critic = field(default_factory=OverlapCritic)
    reader: Reader = field(default_factory=OverlapReader)
    decision: DraftDecision = field(default_factory=PlainDecision)
    detector: InjectionDetector = field(default_factory=WordDetector)
    sources: Mapping[str, EvidenceSource] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)
    clock: FakeClock = field(default_factory=FakeClock)
    method: Method | None = None
    """The system's own unless given."""
    wrap: Callable[[Resources], Resources] = lambda resources: resources

    def resources(self) -> Resources:
        knowledge = self.knowledge()
        settings = Settings.load(**{"kb": str(self.path), "docs": "", "model": "extractive", **self.settings})
        return self.wrap(
            Resources(
                settings=settings,
                knowledge=knowledge.corpus,
                evaluator=self.evaluator,
                sifter=self.sifter or self.evaluator,
                critic=self.critic,
                reader=self.reader,
                decision=self.decision,
                detector=self.detector,
                messages=MESSAGES,
                embedder=knowledge.corpus.embedder,
                chat=self.chat,
                grader=self.grader,
                sources=self.sources,
                unusable={},
                experience=knowledge.experience,
                decisions=knowledge.decisions,
                clock=self.clock,
                seal_key=seal_key(settings, knowledge),
            )
        )

    def knowledge(self) -> Knowledge:
        knowledge = open_knowledge(self.path, "default", HashingEmbedder())
        ingest_texts([Text(url=title, title=title, text=text) for title, text in self.texts.items()], knowledge.corpus)
        return knowledge

    def graph(self, **options: Any) -> Graph:
        return build_graph(self.resources(), **{"method": self.method, **options})

    def ask(self, question: str, **context: Any) -> Result:
        """Ask on a fresh graph; returns the result."""
        return self.graph().invoke({"question": question}, context=Context(**context))["result"]

    def path_of(self, question: str, system: str = "veridic", **context: Any) -> tuple[list[str], Result]:
        """The nodes of a system that ran, in order, and the result."""
        steps: list[str] = []
        result: Any = None
        stream = self.graph(system=system).stream(
            {"question": question}, context=Context(**context), stream_mode=["custom", "values"]
        )
        for mode, item in stream:
            if mode == "values":
                result = item.get("result", result)
            elif item["event"] == "step":
                steps.append(item["node"])
        return steps, result
