"""Rows of tables among evidence: of which row a claim speaks.

A table is stored as a sentence for each value, "Belt holster: Price EUR is 18.25." A critic that reads several of them
at once gives one row's value to another, and a row of two articles to each of both.
"""

from collections import Counter
from collections.abc import Collection, Container, Iterator, Sequence
from dataclasses import dataclass

from veridic.ports.shapes import Strip
from veridic.text.cells import ROW
from veridic.text.facts import words
from veridic.text.sentences import Span, sentences

Label = frozenset[str]
"""The words of a name or field, without their plurals."""


@dataclass(frozen=True)
class Row:
    """A value of a table: what calls its row, of several names any, and its field."""

    names: frozenset[Label]
    field: Label


def apart(strip: Strip) -> list[Strip]:
    """A strip with each value of a table in a strip of its own, and what stands between them in another."""
    told = sentences(strip["text"])
    values = _rows([one.text for one in told])
    return [_part(strip, run) for run in _runs(told, values)] if values else [strip]


def row_around(value: str, text: str) -> str:
    """All values of the row that a value stands in, of the tables of a text; what is none as it stands.

    "Visitor berth: Visitor is £3.40." says alone neither for how long nor of what.
    """
    told = [one.text for one in sentences(text)]
    named = {told[at]: _name(told[at]) for at in _rows(told)}
    return " ".join(one for one, name in named.items() if name == named[value]) if value in named else value


def spoken_of(claim: str, strips: Sequence[Strip]) -> tuple[list[Strip], list[Strip]]:
    """The strips of prose, and those values of tables that are of what the claim is of, by the names in its document.

    A value speaks where the claim calls its row and no other field of it, or where it calls its field and no row, nor a
    word of the value's. Of two names that it holds the longer one is meant: "Scanner Pro" is no "Scanner".
    """
    said = _label(claim)
    prose, values = list[Strip](), list[Strip]()
    for document in dict.fromkeys(strip["passage"]["document_id"] for strip in strips):
        own = [strip for strip in strips if strip["passage"]["document_id"] == document]
        rows = _rows([strip["text"] for strip in own])
        prose += [strip for at, strip in enumerate(own) if at not in rows]
        values += [own[at] for at, row in rows.items() if _speaks(row, rows.values(), said)]
    return prose, values


def _rows(texts: Sequence[str]) -> dict[int, Row]:
    """Which texts are values of tables: those that share a name or a field; a lone "Note: the fee is due" is none."""
    found = {at: match for at, text in enumerate(texts) if (match := ROW.fullmatch(text))}
    names, fields = (Counter(match[part] for match in found.values()) for part in ("name", "field"))
    return {
        at: Row(frozenset(map(_label, match["name"].split(", "))), _label(match["field"]))
        for at, match in found.items()
        if names[match["name"]] > 1 or fields[match["field"]] > 1
    }


def _name(value: str) -> str:
    return value.partition(": ")[0]


def _speaks(row: Row, rows: Collection[Row], said: Label) -> bool:
    """Whether a claim of these words is of a row's value."""
    called = {label for one in rows for label in (*one.names, one.field) if label <= said}
    meant = {label for label in called if not any(label < other for other in called)}
    if row.names & called:
        fields = {one.field for one in rows if one.names & row.names} & meant
        return bool(row.names & meant) and (row.field in fields or not fields)
    others = any(one.names & called for one in rows if one.field == row.field)
    return row.field in meant and not others and not any(name & said for name in row.names)


def _label(text: str) -> Label:
    return frozenset(word.rstrip("s") for word in words(text))


def _runs(told: Sequence[Span], values: Container[int]) -> Iterator[list[Span]]:
    """Each value, and the sentences between two of them together."""
    run: list[Span] = []
    for at, one in enumerate(told):
        if at not in values:
            run.append(one)
            continue
        yield from filter(None, (run, [one]))
        run = []
    yield from filter(None, (run,))


def _part(strip: Strip, run: Sequence[Span]) -> Strip:
    start, end = run[0].start, run[-1].end
    return {**strip, "text": strip["text"][start:end], "start": strip["start"] + start, "end": strip["start"] + end}
