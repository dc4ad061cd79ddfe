"""Which places of a text are nearest to what is said."""

import math
from collections import Counter
from collections.abc import Sequence, Set

from veridic.text.facts import words
from veridic.text.sentences import sentences


def nearest_first(said: Set[str], places: Sequence[Set[str]]) -> list[int]:
    """Places by the words they share with what is said; rare words weigh more, and long places have some by chance."""
    held = Counter(word for own in places for word in own)
    worth = {word: math.log(1 + len(places) / count) for word, count in held.items()}
    near = [sum(worth[word] for word in said & own) / math.sqrt(len(own) or 1) for own in places]
    return sorted(range(len(places)), key=lambda at: (-near[at], at))


def nearest_sentence(said: str, text: str) -> str:
    """The sentence of a text that is nearest to what is said; the text itself where it has none."""
    own = [one.text for one in sentences(text)]
    return own[nearest_first(set(words(said)), [set(words(one)) for one in own])[0]] if own else text
