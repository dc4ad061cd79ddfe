"""What a run is asked to be, and what it is: written before it starts, and compared when it is taken up again."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from veridic import __version__
from veridic.errors import UsageError
from veridic_lab.evaluation.suite import Left

PLAN = "plan.json"
ROWS = "rows.jsonl"


@dataclass(frozen=True)
class Request:
    """What was asked for on the command line."""

    suite: str
    """A suite's name, or a JSONL file of one's own questions."""
    folder: Path | None
    """One's own documents."""
    systems: tuple[str, ...]
    model: str
    limit: int
    seed: int
    out: Path
    documents: int | None
    """At most this many of a suite's documents."""
    k: int
    """Plain RAG's number of passages."""


class Identity(BaseModel):
    """What must be the same for rows to belong to one run."""

    suite: str
    systems: list[str]
    model: str
    seed: int
    k: int
    """Passages that plain RAG reads."""
    questions: list[str]
    corpus: str
    """A digest of the documents, or the folder they stand in."""
    context: dict[str, Any]
    judges: dict[str, str]
    """Fingerprints."""
    world: str = ""
    """A digest of the pages outside; empty: nothing stands there."""


class Plan(BaseModel):
    """`plan.json`: the identity, and what the report needs beside the rows."""

    schema_version: int = 1
    identity: Identity
    documents: int
    pages: int = 0
    """Outside."""
    left: dict[str, Left] = {}
    """By set: questions in all, unseen by the judges, usable."""
    thresholds: dict[str, float] = {}
    version: str = __version__


def read_plan(out: Path) -> Plan:
    """The plan of a run's folder. Raises `UsageError`."""
    file = out / PLAN
    if not file.is_file():
        raise UsageError(f"{out} holds no run.", "Make one: `veridic eval run SUITE --out DIR`.")
    try:
        return Plan.model_validate_json(file.read_bytes())
    except ValueError as error:
        raise UsageError(f"{file} is not a plan of this version.", "Begin again in another folder.") from error


def write_plan(out: Path, plan: Plan) -> None:
    """Put the plan in its place at once, whole or not at all."""
    out.mkdir(parents=True, exist_ok=True)
    fresh = out / f"{PLAN}.new"
    with fresh.open("w", encoding="utf-8") as file:
        file.write(json.dumps(plan.model_dump(), ensure_ascii=False, indent=2) + "\n")
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(out / PLAN)


def taken_up(out: Path, plan: Plan) -> Plan:
    """The plan to go on with: the folder's own when it is of the same run, else the new one in an empty folder.

    Raises `UsageError` naming what differs.
    """
    if not (out / PLAN).exists():
        if (out / ROWS).exists():
            raise UsageError(f"{out} holds rows without a plan.", "Choose another folder.")
        write_plan(out, plan)
        return plan
    old = read_plan(out)
    now, then = plan.identity.model_dump(), old.identity.model_dump()
    differing = [name for name in now if now[name] != then[name]]
    if differing:
        raise UsageError(
            f"{out} holds a run with other {', '.join(differing)}.", "Give the same options, or choose another folder."
        )
    return old
