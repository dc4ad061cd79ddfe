import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from veridic.text.facts import entities, plain_words
from veridic.text.questions import (
    is_time_sensitive,
    keeps_entities,
    keywords,
    needs_context,
    parts_of,
    resolve,
    sub_questions,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("Who is the current president?", True), ("What is the latest version?", True), ("Who opened it in 1932?", False)],
)
def test_time_sensitive_questions_are_told_by_their_words(text: str, expected: bool) -> None:
    assert is_time_sensitive(text) is expected


def test_a_rewrite_must_keep_names_and_numbers() -> None:
    question = "When was the Warsaw chamber founded after 1918?"
    assert entities(question) == {"warsaw", "1918"}
    assert keeps_entities(question, "warsaw chamber founded 1918")
    assert not keeps_entities(question, "chamber founded 1918")
    assert not keeps_entities(question, "warsaw chamber founded")


@pytest.mark.parametrize(
    ("question", "rewrite"),
    [
        ("When did the flight AS-278 leave?", "flight as 278 leave"),
        ("Who governs Île-de-France now?", "ile de france governs"),
        ("Where did Eugene O'Neill live?", "eugene o'neill live"),
        ("When was the Alder Bridge's toll raised?", "alder bridge toll raised"),
        ("What is the toll in Stratford-on-Avon?", "stratford avon toll"),
        ("How large is the U.S. debt?", "debt u.s."),
        ("What does Figure A.1 show?", "figure a.1"),
    ],
)
def test_names_with_marks_are_kept_however_they_are_cut(question: str, rewrite: str) -> None:
    assert keeps_entities(question, rewrite)


@pytest.mark.parametrize(
    ("question", "rewrite"),
    [
        ("When did the flight AS-278 leave?", "flight as 279 leave"),
        ("Who governs Île-de-France now?", "ile governs"),
        ("Where did Eugene O'Neill live?", "eugene o'hara live"),
        ("Who leads the 3Com company?", "leads company com"),
    ],
)
def test_a_part_of_a_name_does_not_stand_for_it(question: str, rewrite: str) -> None:
    assert not keeps_entities(question, rewrite)


@given(st.one_of(st.text(), st.text("aAsSÎîİıßẞŉΣςǅ'’-.,_12½² \u0302\u0307?")))
@example("Who owns 3Com?")
@example("the A.1 and A,2 of İzmir’s O'Neill, U.S.")
def test_a_question_keeps_its_own_entities_in_either_case(question: str) -> None:
    assert keeps_entities(question, question)
    assert keeps_entities(question, question.lower())


@pytest.mark.parametrize(
    ("question", "earlier", "expected"),
    [
        ("When did she die?", "When was Marie Curie born?", "When did Marie Curie die?"),
        ("What are its limits?", "Who built the Alder Bridge?", "What are Alder Bridge's limits?"),
        ("And how long?", "Who built the Alder Bridge?", "And how long (Alder Bridge)"),
        ("When did Pierre die?", "When was Marie Curie born?", "When did Pierre die?"),
        ("When did it end?", "what is that?", "When did it end?"),
        ("I heard that it floods.", "Yes. Does the Alder flood?", "I heard that Alder floods."),
        ("What happened there?", "Where is Riga?", "What happened in Riga?"),
    ],
)
def test_a_follow_up_is_made_whole_from_what_was_named_before(question: str, earlier: str, expected: str) -> None:
    assert resolve(question, earlier) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When did she die?", True),
        ("And the length?", True),
        ("Who opened Alder Bridge?", False),
        ("how long", False),
        ("What happened there?", True),
        ("Is there a toll?", False),
        ("what kinds of tolls are there", False),
        ("Can I extend it?", True),
        ("Is it open on Sundays?", True),
        ("Is it open in Oslo on Sundays?", False),
    ],
)
def test_a_question_that_leans_on_another_is_seen(question: str, expected: bool) -> None:
    assert needs_context(question) is expected


def test_joined_questions_are_taken_apart_each_whole() -> None:
    assert sub_questions("Who founded Apple and when did it go public?") == [
        "Who founded Apple?",
        "when did Apple go public?",
    ]
    assert sub_questions("Who wrote War and Peace?") == []


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("When was it built, and by whom?", ["When was it built?", "By whom was it built?"]),
        ("When was it opened? And by whom?", ["When was it opened?", "By whom was it opened?"]),
        ("When and where was Mozart born?", ["When was Mozart born?", "Where was Mozart born?"]),
        (
            "From whom and for how much did Voss buy it?",
            ["From whom did Voss buy it?", "For how much did Voss buy it?"],
        ),
        ("What year was it founded and by whom?", ["What year was it founded?", "By whom was it founded?"]),
        ("In which year was it closed and why?", ["In which year was it closed?", "Why was it closed?"]),
        ("Which river does it cross, and where?", ["Which river does it cross?", "Where does it cross?"]),
        ("Where did Napoleon die and of what?", ["Where did Napoleon die?", "Of what did Napoleon die?"]),
        ("When did Ann and Bob meet, and where?", ["When did Ann and Bob meet?", "Where did Ann and Bob meet?"]),
        ("Who opened the bridge and when?", ["Who opened the bridge?", "When was it that somebody opened the bridge?"]),
        ("When is the regatta, and who is the judge?", ["When is the regatta?", "who is the judge?"]),
        ("Who won in 1950? Who won in 1954?", ["Who won in 1950?", "Who won in 1954?"]),
    ],
)
def test_a_question_that_asks_twice_is_two_each_able_to_stand_alone(question: str, parts: list[str]) -> None:
    assert parts_of(question) == parts


@pytest.mark.parametrize(
    "question",
    [
        "Who wrote War and Peace?",
        "What is the difference between a lock and a weir?",
        "When did Ann and Bob meet?",
        "Who won in 1950, and in 1954?",
        "Who discovered radium, when and where?",
        "Which company built it and in which year?",
        "How many books does the library hold, and since when?",
        "Who paid for the bridge, and how much?",
    ],
)
def test_what_asks_once_or_cannot_be_taken_apart_stays_whole(question: str) -> None:
    assert parts_of(question) == [question]


ASKED = "when where who what is was did the bridge Voss it she and , by whom opened built in 1932 how many ?".split()


@given(st.one_of(st.text(), st.lists(st.sampled_from(ASKED), max_size=14).map(" ".join)))
def test_parts_lose_no_name_and_no_number(question: str) -> None:
    parts = parts_of(question)
    assert parts
    assert entities(question) <= plain_words(" ".join(parts))


def test_keywords_carry_the_question() -> None:
    assert keywords("When was the Alder Bridge opened?") == ["alder", "bridge", "opened"]
