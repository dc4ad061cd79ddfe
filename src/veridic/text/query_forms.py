"""The forms in which a question is put to a search, and which of them a query has."""

from collections.abc import Iterator
from typing import Literal, get_args

from veridic.text.facts import entities
from veridic.text.questions import keywords, proper_names

RuleForm = Literal["keywords", "names first", "names last", "as asked", "names alone"]
"""Forms that a rule makes of the question's words."""
QueryForm = Literal[RuleForm, "part", "written"]
"""Also a question asked in the question, and what a model wrote."""
QUERY_FORMS: tuple[QueryForm, ...] = (*get_args(RuleForm), "part", "written")


def by_rules(question: str, *, bare: bool) -> Iterator[tuple[RuleForm, str]]:
    """Queries made from the question's words: its keywords, its names first, the question itself.

    `bare` puts the keywords first, as search engines want them.
    """
    carried = keywords(question)
    named = [name.lower() for name in proper_names(question)]
    rest = [word for word in carried if not any(word in name.split() for name in named)]
    phrases: list[tuple[RuleForm, str]] = [
        ("keywords", " ".join(carried)),
        ("names first", " ".join([*named, *rest])),
        ("names last", " ".join([*rest, *named])),
    ]
    yield from (phrases if bare else phrases[1:])
    yield "as asked", question
    yield from phrases
    yield "names alone", " ".join(sorted(entities(question)) or carried[:3])


def rule_form(query: str, question: str) -> RuleForm | None:
    """The form a query has that a rule made of a question; None where none did."""
    if query == question:
        return "as asked"
    return next((form for form, made in by_rules(question, bare=True) if made == query), None)
