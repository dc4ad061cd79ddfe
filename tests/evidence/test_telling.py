"""How an answer is told."""

import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from tests.evidence.test_answering import OPENED, candidate, place, reading
from tests.exporting.test_outgoing import ADDRESSES, MARKDOWN, acting, outside_code, rendered
from veridic.evidence.answering import short_answer
from veridic.evidence.telling import LONGEST, excerpt, is_excerpt, one_after_another, quoted, shortened, told_sentence
from veridic.exporting.citing import numbered
from veridic.exporting.layout import led, with_other_side, without_layout
from veridic.ports.shapes import Conflict
from veridic.text.sentences import sentences

LONG = (
    "The Alder Bridge, which the ferrymen had fought for years with petitions and strikes and every means they had, "
    "was opened in 1932 by mayor Clara Voss, and the toll, which nobody had wanted to pay in the first place, was "
    "abolished in 1967 after another strike of the ferrymen; the tram came later."
)
WRAPPED = "The license\n   steward is the one who may publish new versions of this License\nUnder Section 10."
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


def test_a_sentence_is_told_as_it_stands() -> None:
    assert told_sentence(reading()) == OPENED
    assert told_sentence(reading(sentence="")) == ""


def test_a_cut_sentence_and_the_next_stay_two() -> None:
    toll = "The toll was abolished in 1967."
    told = one_after_another([shortened(LONG, 130, 134), toll, toll])
    assert [one.text for one in sentences(told)] == [shortened(LONG, 130, 134), toll]


SENTENCES = st.lists(st.sampled_from([OPENED, "It is long.", "1932!", "… cut here", LONG]), min_size=1, max_size=4)


@given(
    SENTENCES, st.sampled_from(["", "1932", "Yes", "1932; 412 metres", OPENED, "It"]), st.floats(0, 1), st.floats(0, 1)
)
def test_every_sentence_stands_where_it_says_in_the_answer(
    parts: list[str], short: str, support: float, sure: float
) -> None:
    told = candidate("\n\n".join(parts), support=support)
    span = place(OPENED, "1932")
    answer, found = led(short, told["text"], told["sentences"], [span], sure)
    for sentence in found:
        assert answer[sentence["start"] : sentence["end"]] == sentence["text"]
    assert [one["text"] for one in found][-len(told["sentences"]) :] == [one["text"] for one in told["sentences"]]
    assert told["sentences"][0]["start"] == 0
    if len(found) > len(told["sentences"]):
        assert answer.startswith(f"{short}\n\n")
        assert found[0]["support"] == min(support, sure)
        assert found[0]["citations"] == [span]


def test_a_short_answer_leads_unless_it_nearly_is_the_sentence() -> None:
    found = candidate(OPENED)["sentences"]
    assert led("1932", OPENED, found, [], 0.9)[0] == f"1932\n\n{OPENED}"
    assert led("", OPENED, found, [], 0.9)[0] == OPENED
    assert led("opened in 1932 by mayor Clara Voss", OPENED, found, [], 0.9)[0] == OPENED
    assert led("The Alder", OPENED, found, [], 0.9)[0] == OPENED
    assert led("1932", OPENED, found, [], 0.9)[1][0]["citations"] == []


def test_a_short_answer_is_no_surer_than_it_was_read() -> None:
    head, sentence = led("1932", OPENED, candidate(OPENED, support=1.0)["sentences"], [], 0.58)[1]
    assert (head["support"], sentence["support"]) == (0.58, 1.0)


def test_the_other_side_is_told_once_and_not_where_it_is_told_already() -> None:
    later = "The Alder Bridge was opened in 1955."
    found = candidate(OPENED)["sentences"]
    conflict = Conflict(claim="1932", supporting=place(OPENED), contradicting=place(later))
    back = Conflict(claim="1955", supporting=place(later), contradicting=place(OPENED))
    answer, parts = with_other_side(OPENED, found, [conflict, back, conflict])
    assert answer == f"{OPENED}\n\nAnother document says otherwise: {later}"
    assert [answer[one["start"] : one["end"]] for one in parts] == [OPENED, later]


def test_the_line_breaks_of_a_source_of_fixed_width_are_not_told() -> None:
    told = candidate(f"{WRAPPED} It is.\n\n- Short line\n- Another")
    answer, found = without_layout(told["text"], told["sentences"])
    one_line = "The license steward is the one who may publish new versions of this License Under Section 10."
    assert answer == f"{one_line} It is.\n\n- Short line\n- Another"
    assert all(answer[one["start"] : one["end"]] == one["text"] for one in found)
    assert short_answer(told, [reading("license\n   steward", sentence=WRAPPED)]) == "license steward"


@pytest.mark.parametrize(
    "text", ["Hill Road\nAlder", "```\nfirst line of code that is long enough to be wrapped\nb\n```"]
)
def test_other_line_breaks_stay(text: str) -> None:
    assert without_layout(text, candidate(text)["sentences"])[0] == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("- Director: Philippa Okonedo.", "Director: Philippa Okonedo."),
        (
            "Prints are lent. - They are to be back within 14 days.",
            "Prints are lent. They are to be back within 14 days.",
        ),
        ("1) Oil the hinge of the gate.\n\n• Close it.", "Oil the hinge of the gate.\n\nClose it."),
        ("Bring:\n- A rope.\n- A lamp.", "Bring:\n- A rope.\n- A lamp."),
        ("- 5 degrees is the lowest.", "- 5 degrees is the lowest."),
    ],
)
def test_the_mark_of_a_list_goes_where_no_list_stands(text: str, told: str) -> None:
    answer, found = without_layout(text, candidate(text)["sentences"])
    assert answer == told
    assert all(answer[one["start"] : one["end"]] == one["text"] for one in found)


def test_sources_are_numbered_once_and_a_part_of_a_quote_is_not_listed_beside_it() -> None:
    answer, found = led("1932", OPENED, candidate(OPENED)["sentences"], [place(OPENED, "1932")], 0.9)
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
    answer, found = led("1932", OPENED, candidate(OPENED)["sentences"], [], 0.9)
    cited = {**place(OPENED), "title": title, "quote": quote, "location": location, "url": url}
    told = numbered(answer, [{**found[0], "citations": [cited, {**cited, "document_id": "e"}]}])  # type: ignore[list-item, typeddict-item]
    links = [one.attrs["href"] for one in rendered(told) if one.type == "link_open"]
    assert links == ([url, url] if url.startswith("https") else [])
    assert len(acting(told)) == len(links)
    assert [one for one in ADDRESSES if one in outside_code(told)] == []
