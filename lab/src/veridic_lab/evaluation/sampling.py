"""Which questions of a suite a run asks, and which documents it keeps. Everything follows from ids and seed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, zip_longest

from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.suite import Suite
from veridic_lab.training.pairs import fraction_of

SHARES = {"": 0.7, "removed": 0.15, "near miss": 0.15}
"""Of a run of a suite: what can be answered, what was made unanswerable, and near misses."""


def drawn(questions: Sequence[GoldQuestion], limit: int, seed: int) -> list[GoldQuestion]:
    """At most `limit` questions by lot, in the shares of `SHARES`, the sets taking turns.

    What cannot be answered is half removed, half near misses; where they run out, questions with an
    answer fill up. A larger limit with the same seed asks the same
    questions and more.
    """
    if limit >= len(questions):
        return by_lot(questions, seed)
    if all(one.missing in ("", "own") for one in questions):
        return _taking_turns(questions, seed)[:limit]
    lists = {missing: _taking_turns([q for q in questions if q.missing == missing], seed) for missing in SHARES}
    lists["removed"] = lists["removed"][: len(lists["near miss"])]
    limit = min(limit, sum(map(len, lists.values())))
    chosen: list[GoldQuestion] = []
    taken = dict.fromkeys(SHARES, 0)
    while len(chosen) < limit:
        open_ = [missing for missing in SHARES if taken[missing] < len(lists[missing])]
        missing = max(open_, key=lambda name: SHARES[name] * (len(chosen) + 1) - taken[name])
        chosen.append(lists[missing][taken[missing]])
        taken[missing] += 1
    return chosen


def by_lot(questions: Sequence[GoldQuestion], seed: int) -> list[GoldQuestion]:
    """All of them in an order that follows from seed and ids alone."""
    return sorted(questions, key=lambda one: fraction_of(f"{seed}\0{one.id}"))


def with_fewer_documents(suite: Suite, asked: Sequence[GoldQuestion], most: int) -> Suite:
    """The suite with at most `most` documents: those that the questions need, the others by lot.

    Fewer documents make retrieval easier; near misses keep whatever the lot leaves them.
    """
    if most >= len(suite.documents):
        return suite
    needed = {one.url for one in suite.documents} & {url for one in asked for url in one.gold}
    order = sorted(suite.documents, key=lambda one: (one.url not in needed, fraction_of(one.url)))
    return replace(suite, documents=tuple(order[: max(most, len(needed))]))


def _taking_turns(questions: Sequence[GoldQuestion], seed: int) -> list[GoldQuestion]:
    """One question of each set after the other."""
    sets: dict[str, list[GoldQuestion]] = defaultdict(list)
    for one in by_lot(questions, seed):
        sets[one.set].append(one)
    rounds = chain.from_iterable(zip_longest(*(sets[name] for name in sorted(sets))))
    return [one for one in rounds if one is not None]
