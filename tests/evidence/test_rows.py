"""Of a table the row that a question says whole is meant, and no other."""

import pytest

from veridic.evidence.rows import LONGEST_ROW, other_rows, row_of, whole_rows, without_rows
from veridic.text.sentences import windows

PRICES = """K4: Price is 19. K4: Weight is 0.9 kg.

K40: Price is 89. K40: Weight is 3.1 kg.

K40-X: Price is 109. K40-X: Weight is 3.4 kg.

K40 Pro: Price is 149. K40 Pro: Weight is 4.0 kg."""
NAMES = {"K4", "K40", "K40-X", "K40 Pro"}


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("How heavy is the K40?", {"K40"}),
        ("what does a k40 pro cost", {"K40 Pro"}),
        ("Is the K40 X lighter than the K40 Pro?", {"K40-X", "K40 Pro"}),
        ("Is the K40 cheaper than the K40 Pro?", {"K40", "K40 Pro"}),
        ("Which one weighs 4 kg?", NAMES),
        ("What does the K400 cost?", NAMES),
    ],
)
def test_rows_that_are_not_meant(question: str, meant: set[str]) -> None:
    assert other_rows(question, [PRICES]) == NAMES - meant


CODED = """K40, Transfer pump: Price is 89.

K40 MkII, Transfer pump, new motor: Price is 109.

SK-40, Seal kit for K40: Price is 7."""


@pytest.mark.parametrize(
    ("question", "others"),
    [
        ("Price of the K40?", {"K40 MkII, Transfer pump, new motor", "SK-40, Seal kit for K40"}),
        ("What is the K40 MkII?", {"K40, Transfer pump", "SK-40, Seal kit for K40"}),
        ("seal kit for the K40, how much", {"K40, Transfer pump", "K40 MkII, Transfer pump, new motor"}),
        ("kit for the K40", {"K40 MkII, Transfer pump, new motor"}),
        ("What does a transfer pump cost?", {"K40 MkII, Transfer pump, new motor", "SK-40, Seal kit for K40"}),
    ],
)
def test_a_row_is_called_by_its_code_or_by_its_words(question: str, others: set[str]) -> None:
    assert other_rows(question, [CODED]) == others


def test_what_stands_before_a_colon_in_prose_is_no_row_of_a_table() -> None:
    text = "Opening hours: the library is open until six. Library: it was built in 1904. Library card: it is free."
    assert other_rows("When is the library open?", [text]) == {"Library card"}


def test_a_pair_without_columns_is_left_out_where_its_name_goes_on() -> None:
    assert other_rows("What does the K40 cost?", ["K40: 89.\n\nK40 Pro: 149.\n\nHarp: 7."]) == {"K40 Pro"}


def test_texts_that_tell_of_such_a_row_are_left_out() -> None:
    told = ["K40: Price is 89.", "K40 Pro: Price is 149. K40 Pro: Weight is 4.0 kg.", "All prices are net."]
    assert without_rows(told, {"K40 Pro"}) == ["K40: Price is 89.", "All prices are net."]
    assert row_of("All prices are net.") == row_of("x" * 61 + ": is long.") == ""


def test_the_pieces_of_a_row_are_one_and_end_where_the_next_begins() -> None:
    row = " ".join(f"K40: Column {number} is {number}." for number in range(9))
    text = f"Prices in euros. They hold for 2026.\n\n{row}\n\nK4: Price is 19.\n\nWe deliver on Mondays. It is free."
    found = whole_rows(text, windows(text, across=False))
    first, second, *others = text.split("\n\n")
    assert [piece.text for piece in found] == [first, second, *others]
    assert all(text[piece.start : piece.end] == piece.text for piece in found)


def test_a_row_that_is_too_long_is_cut_between_its_cells() -> None:
    text = " ".join(f"K40: Column {number} is {number}." for number in range(2 * LONGEST_ROW // 5))
    found = whole_rows(text, windows(text, across=False))
    assert len(found) > 1
    assert all(len(piece.text.split()) <= LONGEST_ROW and piece.text.startswith("K40: ") for piece in found)
    assert " ".join(piece.text for piece in found) == text
