"""What the benchmarks share: a knowledge base that is gone afterwards, the graph over it, writers that do as told."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, cast

from veridic import Context, Settings
from veridic.graph.builder import build_graph
from veridic.knowledge.corpus import Corpus
from veridic.knowledge.ingest import Text, ingest, ingest_texts
from veridic.ports.chat import Prompt, Reply
from veridic.ports.shapes import Result
from veridic.ports.sources import EvidenceSource
from veridic.resources import open_resources
from veridic.runtime.run import Resources

Row = dict[str, Any]
GIVEN = ("accepted", "corrected", "partial")
"""Outcomes of an answer that counts as verified."""


class Says:
    """A chat model that follows instructions, and says to a prompt what a function does."""

    name = "scripted"
    follows_instructions = True
    reflects = False

    def __init__(self, says: Callable[[str], str]) -> None:
        self._says = says

    def prepare(self, *_told: object) -> None:
        """Nothing is to be fetched."""

    def write(self, prompt: Prompt, **_how: object) -> Reply:
        """All at once."""
        return Reply(self._says(f"{prompt.system}\n\n{prompt.user}"), 0, 0, finished=True)


class Held:
    """A knowledge base and the graph over it."""

    def __init__(self, resources: Resources) -> None:
        self.resources = resources
        self.corpus = cast(Corpus, resources.knowledge)
        self.graph = build_graph(resources)

    def asked(self, question: str, context: Context | None = None) -> Result:
        """The result of a question."""
        result: Result = self.graph.invoke({"question": question}, context=context or Context())["result"]
        return result

    def asked_beside(self, question: str, texts: Iterable[Text], context: Context | None = None) -> Result:
        """The result with some documents more, which are taken out again, and with them what was learned."""
        texts = list(texts)
        ingest_texts(texts, self.corpus)
        result = self.asked(question, context)
        learned = [one.url for one in self.corpus.documents() if one.kind == "generated"]
        for url in (*(one.url for one in texts), *learned):
            self.corpus.remove(url)
        return result


@contextmanager
def holding(
    texts: Iterable[Text] = (),
    *,
    files: Mapping[str, str] | None = None,
    says: Callable[[str], str] | None = None,
    sources: Mapping[str, EvidenceSource] | None = None,
    **settings: object,
) -> Iterator[Held]:
    """A knowledge base of texts, and of files by their name, without a chat model unless one is told what to say."""
    with TemporaryDirectory() as folder:
        for name, text in (files or {}).items():
            Path(folder, name).write_text(text, encoding="utf-8")
        chosen: Row = {"model": "extractive", "docs": "", "sources": tuple(sources or ()), "write_back": "off"}
        resources = open_resources(Settings.load(kb=f"{folder}/kb.sqlite", **{**chosen, **settings}))
        if says:
            resources = replace(resources, chat=Says(says))
        if sources:
            resources = replace(resources, sources=sources, unusable={})
        held = Held(resources)
        if files:
            ingest([Path(folder, name) for name in files], held.corpus)
        ingest_texts(texts, held.corpus)
        yield held


def say(*lines: str) -> None:
    """Print lines at once, so that a long run shows where it is."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()
