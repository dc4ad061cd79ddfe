import pytest

from veridic.text.questions import by_rules, keeps_entities

QUESTIONS = ["When was the Warsaw chamber of commerce founded after 1918?", "who sings it", "Why?", ""]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("bare", [True, False])
def test_rules_give_different_ways_to_ask(question: str, bare: bool) -> None:
    queries = by_rules(question, bare=bare)
    assert question in queries


def test_search_engines_get_keywords_first() -> None:
    queries = by_rules(QUESTIONS[0], bare=True)
    assert queries[0] == "warsaw chamber commerce founded 1918"
    assert all(keeps_entities(QUESTIONS[0], query) for query in queries)
    assert len(set(queries)) >= 4


@pytest.mark.parametrize("question", ["When did flight AS-278 leave?", "Where did O'Neill live in Île-de-France?"])
def test_a_name_with_marks_does_not_refuse_the_rules(question: str) -> None:
    kept = [query for query in by_rules(question, bare=True) if keeps_entities(question, query)]
    assert len(set(kept)) >= 3
