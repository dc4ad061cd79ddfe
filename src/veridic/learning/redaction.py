"""A logged result without what it says of documents that were removed.

A text of it may quote them wherever it was made from them, so every text goes that is not known to quote nothing. What
stays: the question as it was asked, what is chosen from a list or names something of ours, numbers, and the passages
and citations of other documents.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, cast

from veridic.ports.shapes import Result

NAMES = frozenset(
    "run_id document_id record_id passage_id id system node model path source allowed used "
    "retrieved_at written_at date".split()
)
"""Fields that hold ids, dates and names of ours or of a source, and never a text."""
CHOICES = frozenset(
    "outcome stopped_by action kind time verdict origin objection part judge grade name status standing".split()
)
"""Fields with one of a few words."""
WHOLE = frozenset({"judges"})
"""Parts of a result that hold nothing else."""
OWN = frozenset({"text", "quote", "title", "heading", "url", "location"})
"""What a passage, a strip or a citation says of its document."""


def objects_in(content: object) -> Iterator[Mapping[str, Any]]:
    """Every object of a result, itself too, in any order."""
    left = [content]
    while left:
        one = left.pop()
        if isinstance(one, Mapping):
            yield one
            left += one.values()
        elif isinstance(one, list):
            left += one


def documents_in(content: object) -> set[str]:
    """The id of each document and record that a result names."""
    named = (one.get(name) for one in objects_in(content) for name in ("document_id", "record_id"))
    return {name for name in named if name and isinstance(name, str)}


def redacted(result: Result, gone: Collection[str]) -> Result:
    """The result without the words of the documents with these ids; `redacted` names them, and those gone before."""
    before = result.get("redacted", [])
    kept = {**_blanked(result, gone, result.get("question", "")), "question": result.get("question", "")}
    return cast("Result", {**kept, "redacted": sorted({*before, *gone})})


def _blanked(content: Mapping[str, Any], gone: Collection[str], asked: str) -> dict[str, Any]:
    """An object with its texts emptied, but for those that are its document's own where that stays."""
    document = _document(content)
    stays = {*NAMES, *CHOICES, *(OWN if document and document not in gone else ())}
    return {
        name: value if name in WHOLE or (name in stays and _is_plain(value)) else _emptied(value, gone, asked)
        for name, value in content.items()
    }


def _emptied(value: Any, gone: Collection[str], asked: str) -> Any:  # noqa: ANN401 - any part of a JSON document
    if isinstance(value, str):
        return value if value == asked else ""
    if isinstance(value, list):
        return [_emptied(one, gone, asked) for one in value]
    return _blanked(value, gone, asked) if isinstance(value, Mapping) else value


def _document(content: Mapping[str, Any]) -> str:
    """Whose words an object holds: a passage's, a citation's, and a strip's by its passage; empty for any other."""
    of = content.get("passage") if isinstance(content.get("passage"), Mapping) else content
    return str(of.get("document_id", "")) if isinstance(of, Mapping) else ""


def _is_plain(value: object) -> bool:
    """Whether it is a text, or a list of such."""
    return isinstance(value, str) or (isinstance(value, list) and all(isinstance(one, str) for one in value))
