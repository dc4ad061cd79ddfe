"""The tables of Hybrid Self-RAG and Bidirectional RAG with a capable writer, scripted, the papers' figures beside."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from veridic_lab.benchmarks.systems import RUNS
from veridic_lab.manual.tables import table

CHECKED = {
    "plain RAG": "standard_rag",
    "`self_rag`": "self_rag",
    "`hybrid_self_rag`": "hybrid_self_rag",
    "`veridic`, all claims checked": "veridic:sources=wikipedia+arxiv,validate_claims=always",
}
PAPER = {"right_of_answered": (".81", ".89"), "wrong": (".19", ".11"), "fact_score_before": (".65", ""),
         "fact_score_after": ("", ".87")}  # fmt: skip
"""Hybrid Self-RAG, table 2: Self-RAG alone, and with validation."""
TOLD = {
    "right_of_answered": "factual accuracy: right, of the answered",
    "wrong": "hallucination rate: wrong, of all",
    "abstained": "silent",
    "fact_score_before": "mean FactScore, at first",
    "fact_score_after": "mean FactScore, of what is given",
}
LEARNING = ("standard_rag", "naive_write_back", "bidirectional_rag", "veridic")

Found = Mapping[str, Any]


def kept(part: str) -> Found:
    """What a part of the benchmark `capable` came to."""
    found: Found = json.loads((RUNS / f"capable-{part}.json").read_text(encoding="utf-8"))
    return found


def checked_table() -> str:
    """Table 2 of Hybrid Self-RAG."""
    run = kept("outside")
    rows = [
        (said, *PAPER.get(metric, ("", "")), *(_cell(run["systems"][one].get(metric)) for one in CHECKED.values()))
        for metric, said in TOLD.items()
    ]
    head = ("", "paper: Self-RAG alone", "paper: with validation", *CHECKED)
    return f"{run['planned']} questions, recorded pages:\n\n{table(head, rows)}"


def _cell(found: Mapping[str, float] | None) -> str:
    return f"{found['value']:.2f} [{found['low']:.2f}, {found['high']:.2f}]" if found else ""


def remembered_table() -> str:
    """Tables I and II of Bidirectional RAG."""
    run = kept("memory")
    systems = [run["systems"][one] for one in LEARNING]
    asked, others = run["planned"], run["others"]
    rows = [
        ("**written**, paper, of 500", "0", "500", "140", ""),
        (f"ours, of {asked}; false by gold", *(f"{one['written']}; {one['written_false']}" for one in systems)),
        ("**coverage**, paper, Natural Questions", "0.0 %", "99.0 %", "37.0 %", ""),
        (f"ours, gold among the first five, {others} others", *(f"{one['others']['covered']:.2f}" for one in systems)),
        (f"**right, wrong, silent**, the {asked}", *(_counts(one["first"]) for one in systems)),
        (f"{others} others, asked afterwards", *(_counts(one["others"]) for one in systems)),
        (f"{run['again']} of the first again", *(_counts(one["again"]) for one in systems)),
    ]
    return table(("", *(f"`{name}`" for name in LEARNING)), rows)


def _counts(found: Mapping[str, int]) -> str:
    return f"{found['right']}, {found['wrong']}, {found['silent']}"
