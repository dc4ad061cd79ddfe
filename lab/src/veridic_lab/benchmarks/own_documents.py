"""What is told to questions on documents as people have them: handbooks, manuals, minutes, price lists, rules.

Run from a checkout: `python -m veridic_lab.benchmarks.own_documents [--file FILE] [--show]`. Twelve documents by one
hand, with 14 questions each: nine that the document answers, mostly in other words than its own, and five near misses
that none does. Right is what cites the place that answers and, where a short answer is given, gives it. Who answers
nothing has no right one, and who answers everything has 60 wrong ones.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from veridic import Context, Settings, build_graph
from veridic.knowledge.ingest import ingest
from veridic.ports.shapes import Result
from veridic.resources import open_knowledge_base
from veridic.text.answers import tokens

FILE = Path(__file__).with_suffix(".jsonl")
MARKS = ("right", "wrong", "silent", "answered without an answer", "silent, rightly")
Row = dict[str, Any]


def main() -> None:
    """Count what is told, by kind of question."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--file", type=Path, default=FILE)
    options.add_argument("--strictness", choices=("loose", "normal", "strict"), default="normal")
    options.add_argument("--show", action="store_true", help="Print what is told to every question")
    chosen = options.parse_args()
    documents: list[Row] = [json.loads(line) for line in chosen.file.read_text(encoding="utf-8").splitlines()]
    counted: Counter[tuple[str, str]] = Counter()
    for document, question, result in asked(documents, Context(write_back=False, strictness=chosen.strictness)):
        said = mark(document, question, result)
        counted[question["kind"], said] += 1
        if chosen.show:
            told = " ".join(result["answer"].split())
            sys.stdout.write(f"  {said} | {result['confidence'] or 0:.2f} | {question['question']} | {told[:200]}\n")
    for kind in dict.fromkeys(kind for kind, _ in sorted(counted)):
        told = {name: counted[kind, name] for name in MARKS if counted[kind, name]}
        sys.stdout.write(f"{kind}: {told}\n")
    told = {name: sum(number for (_, one), number in counted.items() if one == name) for name in MARKS}
    sys.stdout.write(f"all: {told}\n")


def asked(documents: Sequence[Row], context: Context) -> Iterator[tuple[Row, Row, Result]]:
    """Every question asked of all documents, without a chat model."""
    with TemporaryDirectory() as folder:
        for document in documents:
            Path(folder, f"{document['id']}.md").write_text(document["text"], encoding="utf-8")
        settings = Settings.load(kb=f"{folder}/kb.sqlite", docs="", model="extractive")
        ingest([Path(folder, f"{document['id']}.md") for document in documents], open_knowledge_base(settings).corpus)
        graph = build_graph(settings=settings)
        for document in documents:
            for question in document["questions"]:
                yield document, question, graph.invoke({"question": question["question"]}, context=context)["result"]


def mark(document: Row, question: Row, result: Result) -> str:
    """What a result is worth, by the place it cites and its short answer."""
    silent = result["outcome"] == "abstained"
    if question["kind"] == "none":
        return "silent, rightly" if silent else "answered without an answer"
    if silent:
        return "silent"
    said = {
        one for sentence in result["sentences"] for place in sentence["citations"] for one in tokens(place["quote"])
    }
    wanted = tokens(question["evidence"])
    own = any(
        Path(place["url"]).stem == document["id"] for sentence in result["sentences"] for place in sentence["citations"]
    )
    cites = own and bool(wanted) and sum(one in said for one in wanted) >= ENOUGH * len(wanted)
    return "right" if cites and gives(question, result["short_answer"]) else "wrong"


ENOUGH = 0.5
"""Share of the words of the place that answers from which it is cited: its sentences may be several."""


def gives(question: Row, short: str) -> bool:
    """Whether a short answer, if there is any, is the one that is accepted."""
    if not short or question["kind"] == "why":
        return True
    accepted = question["answers"] or [question["kind"]]
    said = f" {' '.join(tokens(short))} "
    return any(f" {' '.join(tokens(one))} " in said or said.strip() in " ".join(tokens(one)) for one in accepted)


if __name__ == "__main__":
    main()
