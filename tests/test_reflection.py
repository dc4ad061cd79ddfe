"""Reflection tokens become scores, and none is left in the text."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.ports.likelihood import WrittenToken
from veridic.ports.reflection import ReflectionFilter, is_trained_for_it, reflected, without_tokens

TOKENS = (
    "[Retrieval]", "[No Retrieval]", "[Retrieve]", "[Relevant]", "[Irrelevant]", "[Fully supported]",
    "[Partially supported]", "[No support / Contradictory]", "[Utility:1]", "[Utility:5]", "</s>",
    "[Continue to Use Evidence]",
)  # fmt: skip


def test_a_whole_reply_is_read() -> None:
    reply = "[Relevant]Clara Voss opened the bridge in 1932.[Partially supported][Utility:4]</s>"
    found = reflected(reply)
    assert without_tokens(reply) == "Clara Voss opened the bridge in 1932."
    assert (found.relevance, found.support, found.usefulness, found.retrieve) == (1.0, 0.5, 0.75, None)


@pytest.mark.parametrize(
    ("reply", "retrieve"),
    [
        ("[Retrieval]<paragraph>", 1.0),
        ("[No Retrieval]Hello![Utility:5]", 0.0),
        ("[Continue to Use Evidence]It is.", 0.0),
        ("Hello!", None),
    ],
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


def told(text: str, **others: float) -> WrittenToken:
    """A token and what else could have stood there, with their probabilities."""
    shares = {f"[{name.replace('_', ' ')}]": share for name, share in others.items()}
    return WrittenToken(text, log(shares.get(text, 1.0)), {name: log(share) for name, share in shares.items()})


def test_each_score_is_the_papers_mean_over_all_tokens_of_its_sort() -> None:
    tokens = [
        told("[Relevant]", Relevant=0.6, Irrelevant=0.2),
        told("It stands."),
        told("[Fully supported]", Fully_supported=0.5, Partially_supported=0.2),
        told("[Utility:5]", **{"Utility:5": 0.5, "Utility:3": 0.25, "Utility:1": 0.25}),
    ]
    found = reflected("[Relevant]It stands.[Fully supported][Utility:5]", tokens)
    assert found.relevance == pytest.approx(0.6 / 0.8)
    assert found.support == pytest.approx((0.5 + 0.5 * 0.2) / 0.7)
    assert found.usefulness == pytest.approx(0.5 * 1.0 + 0.25 * 0.5)
    assert found.retrieve is None


@pytest.mark.parametrize(
    ("first", "retrieve"),
    [
        (told("[No Retrieval]", No_Retrieval=0.6, Retrieval=0.2), 0.25),
        (told("[Retrieval]", Retrieval=0.5, No_Retrieval=0.25, Continue_to_Use_Evidence=0.25), 0.5),
        (told("It", Retrieval=0.1, No_Retrieval=0.1), 0.5),
        (told("It", Relevant=0.1), None),
    ],
)
def test_what_a_reply_may_begin_with_counts_whatever_was_written(first: WrittenToken, retrieve: float | None) -> None:
    found = reflected(f"{first.text} stands.", [first, told(" stands.")]).retrieve
    assert found == (None if retrieve is None else pytest.approx(retrieve))


def test_of_two_sentences_the_first_ones_tokens_count() -> None:
    found = reflected("[Relevant]It stands.[No support / Contradictory]So it is.[Fully supported][Utility:4]")
    assert (found.support, found.usefulness) == (0.0, 0.75)


def test_a_token_that_comes_in_pieces_counts_as_it_is_written() -> None:
    pieces = [WrittenToken(text, -0.5, {}) for text in ("[", "Rel", "evant", "]", "It stands.")]
    assert reflected("[Relevant]It stands.", pieces).relevance == 1.0


PIECES = st.lists(
    st.one_of(
        st.sampled_from(TOKENS),
        st.sampled_from(["It stands. ", "So it is ", "[1] ", "a < b ", "[see below] ", "<b>", "["]),
        st.just("<paragraph>Old text.</paragraph>"),
    )
)


@given(PIECES, st.lists(st.integers(1, 7), min_size=1))
def test_however_a_reply_is_cut_what_streams_is_what_is_left_at_the_end(said: list[str], sizes: list[int]) -> None:
    text, shown, at = "".join(said), ReflectionFilter(), 0
    streamed = ""
    for size in [*sizes, *([5] * len(text))]:
        streamed += shown.feed(text[at : at + size])
        assert not any(token.lower() in streamed.lower() for token in TOKENS)
        at += size
    streamed += shown.close()
    assert streamed.split() == without_tokens(text).split()


def test_what_cannot_become_a_token_is_not_held_back() -> None:
    shown = ReflectionFilter()
    assert shown.feed("It cost [") == "It cost "
    assert shown.feed("as the long list of the year before said in its second part") != ""
    assert shown.feed(" 5 < 7 and that is all that can be said of it, or so") != ""


@pytest.mark.parametrize(("name", "trained"), [("ollama:selfrag-7b", True), ("Self-RAG/13b", True), ("llama3", False)])
def test_a_name_tells_the_training(name: str, trained: bool) -> None:
    assert is_trained_for_it(name) is trained
