from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.text.sentences import ends, ends_before, is_prose, leans_back, sentences, windows


@given(st.text())
def test_sentences_know_where_they_stand_and_lose_nothing_but_white_space(text: str) -> None:
    found = sentences(text)
    assert all(text[piece.start : piece.end] == piece.text for piece in found)
    assert all(first.end <= second.start for first, second in pairwise(found))
    assert "".join("".join(piece.text.split()) for piece in found) == "".join(text.split())


@given(st.text())
def test_windows_know_where_they_stand_and_lose_nothing(text: str) -> None:
    found = windows(text)
    assert all(text[piece.start : piece.end] == piece.text for piece in found)
    assert "".join("".join(piece.text.split()) for piece in found) == "".join(text.split())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Dr. Smith came. He left.", ["Dr. Smith came.", "He left."]),
        ("It cost 3.5 million. Then 4.", ["It cost 3.5 million.", "Then 4."]),
        ("He lives in the U.S. and works.", ["He lives in the U.S. and works."]),
        ("J. R. Ewing won! Really?", ["J. R. Ewing won!", "Really?"]),
        ("Keep it at 4 °C. Dr. Moe agreed.", ["Keep it at 4 °C.", "Dr. Moe agreed."]),
        ("No. It was Locomotive No. 4.", ["No.", "It was Locomotive No. 4."]),
        ('"Really?" she said. No.', ['"Really?" she said.', "No."]),
        ("A heading\n\nA paragraph.", ["A heading", "A paragraph."]),
        ("- one\n- two", ["- one", "- two"]),
        ("1. What we take. All of it.\n12. Rest.", ["1. What we take.", "All of it.", "12. Rest."]),
        (
            "[9:58] Ana: Who has it\n[10:02] Bo: I do. It is\nhere\n[10:03] Cem: Ok",
            ["[9:58] Ana: Who has it", "[10:02] Bo: I do.", "It is\nhere", "[10:03] Cem: Ok"],
        ),
        ("2026-05-12 09:14 on\nagain\n2026-05-12 09:15 off", ["2026-05-12 09:14 on\nagain", "2026-05-12 09:15 off"]),
        ("12.5 litres are in it, and\n12.7 litres are not.", ["12.5 litres are in it, and\n12.7 litres are not."]),
        ("1990, 1991 and\n1994, it rained.", ["1990, 1991 and\n1994, it rained."]),
        ("Seven came. 17. It rained.", ["Seven came.", "17.", "It rained."]),
        ("", []),
        ("  \n ", []),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text: str, expected: list[str]) -> None:
    assert [piece.text for piece in sentences(text)] == expected


def test_code_and_tables_stay_whole_and_are_no_prose() -> None:
    code = "```\nx = 1. y = 2.\n```"
    table = "| a | b |\n|---|---|\n| 1. | 2. |"
    found = [piece.text for piece in sentences(f"Before. After.\n{code}\nMore text.\n{table}\n")]
    assert found == ["Before.", "After.", code, "More text.", table]
    assert [is_prose(piece) for piece in found] == [True, True, False, True, False]


def test_windows_hold_one_to_three_sentences_and_close_when_full() -> None:
    short = "One two. Three four. Five six. Seven eight."
    assert [piece.text for piece in windows(short)] == ["One two. Three four. Five six.", "Seven eight."]
    long = " ".join(["word"] * 39) + ". Another sentence here."
    assert len(windows(long)) == 2


def test_windows_that_go_not_across_end_with_a_paragraph_but_for_what_leans_back() -> None:
    text = "One two. Three four.\n\nFive six.\n\nIt is seven.\nEight nine."
    assert [piece.text for piece in windows(text, across=False)] == [
        "One two. Three four.",
        "Five six.\n\nIt is seven.\nEight nine.",
    ]
    assert next(piece.text for piece in windows(text)).endswith("Five six.")


def test_a_sentence_that_points_back_cannot_stand_alone() -> None:
    assert leans_back("It was opened in 1932.")
    assert leans_back("However, the toll stayed.")
    assert leans_back("With it, a comet was discovered.")
    assert leans_back("After that, it was closed.")
    assert leans_back("After that half of the fee is kept.")
    assert leans_back("From then on the hall opens on Mondays.")
    assert leans_back("The rest are untreated.")
    assert not leans_back("The rest of the fee is due in May.")
    assert not leans_back("With items from all over, it was crowded.")
    assert not leans_back("At that time the toll stayed.")
    assert not leans_back("Item 3 was sold.")
    assert not leans_back("The bridge was opened.")


def test_a_heading_or_an_entry_of_a_list_does_not_end_as_a_sentence_does() -> None:
    assert all(map(ends, ("It opened.", "Who opened it?", 'He said "no."', "(See below.)")))
    assert not any(map(ends, ("© 2024 Library", "* Letters a-z", "Opening hours:", "")))


def test_a_sentence_may_begin_with_a_small_letter_behind_a_whole_word() -> None:
    found = [one.text for one in sentences("It was told by Donahue. cake cake cake. The end.")]
    assert found == ["It was told by Donahue.", "cake cake cake.", "The end."]
    for whole in ("It is approx. five km long.", 'He said "Go now." and left.', "They waited... then left."):
        assert [one.text for one in sentences(whole)] == [whole]


def test_a_fence_is_closed_by_a_line_of_its_own_and_hides_nothing_behind_it() -> None:
    [*_, last] = sentences("See:\n```\nx = f(1);\n``` The bridge was built in 1932.")
    assert last.text.endswith("The bridge was built in 1932.")
    assert is_prose(last.text)
    [_, block, after] = sentences("See:\n```\nany words\n```\nThe bridge was built in 1932.")
    assert (is_prose(block.text), after.text) == (False, "The bridge was built in 1932.")


def test_a_long_run_of_marks_is_passed_once() -> None:
    text = f"What{'?' * 200_000}x is it?"  # from every mark anew this takes minutes
    assert [one.text for one in sentences(text)] == [text]


def test_whether_the_end_of_a_sentence_is_seen_depends_on_what_follows() -> None:
    assert ends_before("It opened in 1932.", "The toll fell.")
    assert ends_before("It was told by Donahue.", "cake is next.")
    assert ends_before(f"{'Long before, ' * 20}it opened.", "The toll fell.")
    for open_end, following in (
        ("Its size is 20 MB.", "pump is next."),
        ("It is of class B.", "The toll fell."),
        ("No", "Yes."),
    ):
        assert not ends_before(open_end, following)


def test_the_name_of_a_setting_begins_a_sentence() -> None:
    said = "ack_wait is 45s. max_pending is 9999. kubectl is used, e.g. here."
    assert [one.text for one in sentences(said)] == [
        "ack_wait is 45s.",
        "max_pending is 9999. kubectl is used, e.g. here.",
    ]
