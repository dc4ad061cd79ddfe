import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.spelling import doubtful_words, mended


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("waht caused teh blak deth", ["waht", "caused", "teh", "blak", "deth"]),
        ("Waht did Clara Voss open in Austria?", ["waht", "open"]),
        ('what is "teh blak deth" about, teh', ["teh"]),
        ("what did O'Neill's e-mail to bob@example.org say", ["say"]),
        ("docker run --nmae foo_bar file.txt /usr/lib -v x2", ["docker", "run"]),
        ("WHO opened the Alder Bridge in 1932?", ["opened"]),
        ("was es Größe", []),
    ],
)
def test_words_that_may_be_slips(question: str, words: list[str]) -> None:
    assert doubtful_words(question) == words


@pytest.mark.parametrize(
    ("question", "corrections", "expected"),
    [
        ("Waht caused teh blak deth?", {"waht": "what", "teh": "the", "blak": "black"}, "What caused the black deth?"),
        ("Austria borders what", {"austria": "australia"}, "Austria borders what"),
        ("is austria near Austria", {"austria": "australia"}, "is australia near Austria"),
        ('who said "teh" and teh', {"teh": "the"}, 'who said "teh" and the'),
        ("nothing to put right", {}, "nothing to put right"),
    ],
)
def test_only_those_are_put_right(question: str, corrections: dict[str, str], expected: str) -> None:
    assert mended(question, corrections) == expected


@given(st.text())
def test_a_question_without_corrections_stays_as_it_is(question: str) -> None:
    assert mended(question, {}) == question
