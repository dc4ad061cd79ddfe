"""What a caller sees of the machine: who only asks learns how files are called, not where on the disk they lie."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath

from veridic.server.callers import Caller

PLACES = frozenset({"url", "scope", "docs"})
"""Keys of answers beneath which addresses of documents stand."""


def seen_by(caller: Caller, content: object) -> object:
    """Content of an answer as the caller may see it, which is all of it for who manages."""
    return content if caller.manages else _without_folders(content)


def _without_folders(content: object, *, place: bool = False) -> object:
    """The content with absolute paths cut down to their last name, where `place` says that they are addresses."""
    match content:
        case str():
            return PurePath(content).name if place and PurePath(content).is_absolute() else content
        case Mapping():
            return {name: _without_folders(value, place=name in PLACES) for name, value in content.items()}
        case Sequence():
            return [_without_folders(value, place=place) for value in content]
    return content
