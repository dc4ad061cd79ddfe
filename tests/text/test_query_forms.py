import pytest

from veridic.text.query_forms import QUERY_FORMS, by_rules, rule_form
from veridic.text.questions import keeps_entities

QUESTIONS = ["When was the Warsaw chamber of commerce founded after 1918?", "who sings it", "Why?", ""]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("bare", [True, False])
def test_rules_give_different_ways_to_ask(question: str, bare: bool) -> None:
    queries = [query for _, query in by_rules(question, bare=bare)]
    assert question in queries


def test_search_engines_get_keywords_first() -> None:
    queries = [query for _, query in by_rules(QUESTIONS[0], bare=True)]
    assert queries[0] == "warsaw chamber commerce founded 1918"
    assert all(keeps_entities(QUESTIONS[0], query) for query in queries)
    assert len(set(queries)) >= 4


@pytest.mark.parametrize("question", ["When did flight AS-278 leave?", "Where did O'Neill live in Île-de-France?"])
def test_a_name_with_marks_does_not_refuse_the_rules(question: str) -> None:
    kept = [query for _, query in by_rules(question, bare=True) if keeps_entities(question, query)]
    assert len(set(kept)) >= 3


@pytest.mark.parametrize("question", QUESTIONS[:2])
def test_a_query_tells_the_form_that_a_rule_gave_it(question: str) -> None:
    for form, query in by_rules(question, bare=True):
        found = rule_form(query, question)
        assert found in QUERY_FORMS
        assert dict(by_rules(question, bare=True))[found] == query, form  # two forms may come to the same words


def test_what_no_rule_made_has_no_form() -> None:
    assert rule_form("warsaw chamber", QUESTIONS[0]) is None
    assert rule_form(QUESTIONS[0], QUESTIONS[0]) == "as asked"
