"""What Python programs call beside the graph: documents, runs, threads, and what was learned."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from veridic.resources import held_knowledge_base
from veridic.settings import Settings

if TYPE_CHECKING:
    from veridic.knowledge.base import Knowledge
    from veridic.knowledge.corpus import Corpus


def opened(settings: Settings | None) -> "closing[Knowledge]":
    """The knowledge base that the settings name, else the process's own; closed after. Raises `StoreMissing`."""
    return closing(held_knowledge_base(settings or Settings.load()))


@contextmanager
def opened_corpus(settings: Settings | None) -> "Iterator[Corpus]":
    """Its documents and records. Raises `StoreMissing`."""
    with opened(settings) as knowledge:
        yield knowledge.corpus
