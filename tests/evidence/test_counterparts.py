"""Which number of the evidence may stand in the place of a claim's own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.evidence.counterparts import counterparts, speaks_of
from veridic.text.facts import numbers

KEPT = "Runbook: label service > Backup\nBackups are kept for 35 days."


@pytest.mark.parametrize(
    ("claim", "evidence", "told"),
    [
        ("Label service backups are kept for 90 days.", KEPT, "Label service backups are kept for 35 days."),
        ("Probation lasts nine months.", "Probation lasts five months.", "Probation lasts five months."),
        ("The lamp costs 49.90 euros.", "Lamp: Price EUR is 39.90.", "The lamp costs 39.90 euros."),
        ("It listens on port 8443.", "It listens on port 7443.", "It listens on port 7443."),
        ("Trains returned in 1991.", "In 1974 all ended; trains returned in 1983.", "Trains returned in 1983."),
        ("Core hours end at 16:00.", "Core hours end at 15:30.", "Core hours end at 15:30."),
        ("At most 9 guests may come.", "At most 5 guests may come.", "At most 5 guests may come."),
    ],
)
def test_a_number_of_the_same_kind_stands_in_its_place(claim: str, evidence: str, told: str) -> None:
    assert told in counterparts(claim, evidence)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Backups are kept for 35 days.", KEPT),
        ("Backups are kept for five weeks.", KEPT),
        ("Backups are kept for more than 20 days.", KEPT),
        ("Backups are kept for nearly 40 days.", KEPT),
        ("Backups of the mail server are kept for 60 days.", KEPT),
        ("Printers are kept for 60 days.", KEPT),
        ("Mail backups in Porto are kept for 60 days.", KEPT),
        ("The service was written in 2017.", "The service listens on port 7443."),
        ("The group had 5 members.", "One member of the group left in 2015."),
        ("Visits take 45 minutes.", "Visits take about 50 minutes."),
        ("The PX-900 is sold.", "The PX-300 is sold."),
    ],
)
def test_there_is_none_where_both_may_be_true_or_another_thing_is_spoken_of(claim: str, evidence: str) -> None:
    assert counterparts(claim, evidence) == []


@given(st.integers(2, 9999), st.integers(2, 9999))
def test_a_counterpart_has_the_evidences_number_and_not_its_own(own: int, other: int) -> None:
    found = counterparts(f"The bridge is {own:,} metres long.", f"The bridge is {other} metres long.")
    assert found == ([] if own == other else [f"The bridge is {other} metres long."])
    assert all(numbers(one) == {str(other)} for one in found)


def test_what_has_the_name_only_as_a_part_of_another_has_none() -> None:
    evidence = "The Kestrel 5 Mini runs for 40 hours."
    assert counterparts("The Kestrel 5 Mini runs for 90 hours.", evidence)
    assert counterparts("The Kestrel 5 runs for 90 hours.", evidence) == []


def test_a_number_with_letters_behind_it_is_not_cut_short() -> None:
    claim = "The Kestrel scans at up to 6.5K."
    assert counterparts(claim, claim) == []


@pytest.mark.parametrize(
    ("claim", "sentence", "speaks"),
    [
        ("The archive employs 54 people.", "Cinema 1 seats 142 people and shows 35 mm.", False),
        ("Backups are kept for 90 days.", "We keep backups for 35 days.", True),
        ("Membership costs £50 a year.", "It costs £40 a year.", True),
    ],
)
def test_a_sentence_speaks_of_a_claim_with_half_of_its_words(claim: str, sentence: str, speaks: bool) -> None:
    assert speaks_of(claim, sentence) is speaks
