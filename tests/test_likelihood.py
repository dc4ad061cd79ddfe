"""What a model thought of its own words, by the tokens of its reply."""

from math import log

import pytest

from veridic.ports.likelihood import WrittenToken, likelihood, sure_words


def tokens(*told: tuple[str, float]) -> list[WrittenToken]:
    return [WrittenToken(text, log(share), {}) for text, share in told]


REPLY = tokens(("[Relevant]", 0.9), ("It", 0.5), (" opened", 1.0), (" in", 1.0), (" 19", 0.2), ("32", 0.1), (".", 1.0))


def test_a_text_is_as_probable_as_its_own_tokens_in_the_mean() -> None:
    assert likelihood("It opened", REPLY) == pytest.approx(0.5**0.5)
    assert likelihood("It opened in 1932.", REPLY) == pytest.approx((0.5 * 0.2 * 0.1) ** (1 / 6))


def test_a_word_is_sure_if_all_its_tokens_are() -> None:
    assert sure_words("It opened in 1932.", REPLY, 0.4) == "It opened in"
    assert sure_words("It opened in 1932.", REPLY, 0.15) == "It opened in"
    assert sure_words("It opened in 1932.", REPLY, 0.1) == "It opened in 1932."
    assert sure_words("It opened in 1932.", REPLY, 0.6) == "opened in"


def test_of_a_word_that_comes_twice_each_place_counts_for_itself() -> None:
    said = tokens(("no", 1.0), (" no", 0.1), (" no", 1.0))
    assert sure_words("no no no", said, 0.5) == "no no"


@pytest.mark.parametrize("told", [[], REPLY])
def test_of_a_text_that_the_tokens_do_not_say_nothing_is_known(told: list[WrittenToken]) -> None:
    assert likelihood("It closed.", told) is None
    assert sure_words("It closed.", told, 0.5) is None
    assert likelihood("", told) is None
