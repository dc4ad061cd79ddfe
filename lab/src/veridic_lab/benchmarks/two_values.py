"""Which of several values of one kind in a text is read for which question, on texts by other hands than the training.

Run from a checkout: `python -m veridic_lab.benchmarks.two_values [--reader FOLDER] [--show]`. Each text gives two to
four things a value; asked is after each of them, and now and then after another thing, of which it says nothing. What
always reads the first value is the floor. `told` asks the whole graph, of a knowledge base of these texts.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from veridic.knowledge.ingest import Text
from veridic.models.onnx_encoder import SHIPPED
from veridic.models.reader import OnnxReader
from veridic_lab.benchmarks.asking import Row, holding, say
from veridic_lab.training.pairs import read_rows

FILE = Path(__file__).with_suffix(".jsonl")
NEVER = float("inf")


def main() -> None:
    """Count what is read, and what is told."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--reader", type=Path, default=SHIPPED / "reader")
    options.add_argument("--show", action="store_true", help="Print what is told to every question")
    told = options.parse_args()
    cases = list(read_rows(FILE))
    for name, said in (
        ("first value", [min([case["answer"], *case["others"]], key=case["text"].index) for case in cases]),
        ("read", list(read(cases, OnnxReader(told.reader)))),
        ("told", list(asked(cases, told.reader))),
    ):
        say(f"{name}: {dict(Counter(map(mark, cases, said)))}")
        if told.show:
            for case, one in zip(cases, said, strict=True):
                say(f"  {mark(case, one)} | {case['question']} | {one} | {case['answer']}")


def mark(case: Row, said: str) -> str:
    """Right with the value and no other one, wrong with another; what gives several gives none."""
    others = [other for other in case["others"] if other in said]
    if not said:
        return "silent" if case["answer"] else "silent, rightly"
    if not case["answer"]:
        return "answered without an answer"
    right = case["answer"] in said
    return "several" if right and others else "right" if right else "wrong"


def read(cases: Sequence[Row], reader: OnnxReader) -> Iterator[str]:
    """The likeliest span of each text, whatever its margin, where that is above "no answer here"."""
    pairs = [(case["question"], f"\n{case['text']}") for case in cases]
    for (_, text), found in zip(pairs, reader.read(pairs, deadline=NEVER), strict=True):
        best = found.spans[0] if found.spans else None
        yield text[best.start : best.end] if best and best.margin > 0 else ""


def asked(cases: Sequence[Row], reader: Path) -> Iterator[str]:
    """The short answer, or the answer, of the whole graph; empty where it abstains."""
    texts = dict.fromkeys(case["text"] for case in cases)
    with holding([Text(str(at), "", text) for at, text in enumerate(texts)], reader=str(reader)) as held:
        for case in cases:
            result = held.asked(case["question"])
            yield "" if result["outcome"] == "abstained" else result["short_answer"] or result["answer"]


if __name__ == "__main__":
    main()
