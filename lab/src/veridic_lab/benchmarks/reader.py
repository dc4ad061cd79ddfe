"""What the reader reads, given the text: rows it never learned from, beside the evaluator's usefulness.

Run from the checkout: `VERIDIC_DATA=… python -m veridic_lab.benchmarks.reader [--limit N]`. Prints Markdown tables:
exact match and F1 of spans, AUC of "there is an answer" (right text against one without), decisions, milliseconds for 8
passages.
"""

import argparse
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median

import numpy as np

from veridic.models.by_settings import open_judges, open_reader
from veridic.models.embedder import OnnxEmbedder
from veridic.ports.judging import Reader, RetrievalEvaluator
from veridic.settings import Settings
from veridic_lab.training.made import Passage, seeded
from veridic_lab.training.metrics import auc, balanced_accuracy
from veridic_lab.training.mining import Question
from veridic_lab.training.pairs import find, held_out, normalised, read_rows
from veridic_lab.training.reading.measuring import NEVER, decision, margin, measured
from veridic_lab.training.reading.rows import DECISIONS, Reading, read_readings, shown
from veridic_lab.training.reading.taken import cut_before
from veridic_lab.training.retrieval import pooled
from veridic_lab.training.sets import question_set

PASSAGES = 8
NEAREST = 3
LIMIT = 500
Rows = list[Reading]


def main() -> None:
    """Print every table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--limit", type=int, default=LIMIT, help="rows of a set, drawn with a fixed seed")
    limit = options.parse_args().limit
    data, settings = Path(os.environ["VERIDIC_DATA"]), Settings.load()
    reader, (evaluator, _) = open_reader(settings, calibrated=False), open_judges(settings)
    xquad, unseen = sampled(gold_rows(data, "xquad_en"), limit), sampled(unseen_rows(data), limit)
    print_spans(reader, {"xquad_en": xquad, "nq_gold, unseen": unseen})
    print_none(reader, evaluator, none_sets(data, xquad, limit))
    print_decisions(reader, sampled(pubmedqa_rows(data), limit))
    print_speed(reader, xquad)


def gold_rows(data: Path, name: str) -> Rows:
    """Every question of a set beside its gold passage, where an answer stands in it."""
    questions, corpus = question_set(data, name)
    found = (_row(one, corpus[one.gold[0]], name) for one in questions if one.gold and one.gold[0] in corpus)
    return [row for row in found if row.places]


def unseen_rows(data: Path) -> Rows:
    """The rows of Natural Questions that neither the judge nor the reader learned from."""
    return [row for row in read_readings(find(data, "nq_gold.reader")) if held_out(normalised(row.question))]


def pubmedqa_rows(data: Path) -> Rows:
    """Yes, no or maybe, with the whole abstract."""
    texts = {row["id"]: row["text"] for row in read_rows(find(data, "pubmedqa.corpus"))}
    kinds = {"yes": "yes", "no": "no", "maybe": "undecided"}
    return [
        Reading(row["question"], "", texts[row["gold_doc_ids"][0]], (), kinds[row["answers"][0]], "pubmedqa", row["id"])
        for row in read_rows(find(data, "pubmedqa.qa"))
    ]


def none_sets(data: Path, xquad: Rows, limit: int) -> Iterator[tuple[str, Rows, Rows]]:
    """Rows with an answer and rows without, by what makes them so."""
    rng = seeded(3)
    clapnq, texts = question_set(data, "clapnq")
    whole = [_whole(one, texts[one.gold[0]], "clapnq") for one in clapnq if one.gold and one.gold[0] in texts]
    yield "clapnq: unanswerable, near passage", *_sides(whole, [bool(one.answers) for one in clapnq if one.gold], limit)
    types = {row["question"]: row for row in read_rows(find(data, "mtrag.qa")) if not row["history"]}
    mtrag, texts = question_set(data, "mtrag")
    single = [one for one in mtrag if one.text in types]
    answered = [one for one in single if one.gold and types[one.text]["type"].endswith("/ANSWERABLE")]
    lacking = [one for one in single if types[one.text]["type"].endswith("/UNANSWERABLE")]
    near = _nearest(lacking, texts, 1)
    yield (
        "mtrag: unanswerable, best retrieved",
        *(
            [_whole(one, texts[one.gold[0]], "mtrag") for one in answered if one.gold[0] in texts][:limit],
            near,
        ),
    )
    questions, texts = question_set(data, "xquad_en")
    asked = {row.question for row in xquad}
    yield (
        "xquad: retrieved without the answer",
        xquad,
        _nearest([q for q in questions if q.text in asked], texts, NEAREST),
    )
    yield "xquad: cut before the answer", xquad, [cut for row in xquad if (cut := cut_before(row, rng))]


def _nearest(questions: Sequence[Question], texts: Mapping[str, Passage], count: int) -> Rows:
    """The passages that are retrieved for each question and hold none of its answers."""
    rows: Rows = []
    apart = [frozenset(question.gold) for question in questions]
    with pooled([texts], OnnxEmbedder()) as pool:
        near = pool.search([one.text for one in questions], without=apart, limit=count)
    for question, found in zip(questions, near, strict=True):
        rows += [_whole(question, texts[chunk.key], "retrieved") for chunk in found
                 if not question.answered_by(chunk.text)]  # fmt: skip
    return rows


def _row(question: Question, passage: Passage, source: str) -> Reading:
    text = " ".join(passage.sentences)
    places = [(at, at + len(one)) for one in question.answers if (at := text.find(one)) >= 0]
    return Reading(question.text, passage.title, text, tuple(places), "span", source, question.key)


def _whole(question: Question, passage: Passage, source: str) -> Reading:
    return Reading(question.text, passage.title, " ".join(passage.sentences), (), "none", source, question.key)


def _sides(rows: Rows, answered: Sequence[bool], limit: int) -> tuple[Rows, Rows]:
    return tuple(  # type: ignore[return-value]
        [row for row, one in zip(rows, answered, strict=False) if one is side][:limit] for side in (True, False)
    )


def sampled(rows: Rows, limit: int) -> Rows:
    """At most so many rows, drawn with a fixed seed."""
    return [rows[int(i)] for i in seeded(11).permutation(len(rows))[:limit]]


def print_spans(reader: Reader, sets: Mapping[str, Rows]) -> None:
    """Exact match and F1 given the gold passage."""
    say("| spans, gold passage given | n | exact match | F1 |", "|---|---|---|---|")
    for name, rows in sets.items():
        found = measured(reader, rows)
        say(f"| {name} | {len(rows)} | {found['exact_match']:.3f} | {found['f1']:.3f} |")


def print_none(reader: Reader, evaluator: RetrievalEvaluator, sets: Iterator[tuple[str, Rows, Rows]]) -> None:
    """How well each tells texts with an answer from texts without."""
    say(
        "",
        '| AUC of "there is an answer" | with | without | reader | usefulness | relevance |',
        "|---|---|---|---|---|---|",
    )
    for name, answered, lacking in sets:
        rows = [*answered, *lacking]
        pairs = [(row.question, shown(row)) for row in rows]
        truth = [True] * len(answered) + [False] * len(lacking)
        scores: list[Callable[[], Sequence[float]]] = [
            lambda pairs=pairs: [margin(one) for one in reader.read(pairs, deadline=NEVER)],  # type: ignore[misc]
            lambda pairs=pairs: evaluator.usefulness(pairs, deadline=NEVER),  # type: ignore[misc]
            lambda pairs=pairs: [one.probability for one in evaluator.score(pairs, deadline=NEVER)],  # type: ignore[misc]
        ]
        told = " | ".join(f"{auc(truth, score()):.3f}" for score in scores)
        say(f"| {name} | {len(answered)} | {len(lacking)} | {told} |")


def print_decisions(reader: Reader, rows: Rows) -> None:
    """PubMedQA with its abstract, beside always saying yes."""
    read = reader.read([(row.question, shown(row)) for row in rows], deadline=NEVER)
    truth = [DECISIONS.index(row.kind) for row in rows]
    say("", "| PubMedQA, abstract given | n | accuracy | balanced | macro-F1 |", "|---|---|---|---|---|")
    for name, guess in (("reader", [decision(one) for one in read]), ("always yes", [0] * len(rows))):
        right = float(np.mean(np.array(truth) == np.array(guess)))
        both = f"{balanced_accuracy(truth, guess):.3f} | {macro_f1(truth, guess):.3f}"
        say(f"| {name} | {len(rows)} | {right:.3f} | {both} |")


def macro_f1(truth: Sequence[int], guess: Sequence[int]) -> float:
    """The mean F1 of the classes that occur."""
    scores = []
    for one in set(truth):
        hit = sum(t == g == one for t, g in zip(truth, guess, strict=True))
        scores.append(2 * hit / (truth.count(one) + guess.count(one)) if hit else 0.0)
    return float(np.mean(scores))


def print_speed(reader: Reader, rows: Rows) -> None:
    """Milliseconds for 8 passages, each question beside its own and seven others."""
    times = []
    for at in range(12):
        chosen = [rows[(at + step) % len(rows)] for step in range(PASSAGES)]
        pairs = [(f"{rows[at].question} ({at})", shown(row)) for row in chosen]
        began = time.perf_counter()
        reader.read(pairs, deadline=NEVER)
        times.append(1000 * (time.perf_counter() - began))
    words = int(np.mean([len(row.text.split()) for row in rows]))
    say("", f"{PASSAGES} passages of {words} words on average: {median(times[2:]):.0f} ms (median of {len(times) - 2})")


def say(*lines: str) -> None:
    """Print at once, so that a long run shows where it is."""
    for line in lines:
        print(line, flush=True)  # noqa: T201 - what a benchmark is for


if __name__ == "__main__":
    main()
