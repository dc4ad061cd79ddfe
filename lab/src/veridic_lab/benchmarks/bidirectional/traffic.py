"""The questions that a memory meets: traffic it may learn from, and questions that are asked of it afterwards.

Traffic may have trained the judges; what is asked afterwards has not, and its words stand nowhere in the traffic.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from veridic.knowledge.ingest import Text
from veridic_lab.evaluation.grouping import groups_of
from veridic_lab.evaluation.merged import passages_of
from veridic_lab.evaluation.questions import GoldQuestion, kind_of
from veridic_lab.evaluation.sampling import by_lot, with_fewer_documents
from veridic_lab.evaluation.suite import Suite
from veridic_lab.evaluation.unseen import Unseen
from veridic_lab.training.pairs import find, normalised, read_rows

SETS: Mapping[str, tuple[str, ...]] = {
    "nq_gold": ("nq_gold",),
    "stackexchange": ("stackexchange",),
    "pubmedqa": ("pubmedqa",),
    "hotpotqa": ("hotpotqa", "hotpotqa_pool500"),
}
"""By name the files that questions and documents come from; where there are two, the last one is asked afterwards."""


@dataclass(frozen=True)
class Traffic:
    """One set: the documents, what is asked first, and what is asked afterwards."""

    name: str
    documents: tuple[Text, ...]
    asked: tuple[GoldQuestion, ...]
    test: tuple[GoldQuestion, ...]

    @property
    def questions(self) -> dict[str, GoldQuestion]:
        """All by their ids."""
        return {one.id: one for one in (*self.asked, *self.test)}

    @property
    def texts(self) -> dict[str, str]:
        """The documents by address, as the scripted writer reads them."""
        return {one.url: f"{one.title}\n\n{one.text}" for one in self.documents}


def traffic(data: Path, name: str, seed: int, *, asked: int, test: int, most: int | None) -> Traffic:
    """The questions of a set by lot, and its documents: all, or at most so many, those that are needed among them."""
    every, unseen = questions_of(data, SETS[name]), Unseen.read(data)
    last = SETS[name][-1]
    fit = by_lot([one for one in every if one.set == last and unseen.allows(one.set, one.key)], seed)[:test]
    taken = {one.key for one in fit}
    others = [one for one in every if one.key not in taken and (len(SETS[name]) == 1 or one.set != last)]
    chosen = tuple(by_lot(others, seed)[:asked])
    suite = Suite(name, (), tuple(passages_of(data, SETS[name])))
    if most is not None:
        suite = with_fewer_documents(suite, [*chosen, *fit], most)
    return Traffic(name, suite.documents, chosen, tuple(fit))


def questions_of(data: Path, names: Sequence[str]) -> list[GoldQuestion]:
    """The questions of some sets that have answers, each once; where two sets ask the same, the first one's."""
    rows = {each: [row for row in read_rows(find(data, f"{each}.qa")) if row["answers"]] for each in names}
    traits = {row["id"]: [*row["gold_doc_ids"], normalised(row["question"])] for each in names for row in rows[each]}
    groups = groups_of(traits)
    found: dict[str, GoldQuestion] = {}
    for each in names:
        for row in rows[each]:
            answers, gold = tuple(row["answers"]), tuple(row["gold_doc_ids"])
            kind = kind_of(answers)
            one = GoldQuestion(row["id"], each, row["question"], answers, gold, kind, "", groups[row["id"]])
            found.setdefault(one.key, one)
    return list(found.values())
