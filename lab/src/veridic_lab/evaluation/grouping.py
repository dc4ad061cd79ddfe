"""Which questions belong together: those that share a passage or their words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from veridic.errors import UsageError
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.training.pairs import fraction_of

DEVELOPMENT = 0.2
"""Share of the groups on which choices (plain RAG's k) are made; nothing there is measured."""


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


def divided(questions: Sequence[GoldQuestion]) -> tuple[list[GoldQuestion], list[GoldQuestion]]:
    """The development questions and those that are measured, split by group."""
    development = [one for one in questions if fraction_of(f"development:{one.group}") < DEVELOPMENT]
    taken = {one.id for one in development}
    measured = [one for one in questions if one.id not in taken]
    check_apart(development, measured)
    return development, measured


def check_apart(one: Sequence[GoldQuestion], other: Sequence[GoldQuestion]) -> None:
    """Raises `UsageError` when a group, or a question's words, stands on both sides of a split."""
    for what in ("group", "key"):
        both = {getattr(question, what) for question in one} & {getattr(question, what) for question in other}
        if both:
            raise UsageError(
                f"The {what} {min(both)!r} crosses the split between development and measurement.",
                "Give questions that share a passage or their words one `group`.",
            )
