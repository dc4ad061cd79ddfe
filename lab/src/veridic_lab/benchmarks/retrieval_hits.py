"""How often a gold passage is among the first passages found, as the corpus grows.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.retrieval_hits --out DIR --sizes 5000 44000`.
Held-out questions of Natural Questions and XQuAD; a corpus holds all their gold passages, and passages of every
`*.corpus` file by lot, the same ones and more when it is larger. Embedding takes about 15 ms a passage on two cores;
each knowledge base is kept in the folder, and one that was interrupted goes on. The table is Markdown.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path

from veridic.cli.opening import progress_bar
from veridic.knowledge.ingest import Text, ingest_texts
from veridic.knowledge.opening import Knowledge
from veridic.models.by_settings import open_embedder
from veridic.resources import open_knowledge_base
from veridic.settings import Settings
from veridic_lab.evaluation.corpus import digest_of
from veridic_lab.evaluation.merged import passages_of
from veridic_lab.evaluation.unseen import Unseen
from veridic_lab.training.pairs import find, fraction_of, normalised, read_rows

SETS = ("nq_gold", "xquad_en")
PLACES = (1, 3, 5, 8)
"""How many of the first passages are looked at."""


@dataclass(frozen=True)
class Asked:
    """A question and the passages that answer it."""

    set: str
    text: str
    gold: frozenset[str]


def questions(folder: Path, addresses: Mapping[str, str]) -> Iterator[Asked]:
    """The questions of `SETS` that the judges have not seen, with gold passages as `distinct` names them."""
    unseen = Unseen.read(folder)
    for name in SETS:
        for row in read_rows(find(folder, f"{name}.qa")):
            gold = frozenset(addresses[one] for one in row["gold_doc_ids"] if one in addresses)
            if gold and unseen.allows(name, normalised(row["question"])):
                yield Asked(name, row["question"], gold)


def every_passage(folder: Path) -> Iterator[Text]:
    """The passages of all sets, those of `SETS` first."""
    found = {path.name.partition(".corpus.")[0] for path in folder.rglob("*.corpus.jsonl*")}
    return passages_of(folder, [*SETS, *sorted(found - set(SETS))])


def distinct(passages: Iterable[Text]) -> tuple[list[Text], dict[str, str]]:
    """Each text once, by its words; and for every passage the address under which its text is kept."""
    kept: dict[str, Text] = {}
    addresses = {one.url: kept.setdefault(normalised(one.text), one).url for one in passages}
    return list(kept.values()), addresses


def corpus_of(passages: Sequence[Text], gold: frozenset[str], size: int) -> list[Text]:
    """All gold passages, and others by lot until there are `size`."""
    order = sorted(passages, key=lambda one: (one.url not in gold, fraction_of(one.url)))
    return order[: max(size, len(gold))]


def filled(passages: Sequence[Text], out: Path) -> Knowledge:
    """The knowledge base of these passages, made or gone on with in the folder."""
    settings = Settings.load()
    name = f"{len(passages)}-{digest_of(passages)}-{open_embedder(settings).fingerprint}.sqlite"
    here = {"kb": str((out / name).absolute()), "docs": None, "namespace": "default"}
    knowledge = open_knowledge_base(settings.model_copy(update=here))
    with progress_bar(f"Ingesting {len(passages)} passages") as told:
        ingest_texts(passages, knowledge.corpus, progress=told)
    return knowledge


def place_of(asked: Asked, knowledge: Knowledge) -> int:
    """The place of the first gold passage among those found, from 0; as many as are looked at where there is none."""
    [found] = knowledge.corpus.search([asked.text], limit=max(PLACES), deadline=inf)
    return next((place for place, passage in enumerate(found) if passage["url"] in asked.gold), max(PLACES))


def rows(asked: Sequence[Asked], knowledge: Knowledge) -> Iterator[str]:
    """The table's rows of one corpus."""
    held = knowledge.corpus.status()
    for name in SETS:
        places = [place_of(one, knowledge) for one in asked if one.set == name]
        if places:
            shares = " | ".join(f"{sum(place < k for place in places) / len(places):.3f}" for k in PLACES)
            yield f"| {held.documents} | {held.active_chunks} | {name} | {len(places)} | {shares} |"


def main() -> None:
    """Make the knowledge bases that are missing, then print the table, a size after the other."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--data", type=Path, default=os.environ.get("VERIDIC_DATA"), help="else VERIDIC_DATA")
    given.add_argument("--out", type=Path, required=True, help="where the knowledge bases are kept")
    given.add_argument("--sizes", type=int, nargs="+", default=[5000, 44000], help="passages")
    chosen = given.parse_args()
    if chosen.data is None:
        given.error("name the data folder with --data or VERIDIC_DATA")
    passages, addresses = distinct(every_passage(chosen.data))
    asked = list(questions(chosen.data, addresses))
    gold = frozenset(address for one in asked for address in one.gold)
    sys.stdout.write("| passages | chunks | set | questions | " + " | ".join(f"hit@{k}" for k in PLACES) + " |\n")
    sys.stdout.write("|---" * (4 + len(PLACES)) + "|\n")
    chosen.out.mkdir(parents=True, exist_ok=True)
    for size in chosen.sizes:
        knowledge = filled(corpus_of(passages, gold, size), chosen.out)
        for row in rows(asked, knowledge):
            sys.stdout.write(f"{row}\n")
            sys.stdout.flush()
        knowledge.close()


if __name__ == "__main__":
    main()
