"""Words that exclude each other where they stand in each other's place."""

from collections.abc import Iterable

_PAIRS = (
    "accepted rejected", "accept reject", "active passive", "after before", "alive dead", "always never",
    "ancient modern", "arrived departed", "asleep awake", "began ended", "begins ends", "begin end",
    "best worst", "better worse", "bigger smaller", "biggest smallest", "bought sold", "boy girl", "boys girls",
    "brother sister", "cheap expensive", "cold hot", "colder hotter", "cooler warmer", "created destroyed",
    "decrease increase", "decreased increased", "decreases increases", "decreasing increasing", "deep shallow",
    "difficult easy", "dry wet", "early late", "earlier later", "earliest latest", "east west", "eastern western",
    "empty full", "entered left", "export import", "exported imported", "exports imports", "external internal",
    "failed succeeded", "false true", "fast slow", "faster slower", "fastest slowest", "father mother",
    "female male", "fewer more", "fewest most", "final initial", "first last", "forbidden allowed", "gained lost",
    "giving receiving", "gave received", "good bad", "guilty innocent", "happy sad", "happy unhappy",
    "he she", "heavy light", "heavier lighter", "her his", "high low", "higher lower", "highest lowest",
    "husband wife", "illegal legal", "impossible possible", "indoor outdoor", "indoors outdoors", "inside outside",
    "joined left", "king queen", "known unknown", "large small", "larger smaller", "largest smallest", "left right",
    "less more", "least most", "long short", "longer shorter", "longest shortest", "loose tight", "losing winning",
    "lost won", "lost found", "loses wins", "lose win", "loud quiet", "lower upper", "major minor", "man woman",
    "maximum minimum", "men women", "narrow wide", "near far", "negative positive", "new old", "newer older",
    "north south", "northern southern", "northeast southwest", "northwest southeast", "odd even", "older younger",
    "oldest youngest", "old young", "open closed", "opened closed", "over under", "above below", "pass fail",
    "passed failed", "permanent temporary", "poor rich", "present absent", "private public", "prince princess",
    "rare common", "rising falling", "rise fall", "rose fell", "rises falls", "rough smooth", "safe dangerous",
    "same different", "similar different", "simple complex", "sitting standing", "soft hard", "son daughter",
    "sons daughters", "started stopped", "starts stops", "strong weak", "stronger weaker", "strongest weakest",
    "success failure", "supported opposed", "support oppose", "thick thin", "together apart", "top bottom",
    "uncle aunt", "up down", "victory defeat", "with without", "wrong right", "including excluding",
    "included excluded", "present past", "front back", "day night", "morning evening", "summer winter",
)  # fmt: skip
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
)


def _excluding(kinds: Iterable[str]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for kind in kinds:
        words = frozenset(kind.split())
        for word in words:
            found[word] = found.get(word, frozenset()) | (words - {word})
    return found


_EXCLUDED = _excluding((*_PAIRS, *_KINDS))


def exclude_each_other(one: str, other: str) -> bool:
    """Whether two lower-cased words are opposites, or two of one kind: colours, months, units."""
    return other in _EXCLUDED.get(one, ())
