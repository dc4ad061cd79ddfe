"""Months, days and years, by their English names and forms."""

import re

MONTHS = tuple("january february march april may june july august september october november december".split())
WEEKDAYS = tuple("monday tuesday wednesday thursday friday saturday sunday".split())
YEAR = re.compile(r"(?<![^\W_]|[.,$£€])(?<![A-Z]-)(?:1\d{3}|20\d\d)(?=s?(?![^\W_]))(?![.,]\d|-\d{3})")
"""A year; no amount, and no part of a code."""


def years_in(question: str) -> list[str]:
    """The years that a question names, each once, in order."""
    return list(dict.fromkeys(YEAR.findall(question)))
