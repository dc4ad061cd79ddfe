"""XML of any kind: records and texts as those of JSON are told."""

from typing import Any

from veridic.knowledge.readers.json_data import told
from veridic.knowledge.readers.model import ParsedDocument
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits

Element = Any
"""An lxml element; lxml is not typed."""


def read_xml(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse an XML file; no entity of its own is expanded. Raises what lxml raises on a corrupt one."""
    from lxml import etree  # type: ignore[import-untyped]

    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True, remove_pis=True)
    return told(_value(etree.fromstring(content, parser)), limits)


def _value(element: Element) -> object:
    """Text, or what is in it by its name; what is prose with words marked in it is text."""
    parts = [part for part in element if isinstance(part.tag, str)]
    fields: dict[str, list[object]] = {_name(key): [value] for key, value in element.items()}
    prose = any((part.tail or "").strip() for part in parts)
    if prose or not parts:
        text = " ".join("".join(element.itertext()).split())
        if not fields:
            return text
        fields.setdefault("text", []).append(text)
    for part in () if prose else parts:
        fields.setdefault(_name(part.tag), []).append(_value(part))
    return {name: values[0] if len(values) == 1 else values for name, values in fields.items()}


def _name(tag: str) -> str:
    return tag.rpartition("}")[2]
