"""Words that exclude each other where they stand in each other's place.

Opposites are those of WordNet, in all their forms: `opposites.txt`, which `veridic_lab.training.antonyms` made.
"""

from collections import defaultdict
from collections.abc import Mapping, Set
from functools import cache
from importlib.resources import files
from itertools import permutations

_KINDS = (
    "january february march april may june july august september october november december",
    "monday tuesday wednesday thursday friday saturday sunday",
    "black white red green blue yellow orange purple pink brown grey",
    "north south east west",
    "first second third fourth fifth sixth seventh eighth ninth tenth",
    "hundred thousand million billion trillion",
    "seconds minutes hours days weeks months years decades centuries",
    "second minute hour day week month year decade century",
    "millimetres centimetres metres kilometres inches feet yards miles",
    "mm cm m km miles feet",
    "grams kilograms tonnes pounds ounces",
    "dollars euros pounds yen",
    "daily weekly monthly yearly",
    "gold silver bronze",
    "spring summer autumn winter",
    "he she",
    "his her",
    "after before",
)
"""Words of one kind of which a thing is one; those that WordNet does not oppose."""


@cache
def _excluded() -> Mapping[str, Set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    lines = files(__package__).joinpath("opposites.txt").read_text(encoding="utf-8").splitlines()
    for kind in (*_KINDS, *(line for line in lines if not line.startswith("#"))):
        for one, other in permutations(kind.split(), 2):
            found[one].add(other)
    return found


def exclude_each_other(one: str, other: str) -> bool:
    """Whether two lower-cased words are opposites, or two of one kind: colours, months, units."""
    return other in _excluded().get(one, ())
