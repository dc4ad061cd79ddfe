from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from veridic.runtime.kept import Recent

asked = st.lists(st.lists(st.integers(0, 9), max_size=6), max_size=12)


@given(asked, st.integers(1, 8))
def test_every_key_has_its_value_whatever_was_asked_before(calls: list[list[int]], most: int) -> None:
    recent: Recent[int, int] = Recent(most)
    for keys in calls:
        assert recent.of(keys, lambda new: [key * key for key in new]) == [key * key for key in keys]


@given(asked)
def test_with_room_for_all_nothing_is_computed_twice(calls: list[list[int]]) -> None:
    recent: Recent[int, int] = Recent(10)
    computed: Counter[int] = Counter()
    for keys in calls:
        recent.of(keys, lambda new: computed.update(new) or new)  # type: ignore[func-returns-value]
    assert all(count == 1 for count in computed.values())


def test_what_was_asked_for_longest_ago_is_forgotten_first() -> None:
    recent: Recent[str, str] = Recent(2)
    asked: list[list[str]] = []
    for key in ("a", "b", "a", "c", "a", "b"):
        recent.of([key], lambda new: asked.append(new) or new)  # type: ignore[func-returns-value]
    assert [new for new in asked if new] == [["a"], ["b"], ["c"], ["b"]]


def test_a_key_that_is_asked_for_alone_is_kept_longer_and_computes_nothing() -> None:
    recent: Recent[str, int] = Recent(2)
    assert recent.known("a") is None
    recent.keep({"a": 1, "b": 2})
    assert recent.known("a") == 1
    recent.keep({"c": 3})
    assert (recent.known("a"), recent.known("b"), recent.known("c")) == (1, None, 3)
