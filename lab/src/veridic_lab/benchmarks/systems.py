"""Every system of the papers on the suite `answers`: what each does and what it costs; and Self-RAG without its parts.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.systems --out DIR [--weights FILE.gguf]
[--quick]`. The extractive writer and the embedded model get 60 questions, a GGUF model of your own 30; Self-RAG without
a score, at five thresholds of Retrieve and with 1, 2 and 4 candidates gets 100 without a chat model, 30 with yours.
Quick: 20 each. What was interrupted goes on. `--only NAME` makes one run, `--table` prints the tables of what is there.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from veridic.graph.systems import SYSTEMS
from veridic_lab.benchmarks.answers import COUNTED, Run, keep_summary, made
from veridic_lab.benchmarks.asking import say

FLOORS = ("always_abstains", "pastes_best")
NOTHING_OUTSIDE = {"hybrid_self_rag": "hybrid_self_rag:sources=none"}
"""The suite has no world outside: its claims go to the fallback at once."""
WITHOUT = ("self_rag", *(f"self_rag:{score}_weight=0" for score in ("relevance", "support", "usefulness")))
THRESHOLDS = tuple(f"self_rag:retrieve_from={point}" for point in (0.0, 0.05, 0.5, 0.9, 1.0))
CANDIDATES = ("self_rag:passages=1", "self_rag:passages=2", "self_rag:passages=4", "self_rag:candidates=2",
              "self_rag:candidates=4")  # fmt: skip


def main() -> None:
    """Make every run that is not there, and print the tables."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--weights", type=Path, help="A GGUF model that follows instructions")
    options.add_argument("--only", help="One run by its name")
    options.add_argument("--quick", action="store_true")
    options.add_argument("--table", action="store_true", help="Print what is there and make nothing")
    options.add_argument("--keep", action="store_true", help="Keep the summaries in the checkout, for the documents")
    told = options.parse_args()
    for run in runs(told.weights):
        if told.only in (None, run.name):
            summary = told.out / f"{run.name}{'-quick' if told.quick else ''}.json"
            if not told.table:
                made(run, told.out, quick=told.quick)
            if told.keep:
                keep_summary(run.name, summary)
            if summary.is_file():
                say(table(run.name, json.loads(summary.read_text(encoding="utf-8"))))


def runs(weights: Path | None) -> Iterator[Run]:
    """The runs, the cheapest first."""
    silent = _listed(name for name, system in SYSTEMS.items() if not system.chat_grades)
    yield Run("systems-extractive", "extractive", 60, {}, silent)
    yield Run("self-rag-extractive", "extractive", 100, {}, _listed((*WITHOUT, *THRESHOLDS, *CANDIDATES), floors=()))
    yield Run("systems-embedded", "embedded", 60, {}, silent)
    if weights:
        environment = {"VERIDIC_WEIGHTS": str(weights), "VERIDIC_FOLLOWS_INSTRUCTIONS": "yes"}
        yield Run("systems-instructed", "embedded", 30, environment, _listed(SYSTEMS))
        yield Run("self-rag-instructed", "embedded", 30, environment, _listed((*WITHOUT, *CANDIDATES), floors=()))


def _listed(names: Any, floors: tuple[str, ...] = FLOORS) -> tuple[str, ...]:  # noqa: ANN401 - any names
    """The option that names systems, plain RAG first, with the papers' number of passages."""
    rest = [NOTHING_OUTSIDE.get(name, name) for name in names if name != "standard_rag"]
    return "--systems", ",".join(["standard_rag", *floors, *rest]), "--k", "5"


def table(name: str, summary: dict[str, Any]) -> str:
    """A Markdown table of one run."""
    head = f"\n{name}: {summary['planned']} questions, {summary['model']}\n\n| | {' | '.join(COUNTED)} |\n"
    rows = [
        f"| `{system}` | {' | '.join(_brief(metrics.get(metric)) for metric in COUNTED)} |\n"
        for system, metrics in summary["systems"].items()
    ]
    return "".join([head, "|---" * (len(COUNTED) + 1), "|\n", *rows])


def _brief(found: dict[str, float] | None) -> str:
    return "-" if found is None else f"{found['value']:.2f}"


if __name__ == "__main__":
    main()
