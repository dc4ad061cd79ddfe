"""Which questions belong together: those that share a passage or their words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


def groups_of(traits: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """The group of each name: names that share a trait, or are linked through others, have one group."""
    leader: dict[str, str] = {}

    def first(trait: str) -> str:
        while leader.setdefault(trait, trait) != trait:
            leader[trait] = leader[leader[trait]]
            trait = leader[trait]
        return trait

    kept = {name: list(given) or [name] for name, given in traits.items()}
    for given in kept.values():
        for other in given[1:]:
            low, high = sorted((first(given[0]), first(other)))
            leader[high] = low
    return {name: first(given[0]) for name, given in kept.items()}
