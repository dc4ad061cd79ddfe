"""Units of columns: a bare number is told with the unit that its column's name holds; everything else stays."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.knowledge.test_readers import blocks, read
from veridic.knowledge.readers.units import spelt, with_unit


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("Price EUR", "489.00", ("Price", "489.00 EUR")),
        ("Price in CHF", "1'200", ("Price", "1'200 CHF")),
        ("Price, USD", "12", ("Price", "12 USD")),
        ("Weight (kg)", "12", ("Weight", "12 kg")),
        ("Delivery time [days]", "5-7", ("Delivery time", "5-7 days")),
        ("Delivery time (working days)", "5", ("Delivery time", "5 working days")),
        ("Power (in kW)", "1.5", ("Power", "1.5 kW")),
        ("Memory GB", "16", ("Memory", "16 GB")),
        ("Humidity %", "71", ("Humidity", "71 %")),
        ("Mean temperature °C", "−4.9", ("Mean temperature", "−4.9 °C")),
        ("Operating temperature (°C)", "-10 to 45", ("Operating temperature", "-10 to 45 °C")),
        ("Rain (mm/year)", "1,120", ("Rain", "1,120 mm/year")),
        ("Area (km2)", "310", ("Area", "310 km2")),
        ("Volume (million m³)", "9.4", ("Volume", "9.4 million m³")),
        ("Turnover (USD million)", "3.2", ("Turnover", "3.2 USD million")),
        ("Fee (per person)", "12", ("Fee", "12 per person")),
        ("Price (€)", "14", ("Price", "€14")),
        ("Price £", "14", ("Price", "£14")),
        ("price pounds", "48", ("price", "48 pounds")),
        ("duration minutes", "15", ("duration", "15 minutes")),
        ("Journey time in hours", "2", ("Journey time", "2 hours")),
    ],
)  # fmt: skip
def test_a_bare_number_is_told_with_the_unit_of_its_column(name: str, value: str, told: tuple[str, str]) -> None:
    assert with_unit(name, value) == told


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Price EUR", "on request"),
        ("Weight (kg)", "12 kg"),
        ("Delivery [days]", "2026-05-12"),
        ("Price", "489.00"),
        ("EUR", "489.00"),
        ("Population (2021)", "5,000"),
        ("Visitors (Q1)", "300"),
        ("Founded (year)", "1932"),
        ("Extension (optional)", "4410"),
        ("Price (incl. VAT)", "489.00"),
        ("Days per year", "27"),
        ("Vitamin A", "12"),
        ("Working days", "27"),
        ("Opening hours", "8"),
        ("Approved by", "3"),
        ("Model S", "12"),
        ("", "12"),
    ],
)
def test_what_is_no_unit_stays_where_it_is(name: str, value: str) -> None:
    assert with_unit(name, value) == (name, value)


@given(
    st.text(st.sampled_from("abkgEUR €%()[] ,in12"), max_size=14), st.text(st.sampled_from("0123,.- tokg€"), max_size=8)
)
def test_no_letter_of_a_value_is_lost_and_a_name_is_left(name: str, value: str) -> None:
    left, told = with_unit(name, value)
    assert value in told
    assert bool(left) is bool(name)
    assert name.startswith(left)


def test_a_table_tells_its_values_with_their_units() -> None:
    header = "Article,Description,Price EUR,Delivery time"
    table = f"{header}\nPX-300,Parcel scanner,489.00,5 working days\nCR-12,Cradle,free,3\n"
    assert [text for _, _, text in blocks(read("a.csv", table))] == [
        "Parcel scanner (PX-300): Article is PX-300. Parcel scanner (PX-300): Price is 489.00 EUR. "
        "Parcel scanner (PX-300): Delivery time is 5 working days.",
        "Cradle (CR-12): Article is CR-12. Cradle (CR-12): Price EUR is free. Cradle (CR-12): Delivery time is 3.",
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("price_gbp", "price GBP"),
        ("weight_kg", "weight kg"),
        ("max_users", "max users"),
        ("Price EUR", "Price EUR"),
        ("_", "_"),
        ("snake_case name", "snake_case name"),
    ],
)
def test_how_a_column_is_said(name: str, said: str) -> None:
    assert spelt(name) == said
