"""Each side of a disagreement by title, kind and date."""

import pytest

from tests.fakes.knowledge import passage
from veridic.evidence.evidence import cite_at
from veridic.evidence.telling import side
from veridic.exporting.citing import disagreements
from veridic.ports.shapes import Citation, Conflict, Kind, Sentence


def cited(document: str, kind: Kind = "human", title: str = "Alder\nBridge") -> Citation:
    held = {**passage(document, "1932", title=title), "kind": kind, "retrieved_at": "2026-03-01T09:00:00+00:00"}
    return cite_at(held, 0, "1932")  # type: ignore[arg-type]


def sentence(*places: Citation) -> Sentence:
    return Sentence(
        text="1932",
        start=0,
        end=4,
        verdict="supported",
        support=1.0,
        contradiction=None,
        citations=list(places),
    )


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("human", "document, taken in 2026-03-01"),
        ("outside", "outside source, fetched 2026-03-01"),
        ("generated", "learned, 2026-03-01"),
    ],
)
def test_a_side_says_what_it_is_and_since_when(kind: Kind, told: str) -> None:
    assert side(cited("d", kind)) == f"Alder Bridge ({told})"


def test_a_side_without_a_title_is_named_by_its_place() -> None:
    one = cited("d", title="")
    assert side(one) == f"{one['url']} (document, taken in 2026-03-01)"
    assert one["url"]


def test_a_disagreement_is_told_once_and_where_one_side_is_cited() -> None:
    conflict = Conflict(claim="1932", supporting=cited("a"), contradicting=cited("b", "outside", "Bridges"))
    again = Conflict(**{**conflict, "claim": "in 1932"})
    line = (
        "Sources disagree: Alder Bridge (document, taken in 2026-03-01) "
        "against Bridges (outside source, fetched 2026-03-01)."
    )
    for place in ("a", "b"):
        assert disagreements([conflict, again], [sentence(cited(place))]) == line
    assert disagreements([conflict], [sentence(cited("c")), sentence()]) == ""
