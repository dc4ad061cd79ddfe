"""Texts and JSON of every shape."""

import os
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from veridic_lab.training.pairs import read_rows

UTF8 = st.characters(exclude_categories=["Cs"])
ODD = st.sampled_from(
    "\0 \x1b \x07 \x9b \u202e \u2066 \u200b \u200d \ufeff \ufffe \U000e0041 \u0301 \u2028 \r \t \xad \ufffd ﷽ İ ß ﬁ 🏴 "
    "\\ ` \" ' < > & % $ { } [ ] ( ) | # * _ ~ ! ? . , ; : = + - / @ ^".split(" ")
)


@cache
def naughty() -> list[str]:
    """The naughty strings of the data, where there are any."""
    folder = os.environ.get("VERIDIC_DATA")
    found = sorted(Path(folder, "adversarial").glob("naughty_strings*")) if folder else []
    known = (row["text"] for one in found for row in read_rows(one))
    return ["", "\0", "NaN", "null", "$(id)", "../../etc/passwd", *known]


def repeated(parts: st.SearchStrategy[str], most: int) -> st.SearchStrategy[str]:
    """Parts one after another, each up to so many times."""
    times = st.one_of(st.just(1), st.integers(1, 20), st.integers(1, most))
    return st.lists(st.builds(lambda part, number: part * number, parts, times), max_size=12).map("".join)


def texts(most: int = 2000) -> st.SearchStrategy[str]:
    """Of every kind and length, valid Unicode."""
    strange = ODD | st.text(UTF8, max_size=8) | st.sampled_from(naughty())
    return st.one_of(st.text(UTF8), st.sampled_from(naughty()), repeated(strange, most))


def any_texts() -> st.SearchStrategy[str]:
    """The same with halves of characters in them."""
    return st.one_of(texts(), st.text(), st.text(st.characters(categories=["Cs"]), max_size=5))


def json_values(leaves: int = 12) -> st.SearchStrategy[object]:
    """What JSON can say."""
    plain = st.none() | st.booleans() | st.integers(-(2**63), 2**64) | st.floats(allow_nan=False) | texts(200)
    return st.recursive(
        plain,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts(20), inner, max_size=4),
        max_leaves=leaves,
    )
