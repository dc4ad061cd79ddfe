"""What a training run learns from, and what it starts from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from veridic.errors import UsageError
from veridic.ports.embedding import Embedder
from veridic_lab.training.log import OUTCOME_WEIGHT, LogPairs
from veridic_lab.training.mixture import WEIGHTS, Mixture, build, held_out_pairs
from veridic_lab.training.pairs import TASKS, Pair, both_ways, held_out, labelled_in


@dataclass(frozen=True)
class Recipe:
    """One run's choices beside its plan."""

    data: Path
    tasks: tuple[str, ...] = TASKS
    """Which heads learn."""
    start: Path | None = None
    """A checkpoint, or an exported judge's or reader's folder, whose weights are the first ones."""
    keep: float = 0.0
    """The share of those first weights in what training ends with, 0 to 1; more than 0 needs `start`.

    alpha = 1 - keep in Wortsman et al. 2022 (Robust fine-tuning of zero-shot models), equation 1.
    """
    without: frozenset[str] = frozenset()
    """Sets that are left out."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """How often an epoch shows a set, where not as usual."""
    log: LogPairs | None = None
    """Labelled rows of a decision log, learned beside the data."""

    def __post_init__(self) -> None:
        """Raises `UsageError` where there is nothing to keep."""
        if self.keep and not self.start:
            raise UsageError("There are no first weights to keep.", "Name the judge to keep them of with --start.")


def mixture_of(recipe: Recipe, embedder: Embedder, *, seed: int) -> Mixture:
    """The pairs of the recipe's data, split. Raises `UsageError` for a name that nothing has, and for no pairs."""
    found = (
        build(recipe.data, embedder, seed=seed)
        if is_standard(recipe.data)
        else split_by_source(labelled_in(recipe.data))
    )
    if recipe.log:
        more = split_by_source((*recipe.log.people, *recipe.log.outcomes))
        found = Mixture({**found.train, **more.train}, {**found.test, **more.test})
    if unknown := (recipe.without | recipe.weights.keys()) - found.train.keys():
        names = sorted(found.train)
        raise UsageError(f"There is no set {', '.join(sorted(unknown))}.", f"There are {', '.join(names)}.")
    kept = [
        name
        for name, pairs in found.train.items()
        if name not in recipe.without and pairs and pairs[0].task in recipe.tasks
    ]
    if not kept:
        raise UsageError("Nothing is left to learn from.", "Name fewer sets to leave out.")
    return Mixture({name: found.train[name] for name in kept}, {name: found.test[name] for name in kept})


def is_standard(data: Path) -> bool:
    """Whether the folder holds the standard sets, known by one of them; else its pairs are anyone's."""
    return any(data.rglob("xquad_en.qa.jsonl*"))


def held_out_of(data: Path) -> dict[str, list[Pair]]:
    """The labelled pairs of the folder that are never trained on, by set."""
    return held_out_pairs(data) if is_standard(data) else split_by_source(labelled_in(data)).test


def weights_of(recipe: Recipe) -> dict[str, float]:
    """The weight of every set that has one."""
    weak = {f"log outcome ({task})": OUTCOME_WEIGHT for task in ("relevance", "usefulness")}
    return {**WEIGHTS, **weak, **recipe.weights}


def split_by_source(pairs: Sequence[Pair]) -> Mixture:
    """Sets named by their source, split by key."""
    mixture = Mixture({}, {})
    for pair in both_ways(pairs):
        name = f"{pair.source} ({pair.task})"
        side = mixture.test if held_out(pair.key) else mixture.train
        side.setdefault(name, []).append(pair)
    for name in mixture.train.keys() | mixture.test.keys():
        mixture.train.setdefault(name, [])
        mixture.test.setdefault(name, [])
    return mixture
