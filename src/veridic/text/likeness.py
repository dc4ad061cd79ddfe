"""What a phrase speaks of, by the nearest of some examples; who measures nearness is given."""

from collections.abc import Callable, Sequence

Near = Callable[[str, Sequence[str]], Sequence[float]]
"""How near a text is to each of others, larger is nearer."""
PERSONS = ("a person", "a man or a woman", "somebody's name", "the manager", "an employee", "my colleague")
THINGS = (
    *("a thing", "a place", "a building", "a document", "an event", "a rule", "a machine", "a company"),
    "a city",
)
DETAILS = (
    *("the price", "the length", "the height", "the weight", "the size", "the colour", "the age", "the date"),
    *("the duration", "the name", "the author", "the owner", "the reason", "the number", "the address"),
    *("the deadline", "the budget", "the purpose"),
)
"""What is asked of a thing, and is none beside it."""


def nearest(text: str, others: Sequence[str], near: Near) -> float:
    """How near the nearest of the others is; they may not be none."""
    return max(near(text, others))


def is_person(phrase: str, near: Near) -> bool:
    """Whether a phrase names somebody rather than something."""
    return nearest(phrase, PERSONS, near) > nearest(phrase, THINGS, near)
