"""Which adapter stands behind which protocol; opened once a process."""

import time
from functools import cache
from pathlib import Path

from veridic.protocols import Resources
from veridic.settings import Settings


class SystemClock:
    """The machine's time."""

    def now(self) -> float:
        """Seconds since the epoch."""
        return time.time()


def open_resources(settings: Settings) -> Resources:
    """Open every adapter the settings name. Models load at first use, not here.

    A knowledge base that holds nothing yet is filled from `settings.docs`. Raises
    `InvalidSetting`, `KnowledgeError`, `UnknownModel`.
    """
    from veridic.knowledge import open_knowledge
    from veridic.models.chat import open_chat
    from veridic.models.cross_encoder import open_judges
    from veridic.models.embedder import OnnxEmbedder
    from veridic.sources import open_sources

    embedder = OnnxEmbedder(threads=settings.threads)
    evaluator, critic = open_judges(settings.judge, threads=settings.threads)
    knowledge = open_knowledge(Path(settings.kb), settings.namespace, embedder)
    sources, unusable = open_sources(settings)
    return Resources(
        settings=settings,
        knowledge=knowledge.corpus,
        evaluator=evaluator,
        critic=critic,
        embedder=embedder,
        chat=open_chat(settings),
        sources=sources,
        unusable=unusable,
        experience=knowledge.experience,
        decisions=knowledge.decisions,
        clock=SystemClock(),
    )


@cache
def default_resources() -> Resources:
    """The process's own resources, from the environment and `veridic.toml`."""
    return open_resources(Settings.load())
