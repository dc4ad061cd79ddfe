"""How many passages a question is worth: gold recall at each depth by kind of question, and where a gap cuts.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.depth --out DIR`. Two halves of the questions:
those that the judges have learned from (retrieval has not; the rule is fitted there) and those they have not. The
knowledge base, all gold passages and others by lot, is kept in the folder. `gone` is how many passages are taken where
the gold ones are taken away: a question that cannot be answered is flat. Recall is the share of a question's gold
passages that is found. The tables are Markdown.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridic.evidence.depth import FIRST, FIXED, GAP, MOST, MOST_OF
from veridic.evidence.evidence import headed
from veridic.knowledge.base import Knowledge
from veridic.knowledge.ingest import Text
from veridic.ports.shapes import Passage
from veridic.text.analysis import QUESTION_KINDS, QuestionKind, question_kind
from veridic_lab.benchmarks.retrieval_hits import corpus_of, distinct, filled
from veridic_lab.evaluation.merged import passages_of
from veridic_lab.evaluation.unseen import Unseen
from veridic_lab.training.pairs import find, fraction_of, normalised, read_rows

SETS = ("xquad_en", "nq_gold", "pubmedqa", "mtrag", "hotpotqa", "2wiki", "clapnq", "scifact", "stackexchange")
PER_SET = 500
"""Questions of each set and half, at most."""
DEPTHS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16)
GAPS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.35)
CAPS = (8, 9, 10, 12, 16)
FEWEST = 15
"""Questions of a kind that a row is printed for."""
Bits = NDArray[np.bool_]


@dataclass(frozen=True)
class Asked:
    """A question with its gold passages."""

    set: str
    text: str
    gold: frozenset[str]
    seen: bool
    """Whether the judges learned from it."""


@dataclass(frozen=True)
class Ranked:
    """What was found for a question."""

    asked: Asked
    kind: QuestionKind
    passages: list[Passage]
    cosines: NDArray[np.float64]
    holds: Bits
    """[gold passages, ranks]: which rank holds which."""

    @property
    def gold(self) -> Bits:
        """Which ranks hold any."""
        return np.asarray(self.holds.any(axis=0))

    def taken(self, gap: float, cap: int) -> Bits:
        """Which ranks a rule takes."""
        return rule(self.cosines, gap, cap)

    def recall(self, taken: Bits) -> float:
        """The share of the gold passages among those that are taken."""
        return float((self.holds & taken).any(axis=1).mean())

    def taken_without(self, gap: float, cap: int) -> int:
        """How many are taken where the gold ones are gone."""
        left = self.cosines[~self.gold]
        return int(rule(left, gap, cap).sum()) if len(left) else 0


def rule(cosines: NDArray[np.float64], gap: float, cap: int) -> Bits:
    """As `support.depth.near`: the first ones, and those near the nearest of the first `cap`."""
    places = np.arange(len(cosines))
    near = cosines >= cosines[:cap].max() - gap
    return np.asarray((near | (places < FIRST)) & (places < cap))


def questions(folder: Path, addresses: dict[str, str]) -> Iterator[Asked]:
    """The questions of `SETS` whose gold passages are all there, by lot."""
    unseen = Unseen.read(folder)
    for name in SETS:
        halves: dict[bool, int] = {True: 0, False: 0}
        for row in sorted(read_rows(find(folder, f"{name}.qa")), key=lambda row: fraction_of(f"depth:{row['id']}")):
            seen = not unseen.allows(name, normalised(row["question"]))
            if row["gold_doc_ids"] and set(row["gold_doc_ids"]) <= addresses.keys() and halves[seen] < PER_SET:
                halves[seen] += 1
                yield Asked(name, row["question"], frozenset(addresses[one] for one in row["gold_doc_ids"]), seen)


def opened(folder: Path, out: Path, size: int) -> tuple[list[Asked], Knowledge]:
    """The questions, and the knowledge base they are asked of."""
    passages, addresses = distinct(passages_of(folder, SETS))
    asked = list(questions(folder, addresses))
    gold = frozenset(address for one in asked for address in one.gold)
    out.mkdir(parents=True, exist_ok=True)
    kept: list[Text] = corpus_of(passages, gold, size)
    return asked, filled(kept, out)


def ranked(asked: Sequence[Asked], knowledge: Knowledge) -> Iterator[Ranked]:
    """What is found for each, as deep as is looked."""
    embedder = knowledge.corpus.embedder
    for one in asked:
        [found] = knowledge.corpus.search([one.text], limit=max(*DEPTHS, *CAPS), deadline=inf)
        if found:
            vectors = embedder.embed([one.text, *(headed(passage, passage["text"]) for passage in found)])
            holds = np.array([[passage["url"] == gold for passage in found] for gold in sorted(one.gold)])
            cosines = (vectors[1:] @ vectors[0]).astype(np.float64)
            yield Ranked(one, question_kind(one.text), found, cosines, holds)


def by_kind(found: Sequence[Ranked], name: str) -> Iterator[str]:
    """Recall at each depth."""
    yield (
        f"| {name} | questions | "
        + " | ".join(f"@{depth}" for depth in DEPTHS)
        + " |\n"
        + "|---" * (2 + len(DEPTHS))
        + "|\n"
    )
    for kind in QUESTION_KINDS:
        own = [one for one in found if one.kind == kind]
        if len(own) >= FEWEST:
            at = [np.mean([one.recall(np.arange(len(one.cosines)) < depth) for one in own]) for depth in DEPTHS]
            yield f"| {kind} | {len(own)} | " + " | ".join(f"{share:.3f}" for share in at) + " |\n"


def by_rule(found: Sequence[Ranked], name: str) -> Iterator[str]:
    """Recall and passages of each rule, the shipped one last."""
    yield f"| {name}: gap, at most | recall | passages | gone |\n|---|---|---|---|\n"
    yield rule_line("8 always", found, [(inf, FIXED)] * len(found))
    for cap in CAPS:
        for gap in GAPS:
            yield rule_line(f"{gap}, {cap}", found, [(gap, cap)] * len(found))
    yield rule_line("shipped", found, [(GAP, MOST_OF.get(one.kind, MOST)) for one in found])


def rule_line(name: str, found: Sequence[Ranked], rules: Sequence[tuple[float, int]]) -> str:
    """A row: gold recall, mean passages, and those where the gold ones are gone."""
    taken = [one.taken(*own) for one, own in zip(found, rules, strict=True)]
    recall = np.mean([one.recall(bits) for one, bits in zip(found, taken, strict=True)])
    count = np.mean([bits.sum() for bits in taken])
    gone = np.mean([one.taken_without(*own) for one, own in zip(found, rules, strict=True)])
    return f"| {name} | {recall:.4f} | {count:.2f} | {gone:.2f} |\n"


def chosen() -> argparse.Namespace:
    """What the command line says; leaves with its usage when there is no data folder."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--data", type=Path, default=os.environ.get("VERIDIC_DATA"), help="else VERIDIC_DATA")
    given.add_argument("--out", type=Path, required=True, help="where the knowledge base is kept")
    given.add_argument("--size", type=int, default=15_000, help="passages")
    found = given.parse_args()
    if found.data is None:
        given.error("name the data folder with --data or VERIDIC_DATA")
    return found


def main() -> None:
    """Print the tables of both halves, and of the kinds under the shipped rule."""
    told = chosen()
    asked, knowledge = opened(Path(told.data), told.out, told.size)
    found = list(ranked(asked, knowledge))
    for name, seen in (("fitted on", True), ("others", False)):
        half = [one for one in found if one.asked.seen == seen]
        sys.stdout.writelines([*by_kind(half, name), "\n", *by_rule(half, name), "\n"])
        for kind in QUESTION_KINDS:
            own = [one for one in half if one.kind == kind]
            if len(own) >= FEWEST:
                sys.stdout.write(rule_line(f"{kind}, 8 always", own, [(inf, FIXED)] * len(own)))
                sys.stdout.write(rule_line(f"{kind}, shipped", own, [(GAP, MOST_OF.get(kind, MOST))] * len(own)))
        sys.stdout.write("\n")
    knowledge.close()


if __name__ == "__main__":
    main()
