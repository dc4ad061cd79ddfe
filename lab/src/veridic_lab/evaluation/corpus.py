"""A suite's documents as a knowledge base, made once and kept."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from veridic.errors import UsageError
from veridic.knowledge.base import Knowledge
from veridic.knowledge.ingest import Text, ingest, ingest_texts
from veridic.models.by_settings import open_embedder
from veridic.settings import Settings
from veridic_lab.evaluation.measuring import Told
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.suite import Suite


def digest_of(documents: Sequence[Text]) -> str:
    """Names a corpus by what is in it."""
    parts = sorted(f"{one.url}\0{one.title}\0{one.text}" for one in documents)
    return hashlib.sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()[:12]


def settings_for(suite: Suite, settings: Settings, out: Path) -> Settings:
    """The settings of a run: its own knowledge base, nothing from outside.

    A suite's is shared between runs, in the cache; one's own documents are kept in the run's folder.
    """
    if suite.folder:
        place = out / "knowledge.sqlite"
    else:
        embedder = open_embedder(settings).fingerprint
        place = settings.cache / "bench" / f"{suite.name}-{digest_of(suite.documents)}-{embedder}.sqlite"
    place.parent.mkdir(parents=True, exist_ok=True)
    return settings.model_copy(
        update={"kb": str(place.absolute()), "docs": None, "sources": (), "namespace": "default"}
    )


def fill(suite: Suite, knowledge: Knowledge, settings: Settings, told: Told) -> None:
    """Take the suite's documents in; what is there is left. Raises what ingestion raises."""
    if suite.folder:
        report = ingest([suite.folder], knowledge.corpus, prune=True, limits=settings.file_limits, progress=told)
        if report.unreadable:
            first = report.unreadable[0]
            raise UsageError(
                f"{first.path}: {first.reason}", "A run needs all documents: mend the file or take it out."
            )
    else:
        ingest_texts(suite.documents, knowledge.corpus, progress=told)


def with_addresses(suite: Suite, knowledge: Knowledge) -> Suite:
    """Own questions' gold file names as the addresses that citations carry. Raises `UsageError`."""
    if not suite.folder:
        return suite
    addresses = [one.url for one in knowledge.corpus.documents()]
    return replace(suite, questions=tuple(_addressed(one, addresses) for one in suite.questions))


def _addressed(question: GoldQuestion, addresses: Sequence[str]) -> GoldQuestion:
    gold = []
    for name in question.gold:
        found = [address for address in addresses if address == name or address.endswith(f"/{name}")]
        if len(found) != 1:
            raise UsageError(
                f"Question {question.id}: {len(found) or 'no'} documents are called {name!r}.",
                "Name gold documents by their path inside the folder.",
            )
        gold.append(found[0])
    return replace(question, gold=tuple(gold))
