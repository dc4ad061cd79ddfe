"""What is told to questions on documents as people have them: handbooks, manuals, minutes, price lists, rules.

Run from a checkout: `python -m veridic_lab.benchmarks.own_documents [--file FILE] [--show]`. Twelve documents by one
hand, with 14 questions each: nine that the document answers, mostly in other words than its own, and five near misses
that none does. Right is what cites the place that answers and, where a short answer is given, gives it. Who answers
nothing has no right one, and who answers everything has 60 wrong ones.
"""

import argparse
from collections import Counter
from pathlib import Path

from veridic import Context
from veridic.ports.shapes import Result
from veridic.text.answers import tokens
from veridic_lab.benchmarks.asking import Row, holding, say
from veridic_lab.training.pairs import read_rows

FILE = Path(__file__).with_suffix(".jsonl")
MARKS = ("right", "wrong", "silent", "answered without an answer", "silent, rightly")
ENOUGH = 0.5
"""Share of the words of the place that answers from which it is cited: its sentences may be several."""


def main() -> None:
    """Count what is told, by kind of question."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--file", type=Path, default=FILE)
    options.add_argument("--strictness", choices=("loose", "normal", "strict"), default="normal")
    options.add_argument("--show", action="store_true", help="Print what is told to every question")
    chosen = options.parse_args()
    documents, context = list(read_rows(chosen.file)), Context(strictness=chosen.strictness)
    counted: Counter[tuple[str, str]] = Counter()
    with holding(files={f"{document['id']}.md": document["text"] for document in documents}) as held:
        for document, question in ((one, asked) for one in documents for asked in one["questions"]):
            result = held.asked(question["question"], context)
            said = mark(document, question, result)
            counted[question["kind"], said] += 1
            if chosen.show:
                told = " ".join(result["answer"].split())
                say(f"  {said} | {result['confidence'] or 0:.2f} | {question['question']} | {told[:200]}")
    for kind in dict.fromkeys(kind for kind, _ in sorted(counted)):
        say(f"{kind}: { {name: counted[kind, name] for name in MARKS if counted[kind, name]} }")
    say(f"all: { {name: sum(number for (_, one), number in counted.items() if one == name) for name in MARKS} }")


def mark(document: Row, question: Row, result: Result) -> str:
    """What a result is worth, by the place it cites and its short answer."""
    silent = result["outcome"] == "abstained"
    if question["kind"] == "none":
        return "silent, rightly" if silent else "answered without an answer"
    if silent:
        return "silent"
    cited = [place for sentence in result["sentences"] for place in sentence["citations"]]
    said = {one for place in cited for one in tokens(place["quote"])}
    wanted = tokens(question["evidence"])
    own = any(Path(place["url"]).stem == document["id"] for place in cited)
    cites = own and bool(wanted) and sum(one in said for one in wanted) >= ENOUGH * len(wanted)
    return "right" if cites and gives(question, result["short_answer"]) else "wrong"


def gives(question: Row, short: str) -> bool:
    """Whether a short answer, if there is any, is the one that is accepted."""
    if not short or question["kind"] == "why":
        return True
    accepted = question["answers"] or [question["kind"]]
    said = f" {' '.join(tokens(short))} "
    return any(f" {' '.join(tokens(one))} " in said or said.strip() in " ".join(tokens(one)) for one in accepted)


if __name__ == "__main__":
    main()
