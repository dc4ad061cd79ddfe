"""What is written into the channels of a state: joined, or refused by an error of ours."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import HumanMessage

from veridic.errors import InvalidInput
from veridic.ports import merging
from veridic.ports.merging import merge_findings, merge_lists, merge_messages

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
MERGES = [merge for name, merge in vars(merging).items() if name.startswith("merge_")]


@pytest.mark.parametrize(
    "message",
    [
        {"type": "tool", "content": "x"},
        {"role": "nobody", "content": "x"},
        {"role": "user"},
        {"role": "user", "content": {"a": 1}},
        {"type": "remove", "content": "", "id": "nobody's"},
        {},
        5,
        None,
    ],
    ids=repr,
)
def test_what_is_no_message_is_refused_with_what_to_send(message: Any) -> None:
    with pytest.raises(InvalidInput, match=r"cannot be read \(.*role"):
        merge_messages([], [message])


def test_messages_are_added() -> None:
    [first, second] = merge_messages([HumanMessage("a")], [{"role": "assistant", "content": "b"}])  # type: ignore[list-item]
    assert (first.text, second.text, second.type) == ("a", "b", "ai")


@pytest.mark.parametrize("merge", MERGES, ids=lambda merge: merge.__name__)
@given(old=JSON, new=JSON)
def test_nothing_but_our_error_comes_of_any_values(merge: Any, old: Any, new: Any) -> None:
    with suppress(InvalidInput):
        merge(old, new)


def test_a_channel_of_another_shape_is_refused() -> None:
    with pytest.raises(InvalidInput, match="another shape"):
        merge_findings([], [5])  # type: ignore[list-item]
    with pytest.raises(InvalidInput, match="another shape"):
        merge_lists([], 5)  # type: ignore[arg-type]
