"""What stands raised beside a word, as plain text: exponents keep their sense, note marks stand apart in brackets."""

import re
from collections.abc import Collection

SHORTEST_WORD = 4
"""Letters from which what a raised number stands behind is a word, and no unit or variable."""

_BASE = re.compile(r"(?:[^\W\d_]+|\d+)$")
_SIGNS = "+-−–"
_APART = str.maketrans(";–-", ",,,")
"""What stands between the numbers of notes."""
_RAISED = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")


def raised(before: str, mark: str, after: str = "", notes: Collection[str] = ()) -> str:
    """A raised `mark` between these texts: `10^6`, `m²`, `1 1/2`, `15[2]` for a note, `1st` and all else as it is.

    `notes` are marks with which notes of the document begin.
    """
    mark = mark.strip()
    found = _BASE.search(before)
    base = found.group() if found else ""
    if after[:1] in ("/", "⁄") and base.isdigit():
        return f" {mark}"
    is_number = mark.lstrip(_SIGNS).isdecimal()
    if is_number and base.isalpha() and len(base) < SHORTEST_WORD:
        return mark.translate(_RAISED)
    if is_number and (base == "10" or not mark[0].isdigit()):
        return f"^{mark}"
    is_note = mark in notes or all(part.strip().isdecimal() for part in mark.translate(_APART).split(","))
    return f"[{mark}]" if is_note else mark
