"""Which rows of a table a question does not mean, where it says the name of another one whole.

A stored row is told as "K40 Pro: Price is 149." Asked for the K40 that is another row, and so is the K40's, asked for
the K40 Pro; but none is that says what the question says besides. Of 25 unseen questions to five lists of near-equal
names 9 were right and 10 wrong without this, 11 and 7 with it for nested names alone.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set

from veridic.text.answers import tokens
from veridic.text.sentences import Span, sentences

LONGEST_NAME = 60
"""Characters of what may be the name of a row."""
LONGEST_ROW = 80
"""Words of a row that is shown whole; a longer one is cut between its cells."""


def other_rows(question: str, texts: Iterable[str]) -> set[str]:
    """The names of rows that stand in texts and are not meant: of one table with one that is, or nested with it."""
    columns: dict[str, set[str]] = defaultdict(set)
    for sentence in (one.text for text in texts for one in sentences(text)):
        if name := row_of(sentence):
            columns[name].add(sentence.removeprefix(name).partition(" is ")[0])
    known = {name: Counter(tokens(name)) for name in columns}
    asked = Counter(tokens(question))
    meant = _meant(asked, {(name, call): Counter(tokens(call)) for name in columns for call in _calls(name)})
    left = asked - sum((known[one] for one in meant), Counter[str]())
    return {
        name
        for name, said in known.items()
        if name not in meant
        and not said & left
        and any(columns[name] & columns[one] or said < known[one] or said > known[one] for one in meant)
    }


def _calls(name: str) -> set[str]:
    """What a row is called by: its name, and of "K40, Transfer pump" the code and the words alone, too."""
    code, _, words = name.partition(", ")
    return {name, code, words} if words and any(map(str.isdigit, code)) else {name}


def _meant(asked: Counter[str], calls: Mapping[tuple[str, str], Counter[str]]) -> set[str]:
    """The rows that a question calls whole, and not merely by a part of a longer call that it says whole, too."""
    whole = {row: said for row, said in calls.items() if said and said <= asked}
    beside = {
        row: asked - sum((longer for longer in whole.values() if said < longer), Counter[str]())
        for row, said in whole.items()
    }
    return {name for (name, call), said in whole.items() if said <= beside[name, call]}


def whole_rows(text: str, pieces: Iterable[Span]) -> list[Span]:
    """Pieces of a text in their order, those that tell of one row as one."""
    found: list[Span] = []
    for piece in pieces:
        name, last = row_of(piece.text), found[-1] if found else piece
        longer = text[last.start : piece.end]
        if found and name and name == row_of(last.text) and len(longer.split()) <= LONGEST_ROW:
            found[-1] = Span(longer, last.start, piece.end)
        else:
            found.append(piece)
    return found


def row_of(sentence: str) -> str:
    """The name of the row that a sentence tells of; empty where it tells of none."""
    name, _, value = sentence.partition(": ")
    return name if value and len(name) <= LONGEST_NAME else ""


def without_rows(told: Sequence[str], others: Set[str]) -> list[str]:
    """The texts no sentence of which tells of these rows."""
    return [text for text in told if not any(row_of(one.text) in others for one in sentences(text))]
