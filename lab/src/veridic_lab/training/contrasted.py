"""What the judges learn from texts that give several things a value each: whose value it is decides.

"The treasurer is Pia Wernicke, the secretary is Ole Brandt." A critic that learned from the usual sets supports either
as the treasurer, and an evaluator finds an answer to who paints the boats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from veridic.evidence.statements import stated_answer
from veridic.text.sentences import sentences
from veridic_lab.training.answered import WHOLE, answered_pairs, given_of, is_short, statement
from veridic_lab.training.pairs import NLI_LABELS, Pair
from veridic_lab.training.reading.contrasts import framed
from veridic_lab.training.reading.rows import Reading
from veridic_lab.training.wording import Rng, pick

SOURCE = "contrasted"
EACH = 12
"""Texts that are made of one frame."""


def contrasted_pairs(rng: Rng) -> tuple[list[Pair], list[Pair]]:
    """Statements for the critic, and for the evaluator questions with a text or one of its sentences."""
    rows = list(framed(rng, each=EACH))
    said = [replace(pair, source=SOURCE) for pair in (*answered_pairs(rows, rng), *_unsaid(rows, rng))]
    return said, [pair for row in rows for pair in _asked(row)]


def _unsaid(rows: Sequence[Reading], rng: Rng) -> Iterator[Pair]:
    """What a text does not say, with a value of the text that stands there for something else."""
    given = given_of(rows)
    for row in rows:
        values = [answer for _, answer in given[row.text] if is_short(answer)]
        if row.kind == "none" and values:
            tell = statement if rng.random() < WHOLE else stated_answer
            said = tell(row.question, pick(rng, values))
            yield Pair("nli", row.text, said, NLI_LABELS.index("not_entailment"), SOURCE, row.key, "", row.source)


def _asked(row: Reading) -> Iterator[Pair]:
    """The text of a row, and each of its sentences where it has several: useful where the answer stands in it."""
    yield _pair(row, row.text, int(bool(row.places)))
    found = sentences(row.text)
    for one in found if len(found) > 1 and row.places else ():
        yield _pair(row, one.text, int(any(one.start <= start and end <= one.end for start, end in row.places)))


def _pair(row: Reading, text: str, label: int) -> Pair:
    return Pair("usefulness", row.question, text, label, SOURCE, row.key, "", "strip")
