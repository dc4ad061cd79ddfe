"""The suite `answers` with every writer, beside plain RAG and the two floors.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.answers --out DIR [--weights FILE.gguf]
[--quick]`. Quick asks 20 questions of each writer over 600 documents, else 1,000 of the extractive one, 100 of the
embedded model and 60 of a model of your own, over 3,000. Every run has a folder in DIR, its summary and report beside
it; what was interrupted goes on. The questions are drawn with another seed than the one that thresholds were looked at
with.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

VERIDIC = Path(sys.executable).with_name("veridic")
SEED = 11
DOCUMENTS, FEW_DOCUMENTS = 3000, 600
QUICK = 20
RUNS = Path(__file__).with_name("runs")
COUNTED = ("right", "wrong", "abstained", "hallucinated", "calls", "prompt_tokens", "completion_tokens", "seconds_p50")
"""The metrics of the tables that the documents have."""


@dataclass(frozen=True)
class Run:
    """One writer and how many questions it gets."""

    name: str
    model: str
    limit: int
    environment: dict[str, str]
    options: tuple[str, ...] = ()
    """Of `veridic eval run`, besides."""


def main() -> None:
    """Make every run that is not there, and print its report."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--weights", type=Path, help="A GGUF model that follows instructions")
    options.add_argument("--only", help="One run by its name")
    options.add_argument("--quick", action="store_true")
    options.add_argument("--keep", action="store_true", help="Keep the summaries in the checkout, for the README")
    told = options.parse_args()
    for run in runs(told.weights):
        if told.only in (None, run.name):
            sys.stdout.write(made(run, told.out, quick=told.quick))
            sys.stdout.flush()
            if told.keep:
                keep_summary(f"answers-{run.name}", told.out / f"{run.name}.json")


def runs(weights: Path | None) -> Iterator[Run]:
    """The writers, the cheapest first."""
    yield Run("extractive", "extractive", 1000, {})
    yield Run("embedded", "embedded", 100, {})
    if weights:
        yield Run("instructed", "embedded", 60, {"VERIDIC_WEIGHTS": str(weights)})


def made(run: Run, out: Path, *, quick: bool) -> str:
    """The report of a run, which is made or gone on with first."""
    folder = out / (f"{run.name}-quick" if quick else run.name)
    limit, documents = (QUICK, FEW_DOCUMENTS) if quick else (run.limit, DOCUMENTS)
    asked = ["--limit", limit, "--documents", documents, "--seed", SEED]
    environment = os.environ | run.environment
    command = ("run", "answers", "--model", run.model, *asked, *run.options, "--out", folder, "--json")
    summary = _veridic(*command, environment=environment)
    folder.with_suffix(".json").write_text(summary, encoding="utf-8")
    report = _veridic("report", folder, environment=environment)
    folder.with_suffix(".md").write_text(report, encoding="utf-8")
    return report


def keep_summary(name: str, summary: Path) -> None:
    """Keep in the checkout what the documents' tables are made of, where a run is finished."""
    if summary.is_file():
        told = json.loads(summary.read_text(encoding="utf-8"))
        systems = {one: {name: metrics.get(name) for name in COUNTED} for one, metrics in told["systems"].items()}
        kept = {**{part: told[part] for part in ("suite", "model", "seed", "planned")}, "systems": systems}
        (RUNS / f"{name}.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def _veridic(*arguments: object, environment: dict[str, str]) -> str:
    command = [str(VERIDIC), "eval", *map(str, arguments)]
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603 - ours
    return done.stdout


if __name__ == "__main__":
    main()
