"""The judges' card: what the base judge learned from, what each hand is for, and every judge's figures."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from veridic_lab.drafts.examples import BROAD
from veridic_lab.drafts.facts import FOLDER as FACTS
from veridic_lab.drafts.facts import sheets
from veridic_lab.drafts.hands import FOLDER as WRITTEN
from veridic_lab.drafts.hands import Role, documents, manifest
from veridic_lab.drafts.passages import GRADED, READ
from veridic_lab.manual.tables import table

LAB = Path(__file__).parents[3]
KEPT = LAB / "data" / "judged.json"
SOURCES = (LAB / "src/veridic_lab/training/sources.json", LAB / "src/veridic_lab/training/reading/sources.json")

Figures = Mapping[str, Any]


def judges_card() -> str:
    """The card in Markdown."""
    kept: dict[str, dict[str, Figures]] = json.loads(KEPT.read_text(encoding="utf-8"))
    return "\n\n".join([_learned(), _roles(), *(part for role, told in kept.items() for part in _measured(role, told))])


def _learned() -> str:
    licences: dict[str, str] = {}
    for path in SOURCES:
        licences |= json.loads(path.read_text(encoding="utf-8"))["licences"]
    uses = (("statements", BROAD), ("reading", READ), ("passages", GRADED))
    rows = [(name, use, licences[name.split(".")[0]]) for use, sets in uses for name in sets]
    lead = "The base judge learned from the documents that train, written for it, and from parts of these sets:"
    return f"{lead}\n\n{table(('set', 'for', 'licence'), rows)}"


def _roles() -> str:
    written = [(role, " ".join(own), f"{len(documents(role)):,}") for role, own in _hands(WRITTEN).items()]
    short = [(f"{role}, short facts", " ".join(own), f"{len(sheets(role)):,}") for role, own in _hands(FACTS).items()]
    told = table(("for", "hands", "documents"), [*written, *short])
    return f"The written documents, by the hand that wrote them:\n\n{told}"


def _hands(folder: Path) -> dict[Role, list[str]]:
    by_role = defaultdict[Role, list[str]](list)
    for hand, role in manifest(folder).items():
        by_role[role].append(hand)
    return by_role


def _measured(role: str, told: Mapping[str, Figures]) -> Iterator[str]:
    ranked = {name: row for name, row in told.items() if "auc" in row}
    head = (role, "AUC", "paired", "balanced, best point", "paired, short", "paired, long")
    rows = [
        (name, *_cells(row, "auc", "paired", "balanced"), *_cells(row["by_length"], "short", "long"))
        for name, row in ranked.items()
    ]
    yield table(head, rows)
    kinds = sorted({kind for row in ranked.values() for kind in row["by_error"]})
    yield table(
        ("AUC by error", *ranked),
        [(kind, *(_cells(row["by_error"], kind)[0] for row in ranked.values())) for kind in kinds],
    )
    names = ("precision", "recall", "f1", "marked")
    marks = [(name, *_cells(row["words"], *names)) for name, row in told.items() if "words" in row]
    yield table(("words marked wrong", "precision", "recall", "F1", "share marked"), marks)


def _cells(row: Figures, *names: str) -> list[str]:
    return [f"{row[name]:.3f}" if name in row else "" for name in names]
