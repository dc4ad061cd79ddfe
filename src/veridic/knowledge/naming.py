"""Which document a person means by what they call it."""

import sqlite3
from collections.abc import Sequence
from pathlib import PurePath

from veridic.text.questions import keywords

SAME_WORD = 80.0
"""From which likeness, in per cent, two words are the same but for a slip."""

SAME = 85.0
"""From which likeness two names are the same."""


def nearest(said: str, documents: Sequence[sqlite3.Row], *, exactly: bool) -> str:
    """The id of the document meant; of several the one whose name has least besides. Empty when there is none.

    A document is called by its id, its title, and its file name with and without the extension.
    """
    path = PurePath(said)
    said = path.name if path.suffix else said
    files = {row["id"]: PurePath(row["url"]) for row in documents}
    names = ((row["id"], row["title"], files[row["id"]].name, files[row["id"]].stem) for row in documents)
    called = [(one[0], name) for one in names for name in one]
    found = {one: likeness for one in called if (likeness := _likeness(said, one[1], exactly=exactly))}
    return max(found, key=found.__getitem__)[0] if found else ""


def _likeness(said: str, name: str, *, exactly: bool) -> float:
    """In per cent, of the words that carry them; 0 when the name lacks a word, or `exactly` is asked and it is not."""
    from rapidfuzz import fuzz, process
    from rapidfuzz.utils import default_process

    words, others = (keywords(default_process(text)) for text in (said, name))
    if not all(process.extractOne(word, others, scorer=fuzz.ratio, score_cutoff=SAME_WORD) for word in words):
        return 0.0
    return fuzz.token_sort_ratio(" ".join(words), " ".join(others), score_cutoff=SAME if exactly else 0.0)
