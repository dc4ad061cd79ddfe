"""Results of any content, made by their types: texts quote one document or another, wherever a text may stand."""

import random
import types
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from typing_extensions import is_typeddict

from veridic.ports.shapes import Result

GONE, OTHER = "doc-gone", "doc-other"
WORDS = {
    GONE: [f"gone{number}" for number in range(60)],
    OTHER: [f"other{number}" for number in range(60)],
}
IDS = frozenset(
    "run_id id record_id passage_id system node model judge path source allowed used "
    "retrieved_at written_at date".split()
)
"""Fields of free text by their type that hold names and dates of ours."""
OWN = frozenset("text quote title heading url location".split())
QUESTION = "Which one of them was it then?"


def runs_of(document: str, length: int = 5) -> list[str]:
    """Every run of so many words of a document's text."""
    words = WORDS[document]
    return [" ".join(words[at : at + length]) for at in range(len(words) - length + 1)]


def made(seed: int) -> Result:
    """A result of any content that quotes both documents."""
    result: Any = _Maker(random.Random(seed)).value(Result, "", None)  # noqa: S311 - no secret
    return {**result, "question": QUESTION, "queries": [QUESTION, *result["queries"]]}  # type: ignore[typeddict-item]


class _Maker:
    """Makes a value of a type."""

    def __init__(self, lot: random.Random) -> None:
        self.lot = lot

    def value(self, kind: Any, name: str, document: str | None) -> Any:
        """A value; `name` is the field's, `document` whose words are spoken."""
        if is_typeddict(kind):
            return self._object(kind, document)
        if kind is str:
            return self._text(name, document)
        if get_origin(kind) is Literal:
            return self.lot.choice(get_args(kind))
        if get_origin(kind) in (Union, types.UnionType):
            return self.value(self.lot.choice(get_args(kind)), name, document)
        if get_origin(kind) is list:
            return [self.value(get_args(kind)[0], name, document) for _ in range(self.lot.randint(1, 2))]
        if get_origin(kind) is dict:
            key, of = get_args(kind)
            return {str(self.value(key, "source", None)): self.value(of, "model", None)}
        return {int: 7, float: 0.25, bool: True, type(None): None}[kind]

    def _object(self, kind: Any, document: str | None) -> dict[str, Any]:
        fields = {name: of for name, of in get_type_hints(kind).items() if name != "redacted"}
        document = None if "document_id" not in fields and "passage" not in fields else document
        if "document_id" in fields or "passage" in fields:
            document = document or self.lot.choice([GONE, OTHER])
        found = {name: self.value(of, name, document) for name, of in fields.items()}
        return {**found, **({"document_id": document} if "document_id" in fields else {})}

    def _text(self, name: str, document: str | None) -> str:
        if name in IDS:
            return f"{name}-{self.lot.randint(0, 9)}"
        own = document if document and name in OWN else self.lot.choice([GONE, OTHER])
        return f"{self.lot.choice(runs_of(own))}, {self.lot.choice(runs_of(own, 8))}"
