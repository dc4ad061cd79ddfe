"""Of two documents the later one counts, as far as both say when they were written."""

from datetime import UTC, datetime

import pytest

from veridic.evidence.dating import dating, is_later

NOW = datetime(2026, 6, 1, tzinfo=UTC).timestamp()
LEAFLET = ("leaflet-2016", "/docs/leaflet-2016.txt", "The orchard was planted in 1921. A leaflet of spring 2016.")
FAQ = ("Questions people ask", "/docs/faq.md", "We stopped fining in 2019. Last updated February 2025.")
UNDATED = ("Trees", "/docs/trees.json", "Old Bess stands beside the well.")
HANDBOOK = ("Handbook, season 2026", "/docs/handbook.md", "Red diesel is no longer sold since 2022.")
MARCH = ("Minutes", "/docs/minutes-2026-03.docx", "The next meeting is in May 2026.")
MAY = ("Minutes of 12 May 2026", "/docs/minutes.md", "The fee is 4.50.")
HISTORY = ("The fire of 1923", "/docs/fire.md", "The mill burnt in 1923 and was built anew in 1931.")
PLAN = ("plan 2016", "/docs/plan.md", "The lease runs until 2046.")
PRICES = ("Prices", "/docs/prices%202019.csv", "A ticket costs 2,020 crowns, a season 2031.50.")

Told = tuple[str, str, str]


def later(one: Told, other: Told) -> bool:
    return is_later(dating(*one, now=NOW), dating(*other, now=NOW))


@pytest.mark.parametrize(
    ("new", "old"),
    [
        (FAQ, LEAFLET),
        (HANDBOOK, LEAFLET),
        (MAY, MARCH),
        (HANDBOOK, PRICES),
        (HISTORY, ("mill 1925", "/docs/mill.md", "It grinds.")),
        (FAQ, PLAN),
    ],
)
def test_a_document_that_names_a_later_year_than_the_other_is_of_is_the_later(new: Told, old: Told) -> None:
    assert later(new, old)
    assert not later(old, new)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (UNDATED, LEAFLET),
        (FAQ, ("The PX-2000", "/docs/PX-2000.md", "It weighs 4 kg.")),
        (FAQ, UNDATED),
        (HANDBOOK, MARCH),
        (HANDBOOK, HISTORY),
        (LEAFLET, LEAFLET),
        (PRICES, ("Tariff", "/docs/tariff.md", "It holds from 2031 on.")),
    ],
)
def test_where_it_is_not_said_neither_is_the_later(one: Told, other: Told) -> None:
    assert not later(one, other)
    assert not later(other, one)
