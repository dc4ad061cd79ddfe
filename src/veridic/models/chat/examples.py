"""Examples of one's own for a chat model that grades passages: pairs that people labelled (few-shot prompting)."""

from itertools import chain, zip_longest
from pathlib import Path

from veridic.errors import UsageError
from veridic.models.calibrating import labelled_pairs
from veridic.models.chat.sheets import Graded, graded_sheet

SHOWN = 5
"""Of a file, at most."""
LONGEST = 1500
"""Characters of a passage that is shown; longer ones are passed over."""


def examples_in(path: Path) -> str:
    """The first pairs of a file as the prompt shows them, by turns one that answers and one that does not.

    The file is what `veridic calibrate` takes; statements in it are passed over. Raises `UsageError` where it cannot be
    read, or has no passage that answers or none that does not.
    """
    pairs = [one for one in labelled_pairs(path) if one.asks and len(one.second) <= LONGEST]
    answering, others = ([one for one in pairs if one.positive is kind] for kind in (True, False))
    if not (answering and others):
        raise UsageError(
            f"{path} has too few examples for a grader.",
            f"It needs a passage that answers its question and one that does not, of {LONGEST:,} characters at most.",
        )
    by_turns = [one for one in chain(*zip_longest(answering, others)) if one][:SHOWN]
    return graded_sheet([Graded(one.first, one.second, "full" if one.positive else "none") for one in by_turns])
