"""What the reader reads, given the text: rows it never learned from, beside the evaluator's usefulness.

Run from the checkout: `VERIDIC_DATA=… python -m veridic_lab.benchmarks.reader [--limit N]`. Prints Markdown tables:
exact match and F1 of spans, AUC of "there is an answer" (right text against one without), decisions.
"""

import argparse
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from veridic.models.embedder import OnnxEmbedder
from veridic.models.fitting import auc
from veridic.models.judges import open_judges
from veridic.models.readers import open_reader
from veridic.ports.judging import Reader, RetrievalEvaluator
from veridic.settings import Settings
from veridic_lab.benchmarks.asking import say
from veridic_lab.training.made import Passage, seeded
from veridic_lab.training.mining import Question
from veridic_lab.training.pairs import find, held_out, normalised, read_rows
from veridic_lab.training.reading.measuring import NEVER, margin, measured
from veridic_lab.training.reading.rows import Kind, Reading, read_readings, shown
from veridic_lab.training.reading.taken import cut_before
from veridic_lab.training.retrieval import pooled
from veridic_lab.training.sets import question_set

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
    rows = sampled(pubmedqa_rows(data), limit)
    say("", f"PubMedQA, abstract given: {len(rows)} rows, balanced accuracy {measured(reader, rows)['decision']:.3f}")


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
    kinds: dict[str, Kind] = {"yes": "yes", "no": "no", "maybe": "undecided"}
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


if __name__ == "__main__":
    main()
