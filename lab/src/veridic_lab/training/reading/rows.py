"""Labelled readings: a question, a text, and where in it the answer stands, or that it does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from veridic.errors import UsageError
from veridic_lab.training.pairs import Row, held_out, normalised, read_rows

Kind = Literal["span", "none", "yes", "no", "undecided"]
DECISIONS: tuple[Kind, ...] = ("yes", "no", "undecided")
COMPOSED = "why"
"""`Reading.part` of a question that sentences answer, and no short answer."""
Place = tuple[int, int]


@dataclass(frozen=True)
class Reading:
    """One labelled reading."""

    question: str
    title: str
    """Stands above the text; never holds the answer that is looked for. May be empty."""
    text: str
    places: tuple[Place, ...]
    """Where answers stand in the text; none unless `kind` is span."""
    kind: Kind
    source: str
    key: str
    """What splits are made by."""
    part: str = ""
    """How a made row was made."""
    evidence: tuple[Place, ...] = ()
    """Where the sentences stand that answer it, where that is known apart from the places."""

    @property
    def answers(self) -> list[str]:
        """The texts of the places, each once."""
        return list(dict.fromkeys(self.text[start:end] for start, end in self.places))


def shown(row: Reading) -> str:
    """The text as it is read, under its title, or under an empty one where its first line would be taken for it."""
    return f"{row.title}\n{row.text}" if row.title or "\n" in row.text else row.text


def read_readings(path: Path) -> list[Reading]:
    """All rows of a `.reader.jsonl` file.

    Each has `question`, `context` and `kind` (span, none, yes, no, unknown), and a span row `answers` of `text` and
    `start`. Rows are split by `group`; a row without one by its question. Raises `UsageError` for any other row.
    """
    return [reading_of(row, path) for row in read_rows(path)]


def reading_of(row: Row, path: Path) -> Reading:
    """The reading in one row; `path` is named when the row is wrong."""
    if missing := next((name for name in ("question", "context", "kind") if name not in row), ""):
        raise UsageError(f"{path}: a row has no {missing!r}.", "Rows need question, context, kind and answers.")
    kind = "undecided" if row["kind"] == "unknown" else str(row["kind"])
    if kind not in ("span", "none", *DECISIONS):
        raise UsageError(f"{path}: {kind!r} is no kind of answer.", "Use span, none, yes, no or unknown.")
    text = str(row["context"])
    places = _places(row, text, path)
    if kind == "span" and not places:
        raise UsageError(f"{path}: a row of the kind span has no answers.", "Each has a text and its start.")
    source = str(row.get("source") or path.name.split(".")[0])
    question = str(row["question"])
    key = f"{source}:{row['group']}" if row.get("group") else normalised(question)
    spans = places if kind == "span" else ()
    return Reading(question, str(row.get("title", "")), text, spans, kind, source, key)


def _places(row: Row, text: str, path: Path) -> tuple[Place, ...]:
    """Where the answers of a row stand. Raises `UsageError` for one that does not stand where the row says."""
    try:
        told = [(int(one["start"]), str(one["text"])) for one in row.get("answers") or ()]
    except (KeyError, TypeError, ValueError) as error:
        raise UsageError(f"{path}: an answer has no text or no start.", "Each answer needs both.") from error
    if any(start < 0 or not said or text[start : start + len(said)] != said for start, said in told):
        raise UsageError(f"{path}: an answer does not stand where its row says.", "`start` counts characters.")
    return tuple((start, start + len(said)) for start, said in told)


def split(rows: Mapping[str, Sequence[Reading]]) -> tuple[dict[str, list[Reading]], dict[str, list[Reading]]]:
    """Sets to learn from, and a tenth of each one's keys held out."""
    train = {name: [row for row in own if not held_out(row.key)] for name, own in rows.items()}
    test = {name: [row for row in own if held_out(row.key)] for name, own in rows.items()}
    return train, test
