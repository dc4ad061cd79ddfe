"""The questions and statements of this folder, written without a look at the program, and what counts as right."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from veridic.graph.builder import build_graph
from veridic.ports.shapes import Result
from veridic.runtime.run import Resources
from veridic.text.answers import holds_alias, tokens
from veridic_lab.evaluation.answers import LONGEST_ALIAS_ANSWER

HERE = Path(__file__).parent
EXAMPLES = HERE.parent.parent / "examples"
FOLDERS = (HERE / "documents", EXAMPLES)
LONGEST = 12
"""Words of a short answer, at most."""

VERIFIED = ("accepted", "corrected", "partial")

Row = dict[str, Any]


def rows(name: str) -> list[Row]:
    """The rows of `questions` or `statements`."""
    return [json.loads(line) for line in (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def judged(resources: Resources, questions: Sequence[Row]) -> Iterator[tuple[Row, Result, str]]:
    """Each question with its result and `right`, `wrong` or `silent`."""
    graph = build_graph(resources)
    for row in questions:
        result = graph.invoke({"question": row["question"]})["result"]
        silent = result["outcome"] == "abstained"
        right = row["answerable"] and not silent and is_right(row, result)
        yield row, result, "silent" if silent else "right" if right else "wrong"


def counted(found: Sequence[tuple[Row, Result, str]]) -> dict[str, float]:
    """Shares: right of what can be answered, wrong of all and of these verified, silent where there is no answer."""
    can = Counter(verdict for row, _, verdict in found if row["answerable"])
    cannot = Counter(verdict for row, _, verdict in found if not row["answerable"])
    verified = [verdict for _, result, verdict in found if result["outcome"] in VERIFIED]
    return {
        "right of answerable": can["right"] / can.total(),
        "wrong of all": (can["wrong"] + cannot["wrong"]) / len(found),
        "wrong and verified": verified.count("wrong") / len(found),
        "silent of unanswerable": cannot["silent"] / cannot.total(),
    }


def is_right(row: Row, result: Result) -> bool:
    """Whether the short answer, or the text where there is none, says what the row accepts.

    Where neither yes nor no is told the sentence that decides is right, which the row quotes.
    """
    short, text = result["short_answer"], result["answer"]
    if row.get("parts"):
        return all(holds_alias(short, accepted) for accepted in row["parts"])
    if row.get("items"):
        return all(holds_alias(text, accepted) for accepted in row["items"])
    if row["kind"] == "why-how":
        return holds_alias(text, row["answers"])
    if row["kind"] == "yes-no":
        return short.lower() == row["answers"][0] if short else row["evidence"] in " ".join(text.split())
    longest = LONGEST if short else LONGEST_ALIAS_ANSWER
    return len(tokens(short or text)) <= longest and holds_alias(short or text, row["answers"])
