import pytest

from veridic.text.facts import names, numbers


def test_a_capital_that_only_opens_a_sentence_is_no_name() -> None:
    assert names("Bridges fall. Ferries sink.") == set()
    assert names("Alder Bridge fell.") == {"alder", "bridge"}


@pytest.mark.parametrize("opening", ["Did", "Has", "Whose", "Can", "About", "List"])
def test_a_word_that_opens_a_question_is_no_name(opening: str) -> None:
    assert names(f"{opening} Alder Bridge fall?") == {"alder", "bridge"}
    assert numbers("first and 1,000 and 2.50") == {"1", "1000", "2.5"}


def test_who_speaks_is_no_name() -> None:
    assert names("Who do I ring if I'm ill, or if I’ve lost O'Brien's key?") == {"o'brien"}
