"""Short answers compared as SQuAD compares them."""

import pytest

from veridic.text.answers import distinct_tokens, holds_alias, tokens


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The Alder Bridge!", ["alder", "bridge"]),
        ("Anna’s a 1,932", ["anna", "s", "1", "932"]),
        ("vice-president–elect", ["vice", "president", "elect"]),
        ("theatre another", ["theatre", "another"]),
        ("…", ["…"]),
        ("", []),
    ],
)
def test_case_articles_and_punctuation_do_not_count(text: str, said: list[str]) -> None:
    assert tokens(text) == said


def test_a_letter_tells_answers_apart_and_an_article_does_not() -> None:
    assert not distinct_tokens("vitamin A") <= distinct_tokens("vitamin C")
    assert distinct_tokens("A bridge") == distinct_tokens("the bridge")
    assert distinct_tokens("built a bridge") == distinct_tokens("built the bridge")


@pytest.mark.parametrize(
    ("answer", "held"), [("It was Rush.", True), ("Mount Rushmore", False), ("rush, of course", True), ("", False)]
)
def test_an_alias_is_found_by_whole_tokens(answer: str, held: bool) -> None:
    assert holds_alias(answer, ["Rush"]) is held
