"""Numbers, dates and times in one notation."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.models.notation import in_notation_of, values

AMOUNTS = st.integers(1, 10**12)


def worth(text: str) -> list[str]:
    return [one.of for one in values(text)]


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("1,250,000 tonnes", ["1250000"]),
        ("1 250 000 tonnes", ["1250000"]),
        ("1.25 million tonnes", ["1250000"]),
        ("€4.2m", ["4200000"]),
        ("a 4.2 m fence", ["4.2"]),
        ("$3 million or $3,000,000", ["3000000", "3000000"]),
        ("12.50 %", ["12.5"]),
        ("-18 °C, −15 °C and minus 3", ["-18", "-15", "-3"]),
        ("pages 3–5, rooms 12-14", ["3", "5", "12", "14"]),
        ("31.12.2027", ["2027-12-31"]),
        ("2027-12-31", ["2027-12-31"]),
        ("31st of December 2027", ["2027-12-31"]),
        ("December 31, 2027", ["2027-12-31"]),
        ("31/02/2027", []),
        ("03/04/2025", []),
        ("7:30 pm, 7.30pm, 7:30 p.m., 19:30", ["19:30"] * 4),
        ("12 am and 12 pm", ["00:00", "12:00"]),
        ("v3.2.1", []),
        ("in March 2025", ["2025"]),
    ],
)
def test_a_value_is_known_in_every_notation(text: str, of: list[str]) -> None:
    assert worth(text) == of


@pytest.mark.parametrize(
    ("statement", "premise", "read"),
    [
        ("1250000 tonnes", "It made 1,250,000 tonnes.", "It made 1250000 tonnes."),
        ("It ends on 31 December 2027.", "It ends on 31.12.2027.", "It ends on 31 December 2027."),
        ("at 7:30 pm", "We open at 19:30 and close at 22:00.", "We open at 7:30 pm and close at 22:00."),
        ("1,250,000 euros", "It cost $1.25 million.", "It cost $1,250,000."),
        ("kept at 18 °C", "It is kept at -18 °C.", "It is kept at -18, not 18, °C."),
        ("1,250 tonnes", "It made 1,250,000 tonnes.", "It made 1,250,000, not 1,250, tonnes."),
        ("between -5 and 5", "It lies between -5 and 5 degrees.", "It lies between -5 and 5 degrees."),
        ("nothing of it", "It made 1,250,000 tonnes.", "It made 1,250,000 tonnes."),
    ],
)
def test_a_premise_is_read_in_the_notation_of_the_statement(statement: str, premise: str, read: str) -> None:
    assert in_notation_of(statement, premise) == read


@given(AMOUNTS)
def test_thousands_may_be_parted_or_not(amount: int) -> None:
    assert worth(f"{amount}") == worth(f"{amount:,}") == [str(amount)]


@given(AMOUNTS)
def test_a_sign_is_part_of_a_number(amount: int) -> None:
    assert worth(f"at -{amount}") == worth(f"at minus {amount:,}") == [f"-{amount}"]


@given(st.text(max_size=60), st.text(max_size=60))
def test_what_a_premise_says_in_the_same_notation_stays(statement: str, premise: str) -> None:
    assert in_notation_of(premise, premise) == premise
    assert in_notation_of(statement, premise) == premise or values(statement)


@given(st.datetimes(min_value=datetime(1900, 1, 1)))
def test_a_day_and_a_time_are_known_in_every_notation(at: datetime) -> None:
    spelt = f"{at.day} {at:%B %Y}"
    assert worth(f"{at:%d.%m.%Y}") in ([], worth(spelt))
    assert worth(f"{at:%Y-%m-%d}") == worth(spelt) == [at.date().isoformat()]
    assert worth(f"{at:%I:%M %p}") == worth(f"{at:%H:%M}") == [f"{at:%H:%M}"]
