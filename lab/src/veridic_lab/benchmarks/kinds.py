"""Questions of every kind, asked as a user asks them, with what came of each.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.kinds [--model NAME] [--kind KIND]`. The
questions stand in `questions_by_kind.jsonl`, written by somebody who had not seen the program: about `examples/`, and
about XQuAD's pages, one file a page. Prints each with its answer, then by kind how many were right, wrong and left
without an answer.
"""

import argparse
import json
import os
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from veridic.graph.builder import build_graph
from veridic.knowledge.ingest import ingest
from veridic.ports.shapes import Result
from veridic.resources import open_knowledge_base, open_resources
from veridic.settings import Settings
from veridic_lab.evaluation.answers import LONGEST_ALIAS_ANSWER, LONGEST_SHORT_ANSWER, holds_alias
from veridic_lab.training.pairs import find, read_rows

HERE = Path(__file__).parent
QUESTIONS = HERE / "questions_by_kind.jsonl"
EXAMPLES = HERE.parent / "examples"
Row = Mapping[str, Any]


def main() -> None:
    """Ask everything and count."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--model", default="extractive")
    options.add_argument("--kind")
    told = options.parse_args()
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines()]
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    with tempfile.TemporaryDirectory() as folder:
        folders = {"examples": EXAMPLES, "xquad": pages(Path(os.environ["VERIDIC_DATA"]), Path(folder) / "pages")}
        for name, documents in folders.items():
            own = [row for row in rows if row["docs"] == name and told.kind in (None, row["kind"])]
            for row, result in asked(own, documents, Path(folder) / f"{name}.sqlite", told.model):
                verdict = verdict_of(row, result)
                counts[row["kind"]][verdict] += 1
                sys.stdout.write(line_of(row, result, verdict))
    sys.stdout.write("\n| kind | right | wrong | no answer |\n|---|---|---|---|\n")
    for kind, found in counts.items():
        sys.stdout.write(f"| {kind} | {found['right']} | {found['wrong']} | {found['silent']} |\n")


def pages(data: Path, folder: Path) -> Path:
    """XQuAD's paragraphs as one Markdown file for each page."""
    folder.mkdir()
    for row in read_rows(find(data, "xquad_en.corpus")):
        page = folder / f"{row['title']}.md"
        if not page.exists():
            page.write_text(f"# {row['title'].replace('_', ' ')}\n", encoding="utf-8")
        with page.open("a", encoding="utf-8") as file:
            file.write(f"\n{row['text']}\n")
    return folder


def asked(rows: Sequence[Row], documents: Path, kb: Path, model: str) -> Iterator[tuple[Row, Result]]:
    """The results of the questions about one folder."""
    settings = Settings.load(kb=str(kb), docs="", model=model, write_back="off", sources=())
    ingest([documents], open_knowledge_base(settings).corpus)
    graph = build_graph(open_resources(settings))
    for row in rows:
        yield row, graph.invoke({"question": row["question"]})["result"]


def verdict_of(row: Row, result: Result) -> str:
    """`right`, `wrong`, or `silent` where an answer was due and none was given."""
    if right := SERVED.get(" ".join(row["expect"])):
        return "right" if right(result) else "wrong"
    silent = result["outcome"] == "abstained"
    if not row["expect"]:
        return "right" if silent else "wrong"
    return "silent" if silent else "right" if is_right(row, result) else "wrong"


SERVED: Mapping[str, Callable[[Result], bool]] = {
    "reply": lambda result: "retrieve" not in result["timings"] and result["outcome"] == "unverified",
    "look up": lambda result: "retrieve" in result["timings"],
    "decline": lambda result: result["outcome"] == "abstained",
    "list": lambda result: result["answer"].startswith("I hold"),
    "summary": lambda result: result["outcome"] != "abstained" and bool(result["sentences"]),
    "say so": lambda result: "English" in result["answer"],
}
"""What is expected of messages that are no questions for the documents."""


def is_right(row: Row, result: Result) -> bool:
    """Whether what was answered says what is expected: all of it of lists and parts, one of it elsewhere."""
    short, text, expected = result["short_answer"], result["answer"], row["expect"]
    if row["kind"] == "arithmetic":
        return holds_alias(text.replace(",", ""), expected)
    if row["kind"] == "list":
        return all(holds_alias(text, [item]) for item in expected)
    if row["kind"] == "two parts":
        whole = (result["outcome"] == "partial") == ("" in expected)
        return whole and all(holds_alias(short, [part]) for part in expected if part)
    if row["kind"] == "why how":
        return holds_alias(text, expected)
    longest = LONGEST_SHORT_ANSWER if short else LONGEST_ALIAS_ANSWER
    return len((short or text).split()) <= longest and holds_alias(short or text, expected)


def line_of(row: Row, result: Result, verdict: str) -> str:
    """A question and its answer, as a user sees it, on two lines."""
    sure = "" if result["confidence"] is None else f" {result['confidence']:.2f}"
    answer = " ⏎ ".join(line for line in result["answer"].splitlines() if line)
    return f"{verdict:<6} [{row['kind']}] {row['question']}\n       {result['outcome']}{sure}: {answer}\n"


if __name__ == "__main__":
    main()
