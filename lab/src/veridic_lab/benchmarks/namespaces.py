"""A thousand tries to see another's rows in one database, also by statements that forget whose rows they ask for.

Run: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.namespaces --out DIR [--tries 1000]`. Ten namespaces hold a
passage of their own in every table that is searched. Each try asks in one of them for what only another one holds: by a
search, by an id, by a change, or by a bare statement without a condition.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable
from math import inf
from pathlib import Path

from veridic.errors import VeridicError
from veridic.knowledge.base import Knowledge, open_knowledge
from veridic.knowledge.ingest import Text, ingest_texts
from veridic.knowledge.postgres.partitions import TABLES
from veridic.models.embedder import OnnxEmbedder
from veridic_lab.benchmarks.asking import say
from veridic_lab.benchmarks.postgres import database, serving

NAMESPACES = 10
VAULT = "The vault of {0} opens with the number {0}{0}."
"""Of a namespace, by its number."""


def main() -> None:
    """Try, and count what was seen."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--tries", type=int, default=1000)
    told = options.parse_args()
    told.out.mkdir(parents=True, exist_ok=True)
    drawn, seen, tries = random.Random(0), Counter[str](), Counter[str]()  # noqa: S311 - no secret is drawn
    with serving(told.out / "postgres") as address:
        place = database(address, "namespaces")
        held = [open_knowledge(place, f"n{number}", OnnxEmbedder()) for number in range(NAMESPACES)]
        for number, one in enumerate(held):
            ingest_texts([Text(f"vault {number}", f"Vault {number}", VAULT.format(number))], one.corpus)
        for _ in range(told.tries):
            here, there = drawn.sample(range(NAMESPACES), 2)
            name = drawn.choice(list(WAYS))
            tries[name] += 1
            seen[name] += WAYS[name](held[here], held[there], there)
        for name, count in sorted(tries.items()):
            say(f"{name}: {count} tries, {seen[name]} rows of another")
        whole = all(one.corpus.status().documents == 1 for one in held)
        say(f"all: {tries.total()} tries, {seen.total()} rows; every namespace holds its own: {whole}")
        for one in held:
            one.close()


def _searched(here: Knowledge, _there: Knowledge, number: int) -> int:
    [found] = here.corpus.search([f"With which number does the vault of {number} open?"], limit=20, deadline=inf)
    return sum(VAULT.format(number) in one["text"] for one in found)


def _opened(here: Knowledge, there: Knowledge, _number: int) -> int:
    [document] = there.corpus.documents()
    try:
        here.corpus.document(document.id)
    except VeridicError:
        return 0
    return 1


def _removed(here: Knowledge, there: Knowledge, _number: int) -> int:
    [document] = there.corpus.documents()
    here.corpus.remove_all([document.id])
    return 1 - there.corpus.status().documents


def _without_condition(here: Knowledge, _there: Knowledge, number: int) -> int:
    """Rows of another, of every table where it is named, and of all chunks where nobody is."""
    with here.corpus.store.reading() as connection:
        named = [f"SELECT namespace FROM {table} WHERE namespace = 'n{number}'" for table in TABLES]
        rows = [row[0] for query in (*named, "SELECT namespace FROM chunks") for row in connection.execute(query)]
    return len(rows) - rows.count(here.corpus.namespace)


def _changed(here: Knowledge, _there: Knowledge, _number: int) -> int:
    with here.corpus.store.writing() as connection:
        changed: int = connection.execute("UPDATE documents SET title = title").rowcount
    return changed - 1


WAYS: dict[str, Callable[[Knowledge, Knowledge, int], int]] = {
    "a search": _searched,
    "another's id": _opened,
    "another's id, to remove it": _removed,
    "a statement without a condition": _without_condition,
    "a change without a condition": _changed,
}


if __name__ == "__main__":
    main()
