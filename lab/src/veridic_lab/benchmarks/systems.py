"""The suite `answers` with every writer and every system of the papers: what each does and what it costs.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.systems --out DIR [--weights FILE.gguf] [--only
NAME] [--quick] [--keep]`. `answers` asks 1,000 questions of plain RAG, the two floors and `veridic` without a chat
model; `systems` asks fewer of every system, `self-rag` of Self-RAG at other thresholds, each without a chat model,
with the embedded one and with a GGUF model of your own. Quick: 20 each, over fewer documents. The
questions are drawn with another seed than the one that thresholds were looked at with. What was interrupted goes on;
`--keep` puts what the documents' tables are made of into the checkout.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from veridic.graph.systems import SYSTEMS
from veridic_lab.benchmarks.asking import say

VERIDIC = Path(sys.executable).with_name("veridic")
SEED = 11
DOCUMENTS, FEW_DOCUMENTS, QUICK = 3000, 600, 20
RUNS = Path(__file__).with_name("runs")
COUNTED = ("right", "wrong", "abstained", "hallucinated", "recall_at_5", "citation_f1", "calls", "prompt_tokens",
           "completion_tokens", "seconds_p50")  # fmt: skip
"""The metrics of the tables that the documents have."""
FLOORS = ("always_abstains", "pastes_best")
NOTHING_OUTSIDE = {"hybrid_self_rag": "hybrid_self_rag:sources=none"}
"""The suite has no world outside: its claims go to the fallback at once."""
THRESHOLDS = tuple(f"self_rag:retrieve_from={point}" for point in (0.0, 0.05, 0.5, 0.9, 1.0))
CANDIDATES = ("self_rag:passages=1", "self_rag:passages=2", "self_rag:passages=4", "self_rag:candidates=2",
              "self_rag:candidates=4")  # fmt: skip


@dataclass(frozen=True)
class Run:
    """One writer, how many questions it gets, and of which systems."""

    name: str
    model: str
    limit: int
    systems: tuple[str, ...]
    weights: Path | None = None

    @property
    def environment(self) -> dict[str, str]:
        """What the program sees."""
        own = {"VERIDIC_WEIGHTS": str(self.weights), "VERIDIC_FOLLOWS_INSTRUCTIONS": "yes"} if self.weights else {}
        return {**os.environ, **own}


def main() -> None:
    """Make every run that is not there, and print its report."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--weights", type=Path, help="A GGUF model that follows instructions")
    options.add_argument("--only", help="One run by its name")
    options.add_argument("--quick", action="store_true")
    options.add_argument("--keep", action="store_true", help="Keep the summaries in the checkout, for the documents")
    told = options.parse_args()
    for run in runs(told.weights):
        if told.only in (None, run.name):
            say(made(run, told.out, quick=told.quick))
            if told.keep and not told.quick:
                keep_summary(told.out / f"{run.name}.json")


def runs(weights: Path | None) -> Iterator[Run]:
    """The runs, the cheapest first."""
    silent = [name for name, system in SYSTEMS.items() if not system.chat_grades]
    yield Run("answers-extractive", "extractive", 1000, (*FLOORS, "veridic"))
    yield Run("systems-extractive", "extractive", 60, (*FLOORS, *silent))
    yield Run("self-rag-extractive", "extractive", 100, ("self_rag", *THRESHOLDS, *CANDIDATES))
    yield Run("systems-embedded", "embedded", 60, (*FLOORS, *silent))
    if weights:
        yield Run("systems-instructed", "embedded", 30, (*FLOORS, *SYSTEMS), weights)
        yield Run("self-rag-instructed", "embedded", 30, ("self_rag", *CANDIDATES), weights)


def made(run: Run, out: Path, *, quick: bool) -> str:
    """The report of a run, which is made or gone on with first; its summary lies beside it as JSON."""
    folder = out / (f"{run.name}-quick" if quick else run.name)
    limit, documents = (QUICK, FEW_DOCUMENTS) if quick else (run.limit, DOCUMENTS)
    asked = ("--limit", limit, "--documents", documents, "--seed", SEED, "--k", 5, "--systems", listed(run.systems))
    summary = _veridic(run, "run", "answers", "--model", run.model, *asked, "--out", folder, "--json")
    folder.with_suffix(".json").write_text(summary, encoding="utf-8")
    return _veridic(run, "report", folder)


def listed(names: Iterable[str]) -> str:
    """The systems by commas, plain RAG first."""
    return ",".join(["standard_rag", *(NOTHING_OUTSIDE.get(name, name) for name in names if name != "standard_rag")])


def keep_summary(summary: Path) -> None:
    """Keep in the checkout what the documents' tables are made of."""
    told = json.loads(summary.read_text(encoding="utf-8"))
    systems = {one: {name: metrics.get(name) for name in COUNTED} for one, metrics in told["systems"].items()}
    kept = {**{part: told[part] for part in ("suite", "model", "seed", "planned")}, "systems": systems}
    (RUNS / summary.name).write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def _veridic(run: Run, *words: object) -> str:
    command = [str(VERIDIC), "eval", *map(str, words)]
    done = subprocess.run(command, env=run.environment, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603 - ours
    return done.stdout


if __name__ == "__main__":
    main()
