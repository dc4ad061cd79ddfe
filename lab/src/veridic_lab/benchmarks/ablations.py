"""What each kind of training data buys: the same short run without it, and without each family of rules in turn.

Run from a checkout with `veridic[train]`: `python -m veridic_lab.benchmarks.ablations --data DIR --out DIR --steps
900`. A run that was interrupted goes on; one that is done is only measured. The table is Markdown. A family is left out
of a continuation of the run that saw no rules at all, so that no network ever saw it; the continuations learn inference
only, and one of them has all families.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer

from veridic.models.embedder import OnnxEmbedder
from veridic_lab.training.batches import Batcher
from veridic_lab.training.loop import Plan
from veridic_lab.training.made import made_pairs, seeded
from veridic_lab.training.metrics import auc
from veridic_lab.training.mixture import WEIGHTS, Mixture, build
from veridic_lab.training.network import JudgeNetwork, freeze, load_base
from veridic_lab.training.pairs import Pair
from veridic_lab.training.rules import FAMILIES
from veridic_lab.training.session import put_weights
from veridic_lab.training.sets import question_set
from veridic_lab.training.ship import base_folder
from veridic_lab.training.teaching import teach
from veridic_lab.training.trainer import Trainer
from veridic_lab.training.veridicality import MEASURED

GROUNDED = ("factcheck_gpt", "attribution_bench", "begin", "halueval_qa", "clapnq.grounded", "contract_nli")
INFERENCE = ("mnli", "snli", "scifact")
HARD = ("swapped", "nq_gold", "clapnq.qa", "other_hops", "retrieved")
MADE = ("rules", "polar")
WITHOUT: Mapping[str, tuple[str, ...]] = {
    "nothing": (),
    "rule-made": MADE,
    "hard negatives": HARD,
    "grounded sets": GROUNDED,
}
DRAWN = 300
"""Pairs of a set that are scored; 60 of each rule."""


@dataclass(frozen=True)
class Cell:
    """One run: what it leaves out, and what it starts from."""

    name: str
    sets: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    start: str = ""


CELLS = (
    *(Cell(name, sets=sets) for name, sets in WITHOUT.items()),
    Cell("no rule", start="rule-made"),
    *(Cell(f"rule {family}", parts=(family,), start="rule-made") for family in sorted(FAMILIES)),
)


def trained(cell: Cell, mixture: Mixture, out: Path, steps: int) -> JudgeNetwork:
    """The network of a cell; a continuation takes a third of the steps."""
    torch.manual_seed(7)
    network = load_base(base_folder())
    freeze(network, 0)
    folder = out / cell.name.replace(" ", "-")
    if cell.start:
        put_weights(network, out / cell.start / "last.pt")
    trainer = Trainer(network, tokenizer(), Plan(steps=steps // 3 if cell.start else steps), folder)
    trainer.resume()
    if trainer.done() < 1:
        tasks = ("nli",) if cell.start else ("relevance", "nli")
        train = {
            name: [pair for pair in pairs if pair.part not in cell.parts and pair.task in tasks]
            for name, pairs in mixture.train.items()
            if name not in cell.sets
        }
        trainer.run(train, WEIGHTS, {})
    return network


def tokenizer() -> Tokenizer:
    """The base's."""
    return Tokenizer.from_file(str(base_folder() / "tokenizer.json"))


def rows(network: JudgeNetwork, pairs: Sequence[Pair]) -> np.ndarray:
    """P(relevant) or P(entailment) of each pair."""
    found, _ = teach(network, Batcher(tokenizer(), budget=4096, max_tokens=224), pairs).of(pairs)
    return found[:, 0]


def ranking(network: JudgeNetwork, test: Mapping[str, Sequence[Pair]], names: Sequence[str]) -> float:
    """The mean AUC of sets, held-out rows."""
    drawn = [drawn_from(test[name]) for name in names if len({pair.positive for pair in test[name]}) == 2]
    return float(np.mean([auc([pair.positive for pair in pairs], rows(network, pairs)) for pairs in drawn]))


def drawn_from(pairs: Sequence[Pair], count: int = DRAWN) -> list[Pair]:
    """A fixed sample."""
    return [pairs[i] for i in np.random.default_rng(4).permutation(len(pairs))[:count]]


def measured(network: JudgeNetwork, test: Mapping[str, Sequence[Pair]], swaps: Sequence[Pair]) -> Iterator[float]:
    """The columns of the table."""
    made = (*HARD, *MADE)
    asked = [name for name, pairs in test.items() if pairs and pairs[0].task == "relevance" and name not in made]
    yield ranking(network, test, INFERENCE)
    yield ranking(network, test, GROUNDED)
    yield ranking(network, test, asked)
    yield ranking(network, test, HARD)
    yield float((rows(network, drawn_from(test["swapped"])) < 0.5).mean())
    for true in (False, True):
        pairs = [pair for pair in swaps if pair.positive == true]
        yield float(((rows(network, pairs) >= 0.5) == true).mean())


def changed_sentences(data: Path) -> list[Pair]:
    """Rule-made pairs over paragraphs that no judge has seen."""
    _, corpus = question_set(data, "xquad_en")
    passages = [passage for passage in corpus.values() if len(passage.sentences) > 1]
    made = made_pairs(passages, seeded(23), 16, frames=MEASURED)
    kinds = sorted({pair.part for pair in made})
    return [pair for kind in kinds for pair in [one for one in made if one.part == kind][:60]]


def main() -> None:
    """Train what is missing, then print the tables."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--data", type=Path, required=True)
    given.add_argument("--out", type=Path, required=True)
    given.add_argument("--steps", type=int, default=900, help="of 2,048 tokens, about a second each on two cores")
    chosen = given.parse_args()
    mixture = build(chosen.data, OnnxEmbedder())
    swaps = changed_sentences(chosen.data)
    networks = {cell.name: trained(cell, mixture, chosen.out, chosen.steps) for cell in CELLS}
    lines = ["| without | nli | grounded | evaluator | near misses | asked otherwise | false refused | true kept |"]
    lines.append("|---" * 8 + "|")
    for name in WITHOUT:
        found = measured(networks[name], mixture.test, swaps)
        lines.append(f"| {name} | " + " | ".join(f"{value:.3f}" for value in found) + " |")
    lines += ["", "| family | refused, trained with it | refused, left out |", "|---|---|---|"]
    for family in sorted(FAMILIES):
        pairs = [pair for pair in swaps if pair.part == family]
        shares = [(rows(networks[name], pairs) < 0.5).mean() for name in ("no rule", f"rule {family}")]
        lines.append(f"| {family} | " + " | ".join(f"{share:.2f}" for share in shares) + " |")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
