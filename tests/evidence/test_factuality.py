"""What is counted, what contradicts, and what is a conflict."""

from veridic.evidence.evidence import decompose
from veridic.evidence.factuality import (
    Bounds,
    Findings,
    Measured,
    conflicts_over,
    contradicting,
    fact_scores,
    merged,
)
from veridic.evidence.grounding import Premise, Weighed
from veridic.ports.shapes import CORPUS, AtomicClaim, Conflict, Passage, Strip

BOUNDS = Bounds(support=0.7, contradiction=0.7)
OPENED = AtomicClaim(text="The Alder Bridge was opened in 1932.", sentence="It was opened in 1932.")
MAYOR = AtomicClaim(text="Clara Voss was mayor.", sentence="Clara Voss was mayor.")


def strip(source: str, text: str, *, kept: bool = True) -> Strip:
    [only] = decompose(
        Passage(
            id=f"{source}:{text}",
            document_id=f"{source}:{text}",
            kind="human" if source == CORPUS else "outside",
            source=source,
            title="",
            heading="",
            url="",
            location="",
            text=text,
            start=0,
            end=len(text),
            retrieved_at="",
            found_by="",
            score=None,
        )
    )
    return {**only, "kept": kept}


def measured(
    claim: AtomicClaim,
    source: str,
    *said: tuple[float, float, float],
    text: str = "The Alder Bridge and Clara Voss.",
    kept: bool = True,
) -> Measured:
    """A place with one window for each (cosine, entailment, contradiction)."""
    windows = [strip(source, f"{text} {number}", kept=kept) for number, _ in enumerate(said)]
    weighed = [
        Weighed(Premise(window["text"], (window,)), entailment, contradiction)
        for window, (_, entailment, contradiction) in zip(windows, said, strict=True)
    ]
    return Measured(Findings(claim, source, windows), [cosine for cosine, _, _ in said], weighed)


def standing_of(*places: Measured) -> str:
    return fact_scores([OPENED], places, BOUNDS, unchecked=[])["claims"][0]["standing"]


def test_missing_evidence_counts_as_nothing_and_is_named() -> None:
    places = [measured(OPENED, CORPUS, (0.8, 0.9, 0.0), (0.5, 0.1, 0.0)), measured(MAYOR, "wikipedia")]
    scores = fact_scores([OPENED, MAYOR], places, BOUNDS, unchecked=[MAYOR])
    assert (scores["fact_score"], scores["corpus_score"], scores["entailment_score"]) == (0.0, 0.8, 0.45)
    assert (scores["missing"], scores["missing_claims"]) == (1, [MAYOR["text"]])
    assert scores["by_source"] == {CORPUS: 0.8, "wikipedia": 0.0}
    assert scores["claims"][1]["cosine"] is None
    assert scores["unchecked"] == [MAYOR["text"]]


def test_a_source_that_was_not_asked_about_a_claim_has_no_score_for_it() -> None:
    places = [measured(OPENED, CORPUS, (0.8, 0, 0)), measured(MAYOR, CORPUS, (0.4, 0, 0)), measured(OPENED, "web")]
    scores = fact_scores([OPENED, MAYOR], places, BOUNDS, unchecked=[])
    assert scores["by_source"] == {CORPUS: (0.8 + 0.4) / 2, "web": 0.0}


def test_the_users_own_documents_do_not_count_as_evidence_from_outside() -> None:
    places = [measured(OPENED, CORPUS, (0.9, 0, 0)), measured(OPENED, "web", (0.3, 0, 0)), measured(MAYOR, CORPUS)]
    scores = fact_scores([OPENED, MAYOR], places, BOUNDS, unchecked=[])
    assert (scores["fact_score"], scores["corpus_score"]) == (0.3, 0.45)


def test_no_claims_no_scores() -> None:
    scores = fact_scores([], [], BOUNDS, unchecked=[])
    assert (scores["fact_score"], scores["missing"], scores["by_source"]) == (None, 0, {})


def test_a_claim_is_borne_out_contradicted_or_open() -> None:
    assert standing_of(measured(OPENED, CORPUS, (0.9, 0.8, 0.1))) == "borne_out"
    assert standing_of(measured(OPENED, CORPUS, (0.9, 0.1, 0.8))) == "contradicted"
    assert standing_of(measured(OPENED, CORPUS, (0.9, 0.6, 0.6))) == "open"
    assert standing_of(measured(OPENED, CORPUS)) == "open"


def test_support_elsewhere_does_not_hide_a_contradiction() -> None:
    supports, denies = measured(OPENED, CORPUS, (0.9, 0.9, 0.0)), measured(OPENED, "web", (0.9, 0.0, 0.9))
    assert standing_of(supports, denies) == "contradicted"


def test_a_place_that_bears_a_claim_out_does_not_contradict_it() -> None:
    both = measured(OPENED, "web", (0.9, 0.9, 0.0), (0.9, 0.0, 0.9))
    assert standing_of(both) == "borne_out"
    assert contradicting(both, BOUNDS) is None


def test_what_did_not_pass_or_names_nothing_of_the_claim_contradicts_nothing() -> None:
    assert standing_of(measured(OPENED, "web", (0.9, 0.0, 0.9), kept=False)) == "open"
    assert standing_of(measured(OPENED, "web", (0.9, 0.0, 0.9), text="The library was closed.")) == "open"


def test_a_conflict_has_a_side_for_and_a_side_against_from_different_places() -> None:
    for_it, against = measured(OPENED, CORPUS, (0.9, 0.9, 0.0)), measured(OPENED, "web", (0.9, 0.0, 0.9))
    [conflict] = conflicts_over([OPENED, MAYOR], [for_it, against], BOUNDS)
    assert conflict["claim"] == OPENED["text"]
    assert (conflict["supporting"]["kind"], conflict["contradicting"]["kind"]) == ("human", "outside")
    [reverse] = conflicts_over(
        [OPENED], [measured(OPENED, CORPUS, (0, 0, 0.9)), measured(OPENED, "web", (0, 0.9, 0))], BOUNDS
    )
    assert (reverse["supporting"]["kind"], reverse["contradicting"]["kind"]) == ("outside", "human")
    assert conflicts_over([OPENED], [against], BOUNDS) == []


def test_the_same_two_spans_are_one_conflict() -> None:
    places = [measured(OPENED, CORPUS, (0.9, 0.9, 0.0)), measured(OPENED, "web", (0.9, 0.0, 0.9))]
    [conflict] = conflicts_over([OPENED], places, BOUNDS)
    again: Conflict = {**conflict, "claim": "In other words."}
    assert merged([conflict], [again]) == [conflict]
    assert merged([], [conflict, again]) == [conflict]
