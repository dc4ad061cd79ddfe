"""A grader's reply is read as a grade, or as none that can be told; nothing else is ever a pass."""

import json
import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from veridic.models.chat.sheets import WORDS, Support, read_grades
from veridic.ports.shapes import GradeName

PASSING: frozenset[GradeName] = frozenset({"full", "partial"})
PASS_WORDS = sorted(word for word, grade in WORDS.items() if grade in PASSING)
prose = st.text(alphabet=string.ascii_letters + string.digits + " .,;:!?'\"()*-\n", max_size=120)
ITEM = {"number": 1, "grade": "full", "passage": 1}
scale_words = st.sampled_from(sorted(WORDS))


def read_support(reply: str, passages: int) -> Support | None:
    """The grade of one sentence that may rest on so many passages."""
    [found] = read_grades(reply, [range(1, passages + 1)])
    return found


def read_grade(reply: str) -> GradeName | None:
    found = read_support(reply, 1)
    return found.grade if found else None


@pytest.mark.parametrize(
    ("reply", "grade"),
    [
        ("Yes.", "full"),
        ("**yes**", "full"),
        ("- Yes", "full"),
        ('{"grade": "partial"}', "partial"),
        ('```json\n{"grade": "none"}\n```', "none"),
        ('{"grade": "full", "reason": "It does not matter."}', "full"),
        ("<think>It says yes.</think> No", "none"),
        ("Contradicted.", "contradicted"),
        ("Grade: full", "full"),
        ('The text answers.\n{"grade": "full"}', "full"),
        ('It is not said.\n{"grade": "none"}', "none"),
    ],
)
def test_replies_that_have_a_grade(reply: str, grade: GradeName) -> None:
    assert read_grade(reply) == grade


@pytest.mark.parametrize(
    "reply",
    [
        "",
        " \n",
        "<think>Yes, it is fully supported.",
        "<think>yes</think>",
        "I'm sorry, I can't help with that.",
        "I cannot say yes to that.",
        "yes and no",
        "Yes, it was opened in 1932.",
        "The passage states the year.\n\nGrade: full",
        "not relevant",
        "2",
        '{"grade": "full"',
        '{"grade": "full"} But it is not said.',
        '{"grade": "full"} Or is it?',
        '{"score": "full"}',
        "Yes, and no.",
        "Yes, but it isn't relevant.",
        "yes/no",
        "Yes?",
        "Is it fully supported?",
        "0, 1 or 2",
        "0 to 2",
        "1-2",
        "full, partial or none",
        "0: none\n1: partial\n2: full",
        "Full: 2, partial: 1, none: 0",
        '{"grade": "full"}, {"grade": "partial"} or {"grade": "none"}',
        '{"grade": "full", "grade": "none"}',
        '{"grade": "full", "grade": "none"',
        '<question>Who?</question>\n<passage>\nA text.\n</passage>\n{"grade": "full"}',
        '{"grade": "full"}\n\n<question>Who built it?</question>',
        '{"not_relevant": true}',
        '{"grade": null}',
        '{"grade": ["full"]}',
        "3",
        "-1",
        "- 2 points",
        "2.5",
        "85%",
        "4/5",
        "1932",
        "The question asks whether the passage is relevant.",
        "not irrelevant",
        "hardly relevant",
        "never supported",
    ],
)
def test_replies_that_have_none(reply: str) -> None:
    assert read_grade(reply) is None


@given(prose)
@example("2nd")
@example("yesterday, no")
def test_without_a_word_of_the_scale_nothing_passes(text: str) -> None:
    for word in PASS_WORDS:
        text = text.replace(word, "").replace(word.title(), "").replace(word.upper(), "")
    if not any(word in text.lower() for word in PASS_WORDS):
        assert read_grade(text) not in PASSING


@given(prose, st.sampled_from(["not", "Not", "isn't", "isn’t", "cannot be", "NOT"]), scale_words, prose)
def test_a_negated_word_never_passes(before: str, negation: str, word: str, after: str) -> None:
    assert read_grade(f"{before} {negation} {word} {after}") not in PASSING


@given(st.lists(scale_words, min_size=2, max_size=4), st.sampled_from([", ", " or ", "/", " and ", "\n", ": "]))
def test_several_grades_are_none_that_passes(told: list[str], between: str) -> None:
    grades = {WORDS[word] for word in told}
    if len(grades) > 1 and grades != PASSING:
        assert read_grade(between.join(told)) not in PASSING


@given(st.dictionaries(st.text(max_size=8), st.none() | st.booleans() | st.integers() | prose, max_size=3), prose)
def test_any_object_in_any_text_is_read_without_an_error(found: dict[str, object], text: str) -> None:
    read = read_support(text + json.dumps(found) + text, 3)
    assert read is None or read.passage in (None, 1, 2, 3)


@given(st.text(max_size=200))
def test_any_text_is_read_without_an_error(text: str) -> None:
    read = read_support(text, 3)
    assert read_grade(text) in (None, *WORDS.values())
    assert read is None or read.passage in (None, 1, 2, 3)


def test_brackets_without_end_are_no_error() -> None:
    assert read_grade('{"a":' * 20_000) is None


@pytest.mark.parametrize(
    ("reply", "support"),
    [
        ('{"grade": "full", "passage": 2}', Support("full", 2)),
        ('{"grade": "contradicted", "passage": "3"}', Support("contradicted", 3)),
        ('{"grade": "none", "passage": 0}', Support("none", None)),
        ("full [2]", Support("full", 2)),
        ("none", Support("none", None)),
        ("full", None),
        ("full [1] [2]", None),
        ('{"grade": "full", "passage": 0}', None),
        ('{"grade": "full", "passage": 4}', None),
        ("[2]", None),
        ("", None),
    ],
)
def test_support_names_its_passage(reply: str, support: Support | None) -> None:
    assert read_support(reply, 3) == support


def test_the_only_passage_need_not_be_named() -> None:
    assert read_support("full", 1) == Support("full", 1)
    assert read_support('{"grade": "full", "passage": 2}', 1) is None


def told(*items: object, **more: object) -> str:
    return json.dumps({"grades": items, **more})


def test_several_grades_are_read_each_by_its_number_and_its_own_passages() -> None:
    second = {"number": 2, "grade": "contradicted", "passage": 3}
    assert read_grades(told(ITEM, second), [(1, 2), (3,)]) == [Support("full", 1), Support("contradicted", 1)]
    assert read_grades(told(ITEM, second), [(1, 2), (1, 2)]) == [Support("full", 1), None]
    assert read_grades(told(ITEM, second), [(), ()]) == [Support("full", None), None]


@pytest.mark.parametrize(
    "reply",
    [
        told(ITEM),
        told(ITEM, ITEM, ITEM),
        told({**ITEM, "number": 2}, ITEM),
        told("full", None),
        told(ITEM, {**ITEM, "number": 2}, grade="none"),
        f"{told(ITEM, {**ITEM, 'number': 2})} But not so.",
        "full",
        '[{"number": 1, "grade": "full"}, {"number": 2, "grade": "full"}]',
        '{"grades": 2}',
    ],
)
def test_another_count_or_order_and_what_is_spoken_against_pass_nothing(reply: str) -> None:
    assert read_grades(reply, [(1,), (1,)]) == [None, None]
