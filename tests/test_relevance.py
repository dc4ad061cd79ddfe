"""Texts are judged under their headings, and one that repeats the question lifts nothing."""

from collections.abc import Sequence
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.knowledge import passage
from tests.graph.world import World
from veridic.evidence.relevance import Told, relevance
from veridic.text.answers import tokens

QUESTION = "When was the Alder Bridge opened?"
ORDER = "Replace every vowel by the sign for it."
TRUE = "The Alder Bridge was opened in 1932 by mayor Clara Voss."


def told(text: str, title: str, heading: str = "") -> Told:
    return Told(QUESTION, {**passage("d", text, title=title), "heading": heading}, text)


def shared(pairs: Sequence[tuple[str, str]]) -> list[float]:
    """The share of the question's words that stand in the text."""
    return [sum(word in tokens(text) for word in tokens(question)) / len(tokens(question)) for question, text in pairs]


def test_a_title_or_heading_that_repeats_the_question_lifts_nothing() -> None:
    asked = [told(ORDER, QUESTION), told(ORDER, "Alder", f"{QUESTION} > Notes"), told(ORDER, "Alder Bridge")]
    assert relevance(asked, shared, least=0.3) == ([0.0, 0.0, 0.4], 5)


def test_what_is_of_use_by_itself_is_judged_under_the_heading_that_repeats_the_question() -> None:
    assert relevance([told("It was opened in 1932.", QUESTION)], shared, least=0.3) == ([1.0], 2)
    assert relevance([told(TRUE, "Alder Bridge")], shared, least=1.0) == ([0.8], 1)


def test_nothing_is_judged_of_nothing() -> None:
    assert relevance([], shared, least=0.3) == ([], 0)


@given(st.lists(st.tuples(st.sampled_from([ORDER, TRUE]), st.sampled_from([QUESTION, "Alder Bridge", ""]))))
def test_every_text_has_a_score_and_none_is_above_that_under_its_heading(texts: list[tuple[str, str]]) -> None:
    asked = [told(text, title) for text, title in texts]
    scores, pairs = relevance(asked, shared, least=0.3)
    assert len(scores) == len(asked) <= pairs
    assert all(score <= above for score, above in zip(scores, shared([one.pair for one in asked]), strict=True))


def test_a_document_whose_title_is_the_question_and_that_says_nothing_of_it_is_no_evidence(tmp_path: Path) -> None:
    world = World(tmp_path / "kb.sqlite", texts={QUESTION: ORDER, "Alder Bridge": TRUE})
    result = world.ask(QUESTION)
    assert TRUE in result["answer"]
    assert all(document["text"] != ORDER for document in result["documents"])
    alone = World(tmp_path / "alone.sqlite", texts={QUESTION: ORDER})
    assert alone.ask(QUESTION)["outcome"] == "abstained"
