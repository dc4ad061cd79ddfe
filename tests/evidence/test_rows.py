"""Of which value of a table a claim speaks."""

import pytest

from tests.fakes.knowledge import passage
from veridic.evidence.rows import apart, row_around, spoken_of
from veridic.ports.shapes import Strip

PRICES = (
    "Scanner: Price EUR is 489.00. Scanner: Delivery time is 5 working days.\n\n"
    "Scanner Pro: Price EUR is 729.00. Scanner Pro: Delivery time is 8 working days."
)
DATA = "Weight: PX-3 is 310 g. Weight: PX-3 Pro is 365 g. Memory: PX-3 is 8 GB. Memory: PX-3 Pro is 32 GB."
LEAVE = "Study leave: Days per year is 4. Bereavement leave: Days per year is 6."


def parts(text: str) -> list[Strip]:
    held = passage("d", text)
    return apart(Strip(passage=held, text=text, start=held["start"], end=held["end"], score=None, kept=True))


def test_each_value_stands_apart_and_keeps_its_place() -> None:
    text = f"All prices are net. They hold until May.\n\n{PRICES}\n\nWe deliver by train."
    found = parts(text)
    assert [one["text"] for one in found] == [
        "All prices are net. They hold until May.",
        "Scanner: Price EUR is 489.00.",
        "Scanner: Delivery time is 5 working days.",
        "Scanner Pro: Price EUR is 729.00.",
        "Scanner Pro: Delivery time is 8 working days.",
        "We deliver by train.",
    ]
    begin = found[0]["passage"]["start"]
    assert all(text[one["start"] - begin : one["end"] - begin] == one["text"] for one in found)


def test_a_value_stands_among_the_others_of_its_row() -> None:
    pro = "Scanner Pro: Price EUR is 729.00. Scanner Pro: Delivery time is 8 working days."
    assert row_around("Scanner Pro: Price EUR is 729.00.", f"All prices are net.\n\n{PRICES}") == pro
    assert row_around("All prices are net.", f"All prices are net.\n\n{PRICES}") == "All prices are net."
    assert row_around("Scanner: Weight is 2 kg.", PRICES) == "Scanner: Weight is 2 kg."


def test_a_lone_note_is_no_table() -> None:
    note = "Note: the fee is 5 euros. It is paid at once."
    assert [one["text"] for one in parts(note)] == [note]


@pytest.mark.parametrize(
    ("table", "claim", "values"),
    [
        (PRICES, "The scanner costs 729 euros.", ["489.00.", "5 working days."]),
        (PRICES, "The Scanner Pro costs 489 euros.", ["729.00.", "8 working days."]),
        (PRICES, "The printer costs 489 euros.", []),
        (PRICES, "The scanner's delivery time is 8 days.", ["5 working days."]),
        (DATA, "The PX-3 Pro weighs 310 g.", ["365 g.", "32 GB."]),
        (DATA, "The PX-3 has 32 GB of memory.", ["8 GB."]),
        (LEAVE, "Study leave is 6 days per year.", ["4."]),
        (LEAVE, "Paternity leave is 6 days per year.", []),
    ],
)
def test_only_what_the_claim_calls_speaks(table: str, claim: str, values: list[str]) -> None:
    prose, spoken = spoken_of(claim, parts(table))
    assert prose == []
    assert [one["text"].rpartition(" is ")[2] for one in spoken] == values
