"""`veridic check` on AttributionBench: is a response attributable to its context?

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.check_attribution [--limit N] [--out FILE]`. The
contexts of `grounded/attribution_bench.grounded.jsonl.gz` (split dev) are taken in as documents; each response is
checked against its own alone, and counts as supported when every claim is. Beside it the critic alone, asked of every
window of the context and every sentence of the response at its shipped threshold, and the share of the response's words
that the context has, its threshold fitted on the other half. Balanced accuracy, with 95 % intervals over groups of rows
that share a context: of the rows that the critic was never trained on, and of all of them, which flatters it and what
stands on it. No chat model. About 0.2 s a row on two cores, four minutes in all.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from math import inf
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridic.context import Context
from veridic.graph.checking import check_graph
from veridic.knowledge.ingest import Text, ingest_texts
from veridic.ports.judging import Critic
from veridic.ports.shapes.checking import CheckResult
from veridic.resources import open_knowledge_base, open_resources
from veridic.runtime.run import Resources
from veridic.settings import EXTRACTIVE, Settings
from veridic.text.duplicates import coverage
from veridic.text.sentences import sentences, windows
from veridic_lab.evaluation.bootstrap import Floats, Interval, interval, resamples
from veridic_lab.training.calibrate import sample
from veridic_lab.training.mixture import is_test
from veridic_lab.training.pairs import read_pairs, read_rows

SET = "grounded/attribution_bench.grounded.jsonl.gz"
NAME = "attribution_bench"
"""As the training calls it."""
TITLE = "Title: "
Row = dict[str, str]
Flags = NDArray[np.bool_]


def main() -> None:
    """Check, compare, print, and keep what came of each row where that is asked."""
    given = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    given.add_argument("--data", type=Path, default=os.environ.get("VERIDIC_DATA"), help="else VERIDIC_DATA")
    given.add_argument("--limit", type=int, default=0, help="rows, drawn with a fixed seed; 0: all")
    given.add_argument("--out", type=Path, help="a JSON line for each row")
    options = given.parse_args()
    rows = [row for row in read_rows(Path(options.data) / SET) if row["split"] == "dev"]
    rows = sample(rows, options.limit) if options.limit else rows
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings.load(kb=f"{folder}/kb.sqlite", model=EXTRACTIVE)
        documents = taken_in(rows, settings)
        resources = open_resources(settings)
        reports = list(reports_on(rows, documents, resources))
    said = {
        "check": np.array([report["outcome"] == "supported" for report in reports]),
        "critic alone": np.array([attributed(row, resources.critic) for row in rows]),
        "words shared": by_words(rows),
    }
    unseen = never_trained_on(Path(options.data) / SET)
    for name, part in (("never trained on", [row["id"] in unseen for row in rows]), ("all", [True for _ in rows])):
        sys.stdout.write(f"\n{name}: ")
        chosen = np.flatnonzero(part)
        own = {method: found[chosen] for method, found in said.items()}
        sys.stdout.writelines(lines([rows[at] for at in chosen], own, [reports[at] for at in chosen]))
    if options.out:
        options.out.write_text("".join(kept(rows, said, reports)), encoding="utf-8")


def never_trained_on(path: Path) -> set[str]:
    """The ids of the rows that are held out of the critic's training."""
    return {row["id"] for row, pair in zip(read_rows(path), read_pairs(path), strict=True) if is_test(NAME, pair)}


def taken_in(rows: Sequence[Row], settings: Settings) -> dict[str, str]:
    """The id of the document that each context became."""
    contexts = {row["context"]: f"attribution/{at}" for at, row in enumerate(rows)}
    corpus = open_knowledge_base(settings).corpus
    ingest_texts([Text(url=url, title=_title(context), text=context) for context, url in contexts.items()], corpus)
    ids = {document.url: document.id for document in corpus.documents()}
    return {context: ids[url] for context, url in contexts.items()}


def _title(context: str) -> str:
    first = context.partition("\n")[0]
    return first.removeprefix(TITLE) if first.startswith(TITLE) else ""


def reports_on(rows: Sequence[Row], documents: dict[str, str], resources: Resources) -> Iterator[CheckResult]:
    """Each response checked against its own context."""
    graph = check_graph(resources)
    for at, row in enumerate(rows, start=1):
        context = Context(scope=(documents[row["context"]],))
        yield graph.invoke({"text": row["response"]}, context=context)["report"]
        if at % 100 == 0:
            sys.stderr.write(f"{at} of {len(rows)}\n")


def attributed(row: Row, critic: Critic) -> bool:
    """Whether some window of the context entails each sentence, by the critic alone at its threshold."""
    told, held = sentences(row["response"]), windows(row["context"])
    pairs = [(window.text, one.text) for one in told for window in held]
    said = np.array([one.entailment for one in critic.judge(pairs, deadline=inf)]).reshape(len(told), len(held))
    return bool((said.max(axis=1) >= critic.thresholds("normal").support).all())


def by_words(rows: Sequence[Row]) -> Flags:
    """Whether the context has enough of the response's words: from the share that does best on the other half."""
    shares = np.array([coverage(row["response"], row["context"]) for row in rows])
    truth, halves = _truth(rows), np.array([int(row["group"], 16) % 2 for row in rows])
    found = np.zeros(len(rows), dtype=bool)
    for half in (0, 1):
        own, other = halves == half, halves != half
        points = sorted(set(shares[other]))
        best = max(points, key=lambda point: _balanced(truth[other], shares[other] >= point), default=1.0)
        found[own] = shares[own] >= best
    return found


def _truth(rows: Sequence[Row]) -> Flags:
    return np.array([row["label"] == "supported" for row in rows])


def _balanced(truth: Flags, found: Flags) -> float:
    return float((found[truth].mean() + (~found[~truth]).mean()) / 2)


def balanced_accuracy(rows: Sequence[Row], found: Flags) -> Interval | None:
    """Mean of the share of supported responses that are found so, and of the others that are not."""
    truth = _truth(rows)

    def statistic(weights: Floats) -> Floats:
        true, false = weights @ truth, weights @ ~truth
        with np.errstate(invalid="ignore"):
            return np.asarray(((weights @ (truth & found)) / true + (weights @ (~truth & ~found)) / false) / 2)

    return interval(statistic, resamples([row["group"] for row in rows]))


def lines(rows: Sequence[Row], said: dict[str, Flags], reports: Sequence[CheckResult]) -> Iterator[str]:
    """The tables, in Markdown."""
    truth = _truth(rows)
    yield f"{len(rows)} responses, {int(truth.sum())} of them supported\n\n"
    yield "| | balanced accuracy | of the supported told so | of the unsupported told supported |\n|---|---|---|---|\n"
    for name, found in said.items():
        told = balanced_accuracy(rows, found)
        shown = f"{told.value:.3f} [{told.low:.3f}, {told.high:.3f}]" if told else "-"
        yield f"| {name} | {shown} | {found[truth].mean():.3f} | {found[~truth].mean():.3f} |\n"
    yield "\n| outcome of check | supported | unsupported |\n|---|---|---|\n"
    outcomes = np.array([report["outcome"] for report in reports])
    for outcome in dict.fromkeys(outcomes):
        true, false = (int((outcomes[part] == outcome).sum()) for part in (truth, ~truth))
        yield f"| {outcome} | {true} | {false} |\n"


def kept(rows: Sequence[Row], said: dict[str, Flags], reports: Sequence[CheckResult]) -> Iterator[str]:
    """A JSON line for each row."""
    for at, (row, report) in enumerate(zip(rows, reports, strict=True)):
        told = {name: bool(found[at]) for name, found in said.items()}
        yield json.dumps({"id": row["id"], "label": row["label"], **told, "claims": report["claims"]}) + "\n"


if __name__ == "__main__":
    main()
