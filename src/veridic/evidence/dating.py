"""When a document was written, as far as it says so: of two that disagree the later one counts.

A document was not written before the latest year that it names. The year in its title or file name is the year it is
of, unless it names a later one itself. So one is later than another where it names a year after the year that
the other is of.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

from veridic.text.questions import MONTHS

_MONTHS = [name[:3] for name in MONTHS]
_YEAR = r"(?<![\d.,])(?<![A-Z]-)(?:19|20)\d\d(?!\d|[.,]\d)"  # no amount, and no PX-2000
_DATED = re.compile(
    rf"(?P<year>{_YEAR})(?:[-_ ](?P<number>0[1-9]|1[0-2])(?!\d))?"
    rf"|\b(?P<name>(?i:{'|'.join(_MONTHS)}))[a-z]*\.?[ ,_-]+(?P<of>{_YEAR})"
)

Month = tuple[int, int]
"""A year, and a month from 1 to 12; 0 where it is not known."""


@dataclass(frozen=True)
class Dating:
    """What a document says of when it was written."""

    named: Month | None
    """The latest that it names and that is not to come, in its text, title or file name."""
    of: Month | None
    """The one that it is of."""


def dating(title: str, url: str, text: str, *, now: float) -> Dating:
    """Of a document with this title, address and text; `now` in seconds since the epoch."""
    today = datetime.fromtimestamp(now, UTC)
    of = max(_months(f"{title}\n{unquote(PurePosixPath(urlsplit(url).path).name)}"), default=None)
    past = [one for one in _months(text) if one <= (today.year, today.month)]
    latest = max(past, default=None)
    if of and latest and latest[0] > of[0]:
        return Dating(latest, None)
    return Dating(max(filter(None, (latest, of)), default=None), of)


def names_month(text: str) -> bool:
    """Whether a text names a year, or a month of one."""
    return any(_months(text))


def is_later(one: Dating, other: Dating) -> bool:
    """Whether one document is later than the other, as far as both say."""
    if one.named is None or other.of is None:
        return False
    if one.named[0] != other.of[0]:
        return one.named[0] > other.of[0]
    return one.of is not None and 0 < other.of[1] < one.of[1]


def _months(text: str) -> Iterator[Month]:
    for found in _DATED.finditer(text):
        year = int(found["year"] or found["of"])
        name = (found["name"] or "").lower()
        yield year, _MONTHS.index(name) + 1 if name else int(found["number"] or 0)
