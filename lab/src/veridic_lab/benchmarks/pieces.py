"""Runs that take long are made in pieces: what is finished is kept in the checkout, and gone on with elsewhere."""

import gzip
import json
import shutil
from pathlib import Path

from veridic_lab.evaluation.plan import PLAN, ROWS

RUNS = Path(__file__).with_name("runs")
COUNTED = ("right", "wrong", "abstained", "hallucinated", "calls", "prompt_tokens", "completion_tokens", "seconds_p50")
"""The metrics of the tables."""


def take_up(name: str, folder: Path) -> None:
    """Lay the kept rows and plan of a run into its folder, unless it has rows of its own."""
    rows = RUNS / f"{name}.jsonl.gz"
    if (folder / ROWS).exists() or not rows.is_file():
        return
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(RUNS / f"{name}.plan.json", folder / PLAN)
    with gzip.open(rows) as packed, (folder / ROWS).open("wb") as file:
        shutil.copyfileobj(packed, file)


def keep_summary(name: str, folder: Path) -> None:
    """Keep of a run's summary what tables are made of, where the run is finished."""
    summary = folder.with_suffix(".json")
    if not summary.is_file():
        return
    RUNS.mkdir(exist_ok=True)
    told = json.loads(summary.read_text(encoding="utf-8"))
    systems = {
        system: {metric: metrics.get(metric) for metric in COUNTED} for system, metrics in told["systems"].items()
    }
    kept = {**{part: told[part] for part in ("suite", "model", "seed", "planned")}, "systems": systems}
    (RUNS / f"{name}.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def keep_rows(name: str, folder: Path) -> None:
    """Keep a run's rows and plan, to go on with; the same rows give the same file."""
    RUNS.mkdir(exist_ok=True)
    shutil.copyfile(folder / PLAN, RUNS / f"{name}.plan.json")
    packed = gzip.compress((folder / ROWS).read_bytes(), mtime=0)
    (RUNS / f"{name}.jsonl.gz").write_bytes(packed)
