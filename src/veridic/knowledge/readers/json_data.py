"""JSON and JSON Lines: records as sentences, texts as prose, under the keys that lead there."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place
from veridic.knowledge.readers.plain import decode
from veridic.knowledge.readers.tables import LONGEST_NAME, paragraphs
from veridic.knowledge.readers.units import spelt, with_unit
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.hidden import clean

MAX_DEPTH = 100
"""How deep values may be nested."""

NAMES = ("name", "title", "label", "id", "key")
"""Keys whose value is what a record is called by, the first that is there."""

LEADING = 2
"""Values at the beginning of a record that may name it."""

MEND = "Save it again with the program that wrote it."

NAMED = 3
"""Names, of those that lead to a value, that stand in its sentences: the innermost."""

FIRST = Place("record", 1, 1)

Names = tuple[str, ...]
"""What leads to a value, outermost first."""


def read_json(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a JSON file. Raises `DocumentUnreadable`."""
    walk = _Walk(limits)
    walk.outer(_loaded(decode(content), "It is not JSON"), ())
    return walk.composer.finish("")


def read_json_lines(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a file with a JSON value on each line. Raises `DocumentUnreadable`."""
    walk = _Walk(limits)
    for number, line in enumerate(decode(content).split("\n"), start=1):
        if line.strip():
            item = _loaded(line, f"Line {number} is not JSON")
            walk.inner(item, (_name(item) or f"Record {number}",), Place("line", number, number))
    return walk.composer.finish("")


def _loaded(text: str, problem: str) -> object:
    try:
        return json.loads(text)
    except RecursionError as error:
        raise _too_deep() from error
    except ValueError as error:
        raise DocumentUnreadable(f"{problem} ({error}).", MEND) from error


def _check_depth(names: Names) -> None:
    if len(names) > MAX_DEPTH:
        raise _too_deep()


def _too_deep() -> DocumentUnreadable:
    return DocumentUnreadable(f"Its values are nested more than {MAX_DEPTH} deep.", "Save its text as a text file.")


class _Walk:
    """Goes through values and hands their text to a composer. Raises `DocumentUnreadable` at what is too much."""

    def __init__(self, limits: FileLimits) -> None:
        self.composer = Composer()
        self._limits = limits
        self._values = self._characters = 0

    def outer(self, value: object, keys: Names) -> None:
        """Take in a value that stands in no list: a heading for each key that leads on, a record for each item."""
        _check_depth(keys)
        if isinstance(value, dict):
            self._told(keys, _plain(value), FIRST)
            for key, inner in _nested(value):
                self.composer.heading(len(keys) + 1, key, FIRST)
                self.outer(inner, (*keys, key))
        elif isinstance(value, list) and not _is_plain(value):
            for number, item in enumerate(value, start=1):
                name = _name(item) or f"{keys[-1] if keys else 'Record'} {number}"
                self.inner(item, (name,), Place("record", number, number))
        else:
            self._told(keys, [("", value)], FIRST)

    def inner(self, value: object, names: Names, place: Place) -> None:
        """Take in an item of a list, all of it under its name, its keys as the columns of a table."""
        _check_depth(names)
        if isinstance(value, dict):
            fields = [(key, one) for key, one in _plain(value) if _text(one) != names[-1]]
            self._told(names, fields, place, column=lambda key, one: with_unit(spelt(key), one))
            for key, nested in _nested(value):
                self.inner(nested, (*names, key), place)
        elif isinstance(value, list) and not _is_plain(value):
            for number, item in enumerate(value, start=1):
                self.inner(item, (*names, _name(item) or str(number)), place)
        else:
            self._told(names, [("", value)], place)

    def _told(
        self,
        names: Names,
        fields: Sequence[tuple[str, object]],
        place: Place,
        column: Callable[[str, str], tuple[str, str]] = lambda key, one: (key, one),
    ) -> None:
        self._values += max(1, sum(len(value) if isinstance(value, list) else 1 for _, value in fields))
        if self._values > self._limits.elements:
            raise self._limits.beyond("elements")
        told = [column(key, _text(value)) for key, value in fields]
        for paragraph in _paragraphs(", ".join(names[-NAMED:]), told):
            self._characters += len(paragraph)
            if self._characters > self._limits.characters:
                raise self._limits.beyond("characters")
            self.composer.block(paragraph, place)


def _paragraphs(name: str, fields: Sequence[tuple[str, str]]) -> Iterator[str]:
    """A record's paragraphs; a value without a key is told by its name alone."""
    if [key for key, _ in fields] == [""]:
        value = fields[0][1]
        return iter([f"{name}: {value}" if name else value] if value else [])
    return paragraphs(name, fields)


def _is_plain(value: object) -> bool:
    """Whether a value is text, a number or a list of these."""
    if isinstance(value, list):
        return not any(isinstance(item, list | dict) for item in value)
    return not isinstance(value, dict)


def _plain(record: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [(" ".join(clean(key).split()), value) for key, value in record.items() if _is_plain(value)]


def _nested(record: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [(" ".join(clean(key).split()), value) for key, value in record.items() if not _is_plain(value)]


def _text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(filter(None, map(_text, value)))
    if value is None:
        return ""
    return clean(value).strip() if isinstance(value, str) else json.dumps(value)


def _name(item: object) -> str:
    """What a record is called by: the value of such a key, else one of words at its beginning; empty where none is."""
    if not isinstance(item, dict):
        return ""
    by_key = {key.lower(): value for key, value in item.items() if isinstance(value, str | int)}
    leading = [value for _, value in list(item.items())[:LEADING] if isinstance(value, str) and _has_words(value)]
    named = [by_key[key] for key in NAMES if key in by_key]
    told = (" ".join(_text(value).split()) for value in (*named, *leading))
    return next((name for name in told if name and len(name) <= LONGEST_NAME), "")


def _has_words(value: str) -> bool:
    return any(letter.isalpha() for letter in value)
