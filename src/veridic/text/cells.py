"""The values of a table as they are stored: a sentence for each, "Belt holster: Price EUR is 18.25."."""

import re

ROW = re.compile(r"(?P<name>[^:\n]+): (?P<field>[^:\n]+?) is (?P<value>(?:(?![.!?] )[^\n])+)")


def cells_of(sentence: str) -> tuple[str, str, str] | None:
    """Of a sentence as the values of tables are stored its name, field and value; None of any other."""
    found = ROW.fullmatch(sentence)
    return (found["name"], found["field"], found["value"]) if found else None
