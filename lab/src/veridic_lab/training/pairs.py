"""Labelled pairs read from JSONL files, and the split that keeps groups together."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from veridic.errors import UsageError

Task = Literal["relevance", "nli"]
_WORD = re.compile(r"[^\W_]+")
Row = dict[str, Any]

NLI_LABELS = ("entailment", "neutral", "contradiction", "not_entailment")
_GROUNDED = {"supported": "entailment", "unsupported": "not_entailment"}


@dataclass(frozen=True)
class Pair:
    """One labelled pair.

    For relevance `first` is the question, `second` the passage, `label` 0 or 1: does it help? For nli `first` is the
    premise, `second` the hypothesis, `label` an index into `NLI_LABELS`.
    """

    task: Task
    first: str
    second: str
    label: int
    source: str
    key: str
    split: str = ""
    part: str = ""

    @property
    def positive(self) -> bool:
        """Relevant, or entailed."""
        return self.label == 1 if self.asks else self.label == 0

    @property
    def asks(self) -> bool:
        """Whether `first` is a question."""
        return self.task != "nli"


def read_rows(path: Path) -> Iterator[Row]:
    """The objects of a `.jsonl` or `.jsonl.gz` file."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    yield json.loads(line)
                except json.JSONDecodeError as error:
                    raise UsageError(f"{path}:{number} is not JSON: {error.msg}.") from error


def find(folder: Path, stem: str) -> Path:
    """The file `stem.jsonl.gz` or `stem.jsonl` anywhere under the folder."""
    for ending in (".jsonl.gz", ".jsonl"):
        found = sorted(folder.rglob(stem + ending))
        if found:
            return found[0]
    raise UsageError(f"No {stem}.jsonl(.gz) under {folder}.", "Set VERIDIC_DATA to the data folder.")


def normalised(text: str) -> str:
    """Lower case, without punctuation and with single spaces."""
    return " ".join(_WORD.findall(text.lower()))


def read_pairs(path: Path) -> list[Pair]:
    """All labelled pairs of one file; the schema is told by its fields.

    The split key is the question, so that a question held out in one file is held out in
    all; where one group collects several questions, or there are none, it is the group.
    """
    rows = list(read_rows(path))
    by_group: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        by_group[str(row.get("group", ""))].add(_question(row))
    whole = all(len(questions) == 1 and "" not in questions for questions in by_group.values())
    return [pair_of(row, path, use_question=whole or "group" not in row) for row in rows]


def labelled_in(folder: Path) -> list[Pair]:
    """The labelled pairs of all JSONL files of a folder. Raises `UsageError` when there are none."""
    files = sorted(path for ending in ("*.jsonl", "*.jsonl.gz") for path in folder.rglob(ending))
    labelled = [path for path in files if ".qa." not in path.name and ".corpus." not in path.name]
    pairs = [pair for path in labelled for pair in read_pairs(path)]
    if not pairs:
        raise UsageError(f"{folder} has no labelled pairs.", "Rows need query and passage, or premise and hypothesis.")
    return pairs


def _question(row: Row) -> str:
    return normalised(str(row.get("query") or row.get("question") or ""))


def pair_of(row: Row, path: Path, *, use_question: bool = True) -> Pair:
    """The pair in one row; `path` is named when the row is wrong."""
    source = str(row.get("source") or path.name.split(".")[0])
    fallback = str(row.get("group") or normalised(str(row.get("premise") or row.get("context") or "")))
    key = (_question(row) if use_question else "") or f"{source}:{fallback}"
    split = str(row.get("split", ""))
    part = str(row.get("subset") or row.get("category") or row.get("scope") or "")
    if missing := _missing(row):
        raise UsageError(
            f"{path}: a row has no {missing!r}.", "Rows need query and passage, or premise and hypothesis."
        )
    if "passage" in row:
        label = int(row["label"])
        return Pair("relevance", row["query"], row["passage"], label, source, key, split, part)
    premise = row["premise"] if "premise" in row else row["context"]
    hypothesis = row["hypothesis"] if "hypothesis" in row else row["response"]
    name = _GROUNDED.get(row["label"], row["label"])
    if name not in NLI_LABELS:
        raise UsageError(f"{path}: the label {name!r} is not one of {', '.join(NLI_LABELS)}.")
    return Pair("nli", premise, hypothesis, NLI_LABELS.index(name), source, key, split, part)


def _missing(row: Row) -> str:
    """The first field that a row lacks, an empty text when it lacks none."""
    kinds = {"passage": ("query",), "context": ("response",)}
    needed = next((other for name, other in kinds.items() if name in row), ("premise", "hypothesis"))
    return next((name for name in (*needed, "label") if name not in row), "")


def fraction_of(key: str) -> float:
    """A number in [0, 1) that depends on the key alone."""
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:7]) / 256**7


def held_out(key: str, share: float = 0.1) -> bool:
    """Whether rows of this key are kept for measurement."""
    return fraction_of(key) < share
