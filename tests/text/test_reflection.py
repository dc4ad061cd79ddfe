"""Reflection tokens become scores, and none is left in the text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.reflection import is_trained_for_it, reflected, without_tokens

TOKENS = (
    "[Retrieval]", "[No Retrieval]", "[Retrieve]", "[Relevant]", "[Irrelevant]", "[Fully supported]",
    "[Partially supported]", "[No support / Contradictory]", "[Utility:1]", "[Utility:5]", "</s>",
    "[Continue to Use Evidence]",
)  # fmt: skip


def test_a_whole_reply_is_read() -> None:
    found = reflected("[Relevant]Clara Voss opened the bridge in 1932.[Partially supported][Utility:4]</s>")
    assert found.text == "Clara Voss opened the bridge in 1932."
    assert (found.relevance, found.support, found.usefulness, found.retrieve) == (1.0, 0.5, 0.75, None)


@pytest.mark.parametrize(
    ("reply", "retrieve"),
    [("[Retrieval]<paragraph>", 1.0), ("[No Retrieval]Hello![Utility:5]", 0.0), ("Hello!", None)],
)
def test_the_wish_to_retrieve_is_read(reply: str, retrieve: float | None) -> None:
    assert reflected(reply).retrieve == retrieve


def test_a_paragraph_that_was_given_or_made_up_is_no_answer() -> None:
    assert without_tokens("[Retrieval]<paragraph>Old text.</paragraph>[Relevant]It is new.") == "It is new."


def test_what_only_looks_like_a_token_stays() -> None:
    assert without_tokens("See [1] and [Relevance].") == "See [1] and [Relevance]."


@given(st.lists(st.one_of(st.sampled_from(TOKENS), st.sampled_from(["It stands.", "So it is.", " "]))))
def test_no_token_is_left(pieces: list[str]) -> None:
    text = without_tokens("".join(pieces))
    assert not any(token.lower() in text.lower() for token in TOKENS)


@pytest.mark.parametrize(("name", "told"), [("ollama:selfrag-7b", True), ("Self-RAG/13b", True), ("llama3", False)])
def test_a_name_tells_the_training(name: str, told: bool) -> None:
    assert is_trained_for_it(name) is told
