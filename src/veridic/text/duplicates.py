"""Near-duplicates by shared words."""

from collections.abc import Set

from veridic.text.facts import words


def is_near_duplicate(first: str, second: str, *, threshold: float = 0.9) -> bool:
    """Whether two texts say the same in nearly the same words, numbers included."""
    return _shared(set(words(first)), set(words(second))) >= threshold


def coverage(text: str, other: str) -> float:
    """Share of a text's different words that another holds too, in [0, 1]; 0 for an empty text."""
    own = set(words(text))
    return len(own & set(words(other))) / len(own) if own else 0.0


def agreement(texts: list[str]) -> list[float]:
    """For each text the mean word overlap (Jaccard) with the others; 0 when it stands alone."""
    bags = [set(words(text)) for text in texts]
    others = max(1, len(bags) - 1)
    return [
        sum(_shared(bag, other) for place, other in enumerate(bags) if place != index) / others
        for index, bag in enumerate(bags)
    ]


def _shared(left: Set[str], right: Set[str]) -> float:
    """Jaccard's share of the words of both; 0 for none."""
    return len(left & right) / len(left | right) if left or right else 0.0
