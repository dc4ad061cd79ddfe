"""An answer as it is told."""

import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.fakes.knowledge import passage
from tests.text.test_outgoing import ADDRESSES, MARKDOWN, acting, outside_code, rendered
from veridic.shapes import Candidate, Citation, ReadAnswer, Sentence
from veridic.support.answering import (
    agreed,
    agrees,
    as_read,
    composes,
    confidence,
    draft,
    held,
    missed,
    places_of,
    read_alone,
    short_answer,
)
from veridic.support.evidence import cite_at
from veridic.support.telling import (
    LONGEST,
    excerpt,
    is_excerpt,
    led,
    numbered,
    one_after_another,
    quoted,
    shortened,
    told_sentence,
    without_wraps,
)
from veridic.text.kinds import AnswerKind
from veridic.text.sentences import Span, sentences

OPENED = "The Alder Bridge was opened in 1932 by mayor Clara Voss."
LONG = (
    "The Alder Bridge, which the ferrymen had fought for years with petitions and strikes and every means they had, "
    "was opened in 1932 by mayor Clara Voss, and the toll, which nobody had wanted to pay in the first place, was "
    "abolished in 1967 after another strike of the ferrymen; the tram came later."
)


def place(text: str, words: str = "", document: str = "d", start: int = 0) -> Citation:
    """The citation of words of a text, or of all of it."""
    words = words or text
    return cite_at(passage(document, text, title="Alder Bridge"), start + text.index(words), words)


def reading(
    text: str = "1932",
    sentence: str = OPENED,
    *,
    kind: AnswerKind = "when",
    probability: float = 0.9,
    holds: bool = True,
    unmet: tuple[str, ...] = (),
    question: str = "When was the Alder Bridge opened?",
) -> ReadAnswer:
    words = sentence if kind == "yes-no" else text
    return ReadAnswer(
        question=question,
        kind=kind,
        text=text,
        probability=probability,
        holds=holds,
        span=place(sentence, words) if sentence else None,
        sentence=place(sentence) if sentence else None,
        also=[],
        unmet=list(unmet),
        runner_up=None,
        rival=None,
        needed=0.5,
    )


def candidate(text: str, *, origin: str = "read", support: float = 1.0, usefulness: float = 0.4) -> Candidate:
    """A candidate whose sentences are all supported."""
    judged = [
        Sentence(
            text=one.text,
            start=one.start,
            end=one.end,
            verdict="supported",
            support=support,
            contradiction=0.0,
            citations=[place(one.text)],
            claims=[],
        )
        for one in sentences(text)
    ]
    return {**draft(text, "read"), "origin": origin, "sentences": judged, "usefulness": usefulness}  # type: ignore[typeddict-item]


WORDS = st.lists(
    st.sampled_from(["bridge", "1932,", "and", "which", "was—", "opened;", "toll:", "a", "so-called", "–", "who", "…"]),
    min_size=1,
    max_size=130,
)


@given(WORDS, st.data())
def test_an_excerpt_holds_the_words_that_were_read_and_is_short(words: list[str], data: st.DataObject) -> None:
    sentence = " ".join(words)
    found = [(match.start(), match.end()) for match in re.finditer(r"\S+", sentence)]
    first = data.draw(st.integers(0, len(found) - 1))
    last = data.draw(st.integers(first, min(len(found), first + LONGEST) - 1))
    start = found[first][0]
    end = start + len(sentence[start : found[last][1]].rstrip(" ,;:—–"))
    assume(start < end)
    told = excerpt(sentence, start, end)
    assert sentence[told.start : told.end] == told.text
    assert told.start <= start
    assert end <= told.end
    assert len(told.text.split()) <= LONGEST
    if len(words) <= LONGEST:
        assert told.text == sentence


@given(WORDS, st.integers(0, 200), st.integers(1, 300))
def test_whatever_characters_are_asked_for_an_excerpt_is_short_and_stands_there(
    words: list[str], start: int, length: int
) -> None:
    sentence = " ".join(words)
    told = excerpt(sentence, start, start + length)
    assert sentence[told.start : told.end] == told.text
    assert len(told.text.split()) <= LONGEST


def test_of_a_long_sentence_the_clauses_around_the_answer_are_told() -> None:
    start = LONG.index("1967")
    told = shortened(LONG, start, start + 4)
    assert told.startswith("… and every means they had, was opened in 1932")
    assert told.endswith("the tram came later.")
    assert is_excerpt(told)
    assert quoted(told) in LONG
    assert shortened(OPENED, 31, 35) == OPENED
    assert not is_excerpt(OPENED)


def test_a_sentence_is_told_as_it_stands_and_those_it_is_compared_with_after_it() -> None:
    assert told_sentence(reading()) == OPENED
    assert told_sentence(reading(sentence="")) == ""
    other = "The Forth Bridge was opened in 1890."
    assert told_sentence({**reading(), "also": [place(other), place(OPENED)]}) == f"{OPENED} {other}"


def test_a_cut_sentence_and_the_next_stay_two() -> None:
    toll = "The toll was abolished in 1967."
    told = one_after_another([shortened(LONG, 130, 134), toll, toll])
    assert [one.text for one in sentences(told)] == [shortened(LONG, 130, 134), toll]
    assert told_sentence({**reading(sentence=LONG), "also": [place(toll)]}).endswith(f"\n\n{toll}")


def test_why_and_how_and_nothing_read_are_for_the_writer() -> None:
    assert composes([])
    assert composes([reading(), reading(kind="why-how")])
    assert not composes([reading(holds=False)])


def test_only_what_is_sure_enough_is_held() -> None:
    sure, unsure = reading(), reading("1955", sentence="It opened in 1955.", holds=False)
    assert held([sure, unsure]) == [sure]


@pytest.mark.parametrize(
    ("text", "read", "expected"),
    [
        ("It was opened in 1932.", reading(), True),
        ("The mayor was The Clara Voss!", reading("Clara Voss", kind="who"), True),
        ("It was opened in 1933.", reading(), False),
        ("It was opened in 19321.", reading(), False),
        ("Voss opened it.", reading("Clara Voss", kind="who"), True),
        ("Anna Voss opened it.", reading("Clara Voss", kind="who"), False),
        ("It opened.", reading("the", sentence="the"), False),
        ("Yes, in 1932.", reading("Yes", kind="yes-no"), True),
        ("No.", reading("Yes", kind="yes-no"), False),
        ("It was opened in 1932.", reading("Yes", kind="yes-no"), True),
        ("", reading("No", kind="yes-no"), True),
    ],
)
def test_a_draft_agrees_when_it_says_what_was_read(text: str, read: ReadAnswer, expected: bool) -> None:
    assert agrees(text, read) is expected


def test_the_short_answer_is_one_a_part_and_only_what_the_chosen_text_says() -> None:
    toll = "The toll was abolished in 1967."
    both = [reading(), reading("1967", sentence=toll, probability=0.6)]
    assert short_answer(candidate(f"{OPENED} {toll}"), both) == "1932; 1967"
    assert short_answer(candidate("It opened in 1932.", origin="chat"), both) == "1932"
    assert short_answer(candidate("It is long.", origin="chat"), both) == ""
    assert short_answer(candidate(OPENED), [reading(), reading()]) == "1932"
    assert [one["quote"] for one in places_of(candidate(f"{OPENED} {toll}"), both)] == ["1932", "1967"]
    assert [one["quote"] for one in places_of(candidate("In 1967.", origin="chat"), both)] == ["1967"]
    assert short_answer(None, both) == ""
    assert short_answer(candidate(OPENED), [reading(holds=False)]) == ""


def test_what_was_dropped_from_the_chosen_text_is_not_its_short_answer() -> None:
    toll = "The toll was abolished in 1967."
    both = [reading(), reading("1967", sentence=toll, probability=0.6)]
    assert short_answer(candidate(toll), both) == "1967"
    assert confidence(candidate(OPENED), both) == 0.9


def test_an_answer_is_as_sure_as_its_weakest_part() -> None:
    toll = "The toll was abolished in 1967."
    both = [reading(), reading("1967", sentence=toll, probability=0.6)]
    assert confidence(candidate(f"{OPENED} {toll}"), both) == 0.6
    assert confidence(candidate("In 1932 it was.", origin="chat"), both) == agreed(0.9)
    assert confidence(candidate("So that is why.", origin="chat", usefulness=0.4), both) == 0.4
    assert confidence(None, [reading(holds=False, probability=0.2)]) == 0.2
    assert confidence(None, []) is None


SENTENCES = st.lists(st.sampled_from([OPENED, "It is long.", "1932!", "… cut here", LONG]), min_size=1, max_size=4)


@given(SENTENCES, st.sampled_from(["", "1932", "Yes", "1932; 412 metres", OPENED, "It"]), st.floats(0, 1))
def test_every_sentence_stands_where_it_says_in_the_answer(parts: list[str], short: str, support: float) -> None:
    told = candidate("\n\n".join(parts), support=support)
    span = place(OPENED, "1932")
    answer, found = led(short, told["text"], told["sentences"], [span])
    for sentence in found:
        assert answer[sentence["start"] : sentence["end"]] == sentence["text"]
    assert [one["text"] for one in found][-len(told["sentences"]) :] == [one["text"] for one in told["sentences"]]
    assert told["sentences"][0]["start"] == 0
    if len(found) > len(told["sentences"]):
        assert answer.startswith(f"{short}\n\n")
        assert found[0]["support"] == support
        assert found[0]["citations"] == [span]


def test_a_short_answer_leads_unless_it_nearly_is_the_sentence() -> None:
    found = candidate(OPENED)["sentences"]
    assert led("1932", OPENED, found, [])[0] == f"1932\n\n{OPENED}"
    assert led("", OPENED, found, [])[0] == OPENED
    assert led("opened in 1932 by mayor Clara Voss", OPENED, found, [])[0] == OPENED
    assert led("The Alder", OPENED, found, [])[0] == OPENED
    assert led("1932", OPENED, found, [])[1][0]["citations"] == []


WRAPPED = "The license\n   steward is the one who may publish new versions of this License\nUnder Section 10."


def test_the_line_breaks_of_a_source_of_fixed_width_are_not_told() -> None:
    told = candidate(f"{WRAPPED} It is.\n\n- Short line\n- Another")
    answer, found = without_wraps(told["text"], told["sentences"])
    one_line = "The license steward is the one who may publish new versions of this License Under Section 10."
    assert answer == f"{one_line} It is.\n\n- Short line\n- Another"
    assert all(answer[one["start"] : one["end"]] == one["text"] for one in found)
    assert short_answer(told, [reading("license\n   steward", sentence=WRAPPED)]) == "license steward"


@pytest.mark.parametrize(
    "text", ["Hill Road\nAlder", "```\nfirst line of code that is long enough to be wrapped\nb\n```"]
)
def test_other_line_breaks_stay(text: str) -> None:
    assert without_wraps(text, candidate(text)["sentences"])[0] == text


def test_what_was_missed_is_told_with_the_nearest() -> None:
    unsure = reading(holds=False, probability=0.3)
    assert missed([reading("1955", sentence="In 1955 it rained.", holds=False, probability=0.1), unsure]) == (
        f'It may be "1932", but that is too unsure (0.30). The nearest that was found: "{OPENED}" (Alder Bridge).'
    )
    assert missed([reading(holds=False, probability=0.3, unmet=("2015", "dover"))]).startswith(
        "The sources do not say 2015, dover."
    )
    assert missed([reading("undecided", kind="yes-no", holds=False)]).startswith("The sources do not decide.")
    assert missed([reading(holds=False, probability=0.01)]).startswith("Nothing in the sources answers it.")
    assert missed([reading(sentence="", holds=False)]) == ""
    assert missed([]) == ""


@pytest.mark.parametrize("block", ["| Alder | 1932 |\n" * 300, "open(alder,1932);" * 300, "1932" + "-" * 5000], ids=len)
def test_of_a_block_without_sentences_the_nearest_is_told_in_short(block: str) -> None:
    told = missed([reading("1932", sentence=block, holds=False, probability=0.3)])
    assert "1932" in told
    assert "…" in told
    assert len(told) < 600
    assert len(missed([reading(block, sentence=block, holds=False, probability=0.3)])) < 1000


def test_sources_are_numbered_once_and_a_part_of_a_quote_is_not_listed_beside_it() -> None:
    answer, found = led("1932", OPENED, candidate(OPENED)["sentences"], [place(OPENED, "1932")])
    again = {**found[1], "citations": [place(OPENED), place("Other  words.\n", document="e")]}
    assert numbered(answer, [*found, again]) == (  # type: ignore[list-item]
        f"{answer}\n\n[1] Alder Bridge · line 1 · d: “{OPENED}”\n[2] Alder Bridge · line 1 · e: “Other words.”"
    )
    assert numbered("No.", []) == "No."


@given(MARKDOWN, MARKDOWN, MARKDOWN, st.sampled_from(["https://a.example/x", "javascript:alert(1)", "/x/`y`.md", ""]))
@example("a ` b", "http://evil.example", "", "https://a.example/x")
def test_of_what_sources_say_of_themselves_the_cited_address_alone_is_a_link(
    title: str, quote: str, location: str, url: str
) -> None:
    answer, found = led("1932", OPENED, candidate(OPENED)["sentences"], [])
    cited = {**place(OPENED), "title": title, "quote": quote, "location": location, "url": url}
    told = numbered(answer, [{**found[0], "citations": [cited, {**cited, "document_id": "e"}]}])  # type: ignore[list-item, typeddict-item]
    links = [one.attrs["href"] for one in rendered(told) if one.type == "link_open"]
    assert links == ([url, url] if url.startswith("https") else [])
    assert len(acting(told)) == len(links)
    assert [one for one in ADDRESSES if one in outside_code(told)] == []


def test_what_was_read_alone_is_as_sure_as_the_reading() -> None:
    found = reading(probability=0.4, holds=False)
    assert read_alone("In 1932.", [found]) is None
    assert read_alone("1932.", [found]) is found
    assert read_alone("Yes.", [reading("Yes", kind="yes-no", holds=False)]) is None
    decided = reading("Yes", kind="yes-no")
    assert read_alone("Yes.", [decided]) is decided
    assert read_alone("No.", [decided]) is None
    sentence = as_read(Span("1932.", 0, 5), found)
    assert (sentence["verdict"], sentence["support"], sentence["citations"]) == ("supported", 0.4, [found["span"]])


def test_a_draft_that_says_what_was_read_is_surer_than_the_reading() -> None:
    unsure = reading(probability=0.3, holds=False)
    assert confidence(candidate("It opened in 1932.", origin="chat"), [unsure]) == pytest.approx(agreed(0.3))
    assert confidence(candidate(OPENED), [reading(probability=0.3)]) == 0.3


@given(st.floats(0, 1), st.floats(0, 1))
def test_agreement_raises_a_probability_and_keeps_the_order(one: float, other: float) -> None:
    assert one <= agreed(one) <= 1
    assert (one < other) <= (agreed(one) <= agreed(other))


def test_the_confidence_in_a_sentence_told_instead_is_the_mean_and_of_a_composed_one_its_usefulness() -> None:
    told = candidate(OPENED, usefulness=0.9)
    assert confidence(told, [reading(probability=0.3, holds=False)]) == pytest.approx(0.6)
    assert confidence(told, [reading(kind="why-how", probability=0.3, holds=False)]) == 0.9
