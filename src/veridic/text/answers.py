"""Short answers cut into words as SQuAD cuts them (Rajpurkar et al. 2016), and how alike texts are by their words."""

import math
import re
import string
from collections import Counter
from collections.abc import Sequence, Set

from veridic.text.facts import in_digits, words
from veridic.text.sentences import sentences

SAME = 0.9
"""Share of the words of both that two texts have in common which say the same."""
_ARTICLES = ("a", "an", "the")
_LETTER = re.compile(r"(?<=\w )A\b")
_PUNCTUATION = str.maketrans(dict.fromkeys(string.punctuation + "’‘“”–—", " "))
_REFUSAL = re.compile(
    r"^\W*(?:i(?:['’]m| am)? (?:do not|don['’]t|cannot|can['’]t|not sure|sorry|unable)|i am sorry|sorry, |"
    r"(?:the )?(?:passages?|texts?|documents?|context|provided \w+) (?:do|does) not (?:\w+ ){0,3}(?:answer|mention|"
    r"contain|say|state|provide)|there is no (?:information|mention|answer)|(?:it is )?not (?:mentioned|stated|given))",
    re.IGNORECASE,
)


def tokens(text: str) -> list[str]:
    """SQuAD's normalisation: lower case, without punctuation and articles; a hyphen or dash parts words."""
    return [word for word in text.lower().translate(_PUNCTUATION).split() if word not in _ARTICLES]


def distinct_tokens(text: str) -> set[str]:
    """The tokens that tell one answer from another.

    Unlike SQuAD's they keep the letter of "vitamin A", and a number in words is the one in digits.
    """
    return {*map(in_digits, tokens(text)), *(found.group() for found in _LETTER.finditer(text))}


def holds_alias(text: str, accepted: Sequence[str]) -> bool:
    """Whether an accepted answer stands in the text as a run of whole tokens."""
    said = f" {' '.join(tokens(text))} "
    return any(f" {' '.join(wanted)} " in said for one in accepted if (wanted := tokens(one)))


def is_near_duplicate(first: str, second: str) -> bool:
    """Whether two texts say the same in nearly the same words, numbers included."""
    return _shared(set(words(first)), set(words(second))) >= SAME


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


def is_read_as(question: str, standalone: str) -> bool:
    """Whether a question was understood as something else than it says.

    Not where only case, punctuation or articles differ, and not where nothing is gone but what leads up to it.
    """
    said, meant = tokens(question), tokens(standalone)
    return bool(meant) and said[-len(meant) :] != meant


def refuses(answer: str) -> bool:
    """Whether a text declines to answer: it is empty, or begins by saying that it does not know."""
    return not answer.strip() or bool(_REFUSAL.match(answer))
