"""Opening a knowledge base: its corpus, its experience and its decision log."""

from dataclasses import dataclass
from pathlib import Path

from veridic.knowledge.corpus import Corpus
from veridic.knowledge.decisions import Decisions
from veridic.knowledge.experience import Experience
from veridic.knowledge.store import Store
from veridic.protocols import Embedder


@dataclass(frozen=True)
class Knowledge:
    """One namespace of one knowledge base."""

    corpus: Corpus
    experience: Experience
    decisions: Decisions

    def close(self) -> None:
        """Close the file; nothing of it can be used afterwards."""
        self.corpus.store.close()


def open_knowledge(path: Path, namespace: str, embedder: Embedder) -> Knowledge:
    """Open the knowledge base at `path`, making it when it is not there; the embedder is not used yet.

    Raises `StoreDamaged` when the file is not ours, is broken or is of a newer version, and
    `StoreUnavailable` when it is locked or cannot be written.
    """
    store = Store(path.expanduser().absolute())
    return Knowledge(
        corpus=Corpus(store, namespace, embedder),
        experience=Experience(store, namespace, embedder),
        decisions=Decisions(store, namespace),
    )
