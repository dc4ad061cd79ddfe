"""The judges' card: what the base judge learned from, what each hand is for, and every judge's figures."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from veridic.models.calibration import Decision
from veridic.models.onnx_encoder import SHIPPED
from veridic.models.reader_calibration import ReaderCalibration
from veridic.ports.shapes import Promise
from veridic_lab.drafts.collections import FOLDER as FILES
from veridic_lab.drafts.collections import collections
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

BASE = LAB.parent / "judge-base/src/veridic_judge_base"
FITTED = {
    "base": (BASE / "reader_calibration.json", BASE / "decision.json"),
    "small": (SHIPPED / "reader" / "calibration.json", SHIPPED / "judge" / "decision.json"),
}

Figures = Mapping[str, Any]


def judges_card() -> str:
    """The card in Markdown."""
    kept: dict[str, dict[str, Figures]] = json.loads(KEPT.read_text(encoding="utf-8"))
    measured = (part for role, told in kept.items() for part in _measured(role, told))
    return "\n\n".join([_learned(), _roles(), _promised(), *measured])


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
    held = [(f"{role}, files", " ".join(own), f"{len(collections(role)):,}") for role, own in _hands(FILES).items()]
    told = table(("for", "hands", "documents"), [*written, *short, *held])
    return (
        "The written documents, sheets of short facts and collections of files, by the hand that wrote them:\n\n" + told
    )


def _promised() -> str:
    """What *verified* promises by each judge, on documents that had no part in the fit."""
    rows = [
        (judge, one["kind"], *_point(one), one["date"])
        for judge, paths in FITTED.items()
        for kind, path in zip((ReaderCalibration, Decision), paths, strict=True)
        for one in _read(kind, path).promises
    ]
    head = ("judge", "what", "verified from P", "verified", "right", "at least", "fitted")
    return f"What is verified at normal strictness, on the hands that fit:\n\n{table(head, rows)}"


def promise_line() -> str:
    """What the base judge's *verified* promises of what is read or quoted, in a sentence."""
    told = _read(ReaderCalibration, FITTED["base"][0]).promises[0]
    return (
        f"Of {told['verified']} so *verified* {told['precision']:.3f} were right, at least {told['least']:.3f} "
        "([card](docs/judges.md))."
    )


def _read(kind: type[ReaderCalibration] | type[Decision], path: Path) -> ReaderCalibration | Decision:
    return kind.read(path, json.loads(path.read_text(encoding="utf-8"))["fingerprint"])


def _point(one: Promise) -> tuple[str, ...]:
    if one["verified_from"] is None:
        return ("nothing is verified", "", "", "")
    return f"{one['verified_from']:.3f}", str(one["verified"]), f"{one['precision']:.3f}", f"{one['least']:.3f}"


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
