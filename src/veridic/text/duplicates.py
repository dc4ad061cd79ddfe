"""Near-duplicates by shared words."""

from veridic.text.facts import words


def overlap(first: str, second: str) -> float:
    """Share of the shorter text's different words that the other holds too, in [0, 1]; 0 for empty texts."""
    left, right = set(words(first)), set(words(second))
    shorter = min(len(left), len(right))
    return len(left & right) / shorter if shorter else 0.0


def is_near_duplicate(first: str, second: str, *, threshold: float = 0.9) -> bool:
    """Whether two texts say the same in nearly the same words, numbers included."""
    left, right = set(words(first)), set(words(second))
    union = len(left | right)
    return bool(union) and len(left & right) / union >= threshold


def coverage(text: str, other: str) -> float:
    """Share of a text's different words that another holds too, in [0, 1]; 0 for an empty text."""
    own = set(words(text))
    return len(own & set(words(other))) / len(own) if own else 0.0


def agreement(texts: list[str]) -> list[float]:
    """For each text the mean word overlap (Jaccard) with the others; 0 when it stands alone."""
    bags = [set(words(text)) for text in texts]

    def shared(left: set[str], right: set[str]) -> float:
        union = len(left | right)
        return len(left & right) / union if union else 0.0

    return [
        sum(shared(bag, other) for place, other in enumerate(bags) if place != index) / (len(bags) - 1)
        if len(bags) > 1
        else 0.0
        for index, bag in enumerate(bags)
    ]
