"""What is told of one is no evidence for another, beside it or in the next clause."""

import pytest

from tests.fakes.knowledge import passage
from veridic.evidence.pairing import are_linked, is_said_of_another
from veridic.ports.shapes import Strip

DREDGING = "The contractor, Solent Marine Works, will dredge the inner basin in October."
CHANDLERY = "The chandlery is now run by Bosun Brothers and closes on Wednesdays."
HOLT = "The workshop was founded by Anna Holt."
OSLO = "Anna Holt studied in Oslo."


def strips(*texts: str, title: str = "Notes") -> list[Strip]:
    """Strips of a document each."""
    held = [passage(f"d{number}", text, title=title) for number, text in enumerate(texts)]
    return [
        Strip(passage=one, text=one["text"], start=one["start"], end=one["end"], score=0.9, kept=True) for one in held
    ]


@pytest.mark.parametrize(
    ("assertion", "texts"),
    [
        ("The dredging will be done by Bosun Brothers.", (DREDGING, CHANDLERY)),
        ("Solent Marine Works runs the chandlery.", (DREDGING, CHANDLERY)),
        ("The workshop closes on Wednesdays.", (HOLT, CHANDLERY)),
        (
            "Callum Reid drives the hoist.",
            ("Callum Reid: manager\n\nGethin Rowlands: yard foreman", "The hoist is driven by Gethin Rowlands."),
        ),
    ],
)
def test_what_two_passages_say_of_two_supports_nothing_of_both(assertion: str, texts: tuple[str, ...]) -> None:
    assert not are_linked(assertion, strips(*texts))


@pytest.mark.parametrize(
    ("assertion", "texts"),
    [
        ("The founder of the workshop studied in Oslo.", (HOLT, OSLO)),
        ("The chandlery is run by Bosun Brothers.", (DREDGING, CHANDLERY)),
        ("It is dredged in October, when boats are ashore.", (f"{DREDGING}\n\nMost boats are ashore then.",)),
        ("Anything at all.", (DREDGING,)),
    ],
)
def test_what_is_linked_by_a_name_or_stands_in_one_place_may_support(assertion: str, texts: tuple[str, ...]) -> None:
    assert are_linked(assertion, strips(*texts))


def test_what_all_documents_are_about_links_nothing() -> None:
    texts = ("The harbour of Carrow is dredged in October.", "Bosun Brothers run the chandlery of Carrow.")
    assert are_linked("Bosun Brothers dredge in October.", strips(*texts))
    assert not are_linked("Bosun Brothers dredge in October.", strips(*texts, title="Harbour of Carrow"))


TEACHERS = "Isaac Bello runs the dinghy courses, and Saskia Lund skippers Tern."
PLANS = "The money came from Sir Edmund Vaughan, who owned the quarries, and the plans were drawn by Josiah Telling."


@pytest.mark.parametrize(
    ("assertion", "text", "other"),
    [
        ("Isaac Bello skippers Tern.", TEACHERS, True),
        ("Saskia Lund runs the dinghy courses.", f"Ask in the office. {TEACHERS}", True),
        ("Sir Edmund Vaughan drew the plans.", PLANS, True),
        ("Saskia Lund skippers Tern.", TEACHERS, False),
        ("Josiah Telling drew the plans.", PLANS, False),
        ("Anna Holt taught painting.", "Anna Holt moved to Oslo in 1990, and there she taught painting.", False),
        ("Anna Holt met Peter Lund.", "Anna Holt moved to Oslo in 1990, and there she met Peter Lund.", False),
        ("The hoist lifts boats.", TEACHERS, False),
        ("Isaac Bello skippers Tern.", "", False),
    ],
)
def test_a_clause_of_another_is_told_apart(assertion: str, text: str, other: bool) -> None:
    assert is_said_of_another(assertion, text) is other
