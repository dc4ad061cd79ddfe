"""What was read, made whole: a name with all its words, "between 1834 and 1838", "8 am to 7 pm".

A small reader cuts a span short; of a range whose two ends it reads about as clearly, it means both.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from veridic.evidence.forms import form_of
from veridic.ports.judgements import ReadSpan

NEAR = 3.0
"""Log-odds by which the two ends of a range may differ."""
_RANGE = re.compile(r"\s*(?:to|until|till|through|[-–—])\s*")
_FIRST_NAME = re.compile(r"(?:^|(?:^|\s)[^A-Z\s]\S* )[A-Z][\w'’-]*[a-z][\w'’-]*\Z")
"""One word with a capital, and none before it; initials stand for a whole name."""
_NAME_GOES_ON = re.compile(r"(?: [A-Z][\w'’-]*)+")
_AND_THE_OTHER = re.compile(r" and (?:[^\s.,;]|[.,](?=\d))+(?: [ap]\.?m\b\.?)?")


def made_whole(text: str, spans: Sequence[ReadSpan]) -> list[ReadSpan]:
    """The spans of a text in their order, each whole and the ends of a range as one."""
    found: list[ReadSpan] = reduce(lambda before, span: _with_range(text, before, span), spans, [])
    return [_whole(text, span) for span in found]


def _with_range(text: str, before: list[ReadSpan], span: ReadSpan) -> list[ReadSpan]:
    """The clearer spans and this one, joined to the clearest where it is the other end of its range."""
    if before and before[0].margin - span.margin <= NEAR:
        first, last = sorted((before[0], span), key=lambda one: one.start)
        alike = form_of(text[first.start : first.end]) == form_of(text[last.start : last.end]) != "words"
        if alike and _RANGE.fullmatch(text[first.end : last.start]):
            return [replace(before[0], start=first.start, end=last.end), *before[1:]]
    return [*before, span]


def _whole(text: str, span: ReadSpan) -> ReadSpan:
    """A span with the rest of a name of which it has the first word alone, or the other end of "between"."""
    said = text[span.start : span.end]
    more = _NAME_GOES_ON.match(text, span.end) if _FIRST_NAME.search(said) else None
    if said.lower().startswith("between ") and " and " not in said:
        more = _AND_THE_OTHER.match(text, span.end)
    return replace(span, end=more.end()) if more else span
