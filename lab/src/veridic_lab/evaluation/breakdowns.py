"""A run's answers by set and by kind of question, and how many questions of each set a table rests on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from veridic_lab.evaluation.scores import Score, handled

Scores = Mapping[str, Sequence[Score]]
"""By system."""


def sets_of(scores: Iterable[Score]) -> str:
    """How many questions of each set."""
    found = Counter(score.question.set for score in scores)
    return ", ".join(f"{name} {number}" for name, number in sorted(found.items())) or "none"


def by_set(scores: Scores) -> Iterator[str]:
    """The shares of each set, apart where the corpus lacks the answer."""
    yield from _table("set", scores, _set, sets=False)


def by_kind(scores: Scores) -> Iterator[str]:
    """The shares of each kind of question."""
    yield from _table("kind of question", scores, lambda score: score.asks, sets=True)


def _set(score: Score) -> str:
    missing = score.question.missing
    return score.question.set + (f", {missing}" if missing else "")


def _table(what: str, scores: Scores, part: Callable[[Score], str], *, sets: bool) -> Iterator[str]:
    """Markdown rows, a part's systems beneath one another; with `sets` the last column says of which sets each is."""
    parts: dict[str, dict[str, list[Score]]] = defaultdict(lambda: defaultdict(list))
    for name, found in scores.items():
        for score in found:
            parts[part(score)][name].append(score)
    yield f"## By {what}"
    yield ""
    yield f"| {what} | system | questions | handled | right | wrong | abstained |" + (" by set |" if sets else "")
    yield "|---" * (8 if sets else 7) + "|"
    for each, systems in sorted(parts.items()):
        for name, found in systems.items():
            yield f"| {each} | {name} | {len(found)} | {_shares(found)} |" + (f" {sets_of(found)} |" if sets else "")
    yield ""


def _shares(scores: Sequence[Score]) -> str:
    number = len(scores)
    good = sum(map(handled, scores)) / number
    right = sum(score.right for score in scores) / number
    silent = sum(not score.answered for score in scores) / number
    return f"{good:.2f} | {right:.2f} | {1 - right - silent:.2f} | {silent:.2f}"
