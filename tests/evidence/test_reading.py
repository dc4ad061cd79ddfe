"""What readings of several texts amount to."""

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.knowledge import passage
from veridic.evidence.evidence import headed
from veridic.evidence.likeliest import rivals_of
from veridic.evidence.reading import (
    MOST_LEAD,
    PASSAGES,
    Answer,
    Text,
    answers_in,
    cited,
    considered,
    in_prose,
    sentence_around,
    signs_of,
    texts_of,
)
from veridic.ports.judgements import AnswerSigns, Reading, ReadSpan
from veridic.ports.shapes import Passage, Strip

QUESTION = "When was the Alder Bridge opened?"
OPENED = "The Alder Bridge was opened in 1932 by mayor Clara Voss. It is 412 metres long."
LATER = "People say that the bridge was opened in 1955. Others say nothing of the year 1932."
CHOICE = "Which is larger, Mars or Venus?"


def stored(document: str, text: str, *, at: int = 0, title: str = "Alder Bridge", score: float = 0.8) -> Passage:
    """A passage that stands at an offset of its document."""
    return Passage(
        **{**passage(document, text, title=title), "start": at, "end": at + len(text), "score": score}  # type: ignore[typeddict-item]
    )


def text_of(held: Passage, relevance: float = 0.8) -> Text:
    return Text(held, held["text"], held["start"], relevance)


def read_in(text: Text, *said: tuple[str, float]) -> Reading:
    """A reading whose spans are these words, each where it first stands in the text under its heading."""
    spans = [ReadSpan(at, at + len(word), margin) for word, margin in said for at in [text.shown.rindex(word)]]
    return Reading(spans, 0.0, 0.0, 1.0, (0, len(text.shown)))


def decided(text: Text, yes: float, no: float) -> Reading:
    return Reading([], yes, no, 1.0 - yes - no, (0, len(text.shown)))


def test_the_best_passages_are_read_and_then_the_kept_strips_the_best_first() -> None:
    documents = [stored(f"d{n}", OPENED, at=100 * n, score=n / 10) for n in range(PASSAGES + 2)]
    strip = Strip(passage=documents[0], text="It is 412 metres long.", start=57, end=79, score=0.4, kept=True)
    found = texts_of([Strip(**{**strip, "score": 0.3}), strip], documents)
    assert [one.relevance for one in found] == [0.6, 0.5, 0.4, 0.3, 0.2, 0.4, 0.3]
    assert [one.start for one in found[:5]] == [600, 500, 400, 300, 200]
    assert (found[5].text, found[5].start) == ("It is 412 metres long.", 57)


@given(
    st.sampled_from([OPENED, LATER, "One. Two! Three?", "a\nb c"]),
    st.integers(0, 500),
    st.sampled_from(["Alder Bridge", "A title: with 1932"]),
    st.data(),
)
def test_a_citation_quotes_the_stored_text_where_it_says(body: str, at: int, title: str, data: st.DataObject) -> None:
    document = "x" * at + body
    text = text_of(stored("d", body, at=at, title=title))
    skip = len(text.shown) - len(body)
    start = data.draw(st.integers(0, len(text.shown) - 1))
    end = data.draw(st.integers(start + 1, len(text.shown)))
    for answer in answers_in(QUESTION, [text], [Reading([ReadSpan(start, end, 1.0)], 0.0, 0.0, 1.0, (0, 1))]):
        assert start >= skip
        span, sentence = cited(answer.best), sentence_around(answer.best)
        assert document[span["start"] : span["end"]] == span["quote"] == answer.text
        assert document[sentence["start"] : sentence["end"]] == sentence["quote"]
        assert span["document_id"] == sentence["document_id"] == "d"
        if answer.text == answer.text.strip():
            assert sentence["start"] <= span["start"]
            assert span["end"] <= sentence["end"]


def test_the_sentence_is_the_one_that_holds_the_answer_or_those_it_runs_over() -> None:
    text = text_of(stored("d", OPENED))
    [answer] = answers_in(QUESTION, [text], [read_in(text, ("1932", 3.0))])
    assert sentence_around(answer.best)["quote"] == "The Alder Bridge was opened in 1932 by mayor Clara Voss."
    [across] = answers_in(QUESTION, [text], [read_in(text, ("Voss. It", 3.0))])
    assert sentence_around(across.best)["quote"] == OPENED


def test_a_span_in_the_heading_is_no_answer() -> None:
    text = text_of(stored("d", "It was opened then.", title="Opened in 1932"))
    year = text.shown.index("1932")
    over = Reading([ReadSpan(year, year + 4, 9.0), ReadSpan(year, len(text.shown), 8.0)], 0.0, 0.0, 1.0, (0, 1))
    assert answers_in(QUESTION, [text], [over]) == []


def test_the_first_line_of_a_text_without_heading_is_read_as_text() -> None:
    text = text_of(stored("d", "It opened in 1932.\nIt is long.", title=""))
    bare = Text({**text.passage, "title": ""}, text.text, text.start, 0.8)
    assert bare.shown.partition("\n")[2] == bare.text
    [answer] = answers_in(QUESTION, [bare], [read_in(bare, ("1932", 3.0))])
    assert cited(answer.best)["quote"] == "1932"


def test_a_place_in_code_is_left_out_and_one_in_prose_is_not() -> None:
    text = text_of(stored("a", "It listens on port 8123.\n\n```\nserve --port 9000\n```"))
    [left] = in_prose([text], [read_in(text, ("9000", 5.0), ("8123", 3.0))])
    assert [text.shown[span.start : span.end] for span in left.spans] == ["8123"]


def test_the_same_answer_in_two_passages_speaks_for_it() -> None:
    texts = [text_of(stored("a", OPENED)), text_of(stored("b", "In 1932 it was opened."))]
    [both] = considered(QUESTION, texts, [read_in(text, ("1932", 3.0)) for text in texts])
    alone, *_ = considered(QUESTION, texts, [read_in(texts[0], ("1932", 3.0)), read_in(texts[1])])
    assert len(both.answer.places) == 2
    assert (both.signs.agreeing, alone.signs.agreeing) == pytest.approx((1.0, 0.5))


def test_what_agrees_counts_by_its_relevance() -> None:
    texts = [text_of(stored("a", OPENED), 0.9), text_of(stored("b", LATER), 0.1)]
    first, second = considered(QUESTION, texts, [read_in(texts[0], ("1932", 3.0)), read_in(texts[1], ("1955", 1.0))])
    assert (first.answer.text, first.signs.agreeing) == ("1932", pytest.approx(0.9))
    assert (second.answer.text, second.signs.agreeing) == ("1955", pytest.approx(0.1))


def test_a_strip_and_its_passage_speak_with_one_voice() -> None:
    held, other = stored("a", OPENED), stored("b", LATER)
    strip = Text(held, "The Alder Bridge was opened in 1932 by mayor Clara Voss.", 0, 0.8)
    texts = [strip, text_of(held), text_of(other)]
    found = considered(
        QUESTION, texts, [read_in(strip, ("1932", 3.0)), read_in(texts[1], ("1932", 2.0)), read_in(texts[2])]
    )
    assert found[0].signs.agreeing == pytest.approx(0.5)


def test_a_passage_weighs_as_much_as_its_most_relevant_strip() -> None:
    held, other = stored("a", OPENED), stored("b", LATER)
    first, second = Text(held, OPENED[:56], 0, 0.8), Text(held, OPENED[57:], 57, 0.2)
    texts = [first, second, text_of(other, 0.8)]
    found = considered(QUESTION, texts, [read_in(first, ("1932", 3.0)), read_in(second), read_in(texts[2])])
    assert found[0].signs.agreeing == pytest.approx(0.5)


def test_only_what_a_text_says_before_all_else_agrees() -> None:
    texts = [text_of(stored("a", OPENED)), text_of(stored("b", LATER))]
    found = considered(
        QUESTION, texts, [read_in(texts[0], ("1932", 3.0)), read_in(texts[1], ("1955", 2.0), ("1932", 1.0))]
    )
    by_text = {one.answer.text: one.signs.agreeing for one in found}
    assert by_text == pytest.approx({"1932": 0.5, "1955": 0.5})


def test_an_answer_with_more_words_is_no_rival() -> None:
    texts = [text_of(stored("a", "It was opened on 3 June 1932.")), text_of(stored("b", OPENED))]
    found = considered(QUESTION, texts, [read_in(texts[0], ("3 June 1932", 3.0)), read_in(texts[1], ("1932", 2.0))])
    assert {one.signs.lead for one in found} == {MOST_LEAD}
    assert {one.signs.agreeing for one in found} == {1.0}


def test_a_number_in_words_is_no_other_than_the_one_in_digits() -> None:
    texts = [text_of(stored("a", "It expires after ninety days.")), text_of(stored("b", "Its default is 90."))]
    found = considered(
        "After how many days?", texts, [read_in(texts[0], ("ninety", 9.0)), read_in(texts[1], ("90", 8.0))]
    )
    assert [(one.answer.text, one.signs.lead) for one in found] == [("ninety", MOST_LEAD)]
    assert rivals_of(QUESTION, found[0].answer, found) == []


def test_the_lead_is_over_the_best_rival() -> None:
    text = text_of(stored("d", LATER))
    first, second = considered(QUESTION, [text], [read_in(text, ("1955", 3.0), ("1932", 1.5))])
    assert (first.answer.text, first.signs.lead, second.signs.lead) == ("1955", 1.5, -1.5)


def test_one_option_may_be_a_part_of_the_other() -> None:
    text = text_of(stored("d", "Mary Ann is taller than Ann.", title="Sisters"))
    found = answers_in("Who is taller, Ann or Mary Ann?", [text], [read_in(text, ("Mary Ann", 3.0))])
    assert [answer.text for answer in found] == ["Mary Ann"]


def test_an_option_behind_a_verb_is_told_without_the_verb() -> None:
    text = text_of(stored("d", "Bach died in 1750 and Handel, his elder by a month, in 1759.", title="Composers"))
    found = answers_in("Did Bach or Handel die first?", [text], [read_in(text, ("Bach", 3.0), ("Handel", 1.0))])
    assert [answer.text for answer in found] == ["Bach", "Handel"]


def test_yes_and_no_are_told_by_every_text_and_the_surest_comes_first() -> None:
    question = "Was the Alder Bridge opened in 1932?"
    texts = [text_of(stored("a", OPENED)), text_of(stored("b", LATER))]
    yes, no = considered(question, texts, [decided(texts[0], 0.6, 0.1), decided(texts[1], 0.9, 0.05)])
    assert (yes.answer.text, no.answer.text) == ("Yes", "No")
    assert [place.source for place in yes.answer.places] == [texts[1], texts[0]]
    assert yes.signs.margin > 0 > no.signs.margin
    assert yes.signs.lead == -no.signs.lead
    assert (yes.signs.agreeing, no.signs.agreeing) == (1.0, 0.0)
    assert sentence_around(yes.answer.best)["quote"] in LATER


def test_nobody_agrees_where_every_text_is_undecided() -> None:
    text = text_of(stored("a", OPENED))
    found = considered("Was the Alder Bridge red?", [text], [decided(text, 0.3, 0.1)])
    assert [one.signs.agreeing for one in found] == [0.0, 0.0]


def test_certainty_stays_finite() -> None:
    text = text_of(stored("a", OPENED))
    yes, no = considered("Was the Alder Bridge opened?", [text], [decided(text, 1.0, 0.0)])
    assert 10 < yes.signs.margin < 20
    assert yes.signs.margin == pytest.approx(-no.signs.margin)
    assert yes.signs.lead == MOST_LEAD


def test_nothing_is_read_in_nothing() -> None:
    assert considered(QUESTION, [], []) == []
    assert considered("Was it opened?", [], []) == []
    text = text_of(stored("a", OPENED))
    assert considered(QUESTION, [text], [read_in(text)]) == []
    assert answers_in(QUESTION, [text], [read_in(text, (".", 3.0))]) == []


MARGINS = st.floats(-50, 50, allow_nan=False)


@given(st.lists(st.tuples(st.sampled_from(["1932", "1955", "the year 1932", "bridge"]), MARGINS), max_size=4), MARGINS)
def test_signs_are_bounded_and_the_clearest_answer_comes_first(said: list[tuple[str, float]], other: float) -> None:
    texts = [text_of(stored("a", LATER), 0.9), text_of(stored("b", OPENED), 0.0)]
    found = considered(QUESTION, texts, [read_in(texts[0], *said), read_in(texts[1], ("1932", other))])
    assert [one.signs.margin for one in found] == sorted((one.signs.margin for one in found), reverse=True)
    for one in found:
        assert one.answer.best.margin == max(place.margin for place in one.answer.places)
        assert 0 <= one.signs.agreeing <= 1
        assert abs(one.signs.lead) <= MOST_LEAD
        assert all(isinstance(getattr(one.signs, field.name), float) for field in fields(AnswerSigns))


def test_an_answer_without_rivals_leads_by_the_most() -> None:
    text = text_of(stored("a", OPENED))
    [answer] = answers_in(QUESTION, [text], [read_in(text, ("1932", -3.0))])
    assert isinstance(answer, Answer)
    assert signs_of(answer, [answer], [text]).lead == MOST_LEAD
    assert headed(text.passage, text.text) == text.shown


def test_nothing_of_a_fence_is_read_with_code() -> None:
    text = text_of(stored("d", "```\nlimit_c = 41\n```", title="Scanner"))
    [found] = answers_in("At what temperature does it send an alert?", [text], [read_in(text, ("41\n``", 3.0))])
    assert (found.text, cited(found.best)["quote"]) == ("41", "41")


LEVELS = "The Level 1 course costs 140 pounds. It takes 3 days. Boots are 20 pounds."
SCANNERS = "PX-300: Memory is 8 GB. PX-300 Pro: Memory is 32 GB."


@pytest.mark.parametrize(("margin", "relevance", "other"), [(3.0, 0.9, "1955"), (1.0, 0.9, None), (3.0, 0.2, None)])
def test_what_a_relevant_document_clearly_answers_instead_is_a_rival(
    margin: float, relevance: float, other: str | None
) -> None:
    texts = [text_of(stored("a", OPENED)), replace(text_of(stored("b", LATER)), relevance=relevance)]
    found = considered(QUESTION, texts, [read_in(texts[0], ("1932", 9.0)), read_in(texts[1], ("1955", margin))])
    assert [text for text, _ in rivals_of(QUESTION, found[0].answer, found)] == ([other] if other else [])


@pytest.mark.parametrize(("title", "other"), [("minutes-2024", []), ("minutes-2025", ["47"]), ("minutes", ["47"])])
def test_what_another_year_is_spoken_of_is_no_rival(title: str, other: list[str]) -> None:
    texts = [text_of(stored("a", "Present: 52 members.")), text_of(stored("b", "Present: 47 members.", title=title))]
    question = "How many members were present in 2025?"
    found = considered(question, texts, [read_in(texts[0], ("52", 9.0)), read_in(texts[1], ("47", 8.0))])
    assert [text for text, _ in rivals_of(question, found[0].answer, found)] == other


def test_what_is_said_in_other_words_is_no_rival() -> None:
    texts = [text_of(stored("a", "She was the mayor.")), text_of(stored("b", "Clara Voss: the director"))]
    said = [read_in(texts[0], ("the mayor", 9.0)), read_in(texts[1], ("the director", 8.0))]
    found = considered("Who is Clara Voss?", texts, said)
    assert rivals_of("Who is Clara Voss?", found[0].answer, found) == []


def test_no_answer_is_read_in_a_question() -> None:
    text = text_of(stored("d", "Was it opened in 1932? Nobody knows."))
    assert considered(QUESTION, [text], [read_in(text, ("1932", 5.0))]) == []
