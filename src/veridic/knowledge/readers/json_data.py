"""JSON, JSON Lines and XML: records as sentences, texts as prose, under the keys that lead there."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place, one_line
from veridic.knowledge.readers.plain import decode
from veridic.knowledge.readers.tables import LONGEST_NAME, paragraphs, spelt
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

Fields = Sequence[tuple[str, object]]

Element = Any
"""An lxml element; lxml is not typed."""


def read_json(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a JSON file. Raises `DocumentUnreadable`."""
    text, said = decode(content)
    return told(_loaded(text, "It is not JSON"), limits, said)


def told(value: object, limits: FileLimits, unread: str = "") -> ParsedDocument:
    """A value with all that is in it as a document. Raises `DocumentUnreadable`."""
    composer = Composer(limits)
    add(composer, value, ())
    return composer.finish(unread=unread)


def read_json_lines(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a file with a JSON value on each line. Raises `DocumentUnreadable`."""
    composer = Composer(limits)
    text, said = decode(content)
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            item = _loaded(line, f"Line {number} is not JSON")
            add(composer, item, (_name(item) or f"Record {number}",), Place("line", number, number))
    return composer.finish(unread=said)


def _loaded(text: str, problem: str) -> object:
    try:
        return json.loads(text, parse_float=str)  # as it is written: 3.50
    except RecursionError as error:
        raise _too_deep() from error
    except ValueError as error:
        raise DocumentUnreadable(f"{problem} ({error}).", MEND) from error


def _too_deep() -> DocumentUnreadable:
    return DocumentUnreadable(f"Its values are nested more than {MAX_DEPTH} deep.", "Save its text as a text file.")


def add(composer: Composer, value: object, names: Names, place: Place | None = None) -> None:
    """Add a value: a heading for each key that leads on, a record for each item of a list, all of it under its name.

    `place` is that of the item that it stands in.
    """
    at = place or FIRST
    if len(names) > MAX_DEPTH:
        raise _too_deep()
    if isinstance(value, dict):
        fields = [(one_line(key), one) for key, one in value.items() if _is_plain(one)]
        if place:
            others = [(spelt(key), one) for key, one in fields if _text(one) != names[-1]]
            fields = others if others or _nested(value) else fields
        _tell(composer, names, fields, at)
        for key, nested in _nested(value):
            if not place:
                composer.heading(len(names) + 1, key, at)
            add(composer, nested, (*names, key), place)
    elif isinstance(value, list) and not _is_plain(value):
        for number, item in enumerate(value, start=1):
            if place:
                add(composer, item, (*names, _name(item) or str(number)), place)
            else:
                name = _name(item) or f"{names[-1] if names else 'Record'} {number}"
                add(composer, item, (name,), Place("record", number, number))
    else:
        _tell(composer, names, [("", value)], at)


def _tell(composer: Composer, names: Names, fields: Fields, place: Place) -> None:
    """Add a record's paragraphs; a value without a key is told by its name alone."""
    name = ", ".join(filter(None, names[-NAMED:]))
    if [key for key, _ in fields] == [""]:
        value = _text(fields[0][1])
        composer.block(f"{name}: {value}" if name and value else value, place)
    else:
        for paragraph in paragraphs(name, ((key, _text(value)) for key, value in fields)):
            composer.block(paragraph, place)


def _is_plain(value: object) -> bool:
    """Whether a value is text, a number or a list of these."""
    if isinstance(value, list):
        return not any(isinstance(item, list | dict) for item in value)
    return not isinstance(value, dict)


def _nested(record: Mapping[str, object]) -> Fields:
    return [(one_line(key), value) for key, value in record.items() if not _is_plain(value)]


def _text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(filter(None, map(_text, value)))
    if value is None:
        return ""
    return clean(value).strip() if isinstance(value, str) else json.dumps(value, default=str).strip('"')


def _name(item: object) -> str:
    """What a record is called by: the value of such a key, else one of words at its beginning; empty where none is."""
    if not isinstance(item, dict):
        return ""
    by_key = {key.lower(): value for key, value in item.items() if isinstance(value, str | int)}
    leading = [
        value for value in list(item.values())[:LEADING] if isinstance(value, str) and any(map(str.isalpha, value))
    ]
    named = [by_key[key] for key in NAMES if key in by_key]
    names = (one_line(_text(value)) for value in (*named, *leading))
    return next((name for name in names if name and len(name) <= LONGEST_NAME), "")


def read_xml(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse an XML file; no entity of its own is expanded. Raises what lxml raises on a corrupt one."""
    from lxml import etree  # type: ignore[import-untyped]

    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True)
    return told(_of_xml(etree.fromstring(content, parser)), limits)


def _of_xml(element: Element) -> object:
    """Text, or what is in it by its name; what is prose with words marked in it is text."""
    parts = [part for part in element if isinstance(part.tag, str)]
    fields: dict[str, list[object]] = {_local(key): [value] for key, value in element.items()}
    prose = any((part.tail or "").strip() for part in parts)
    if prose or not parts:
        text = " ".join("".join(element.itertext()).split())
        if not fields:
            return text
        fields.setdefault("text", []).append(text)
    for part in () if prose else parts:
        fields.setdefault(_local(part.tag), []).append(_of_xml(part))
    return {name: values[0] if len(values) == 1 else values for name, values in fields.items()}


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]
