"""How many follow-ups the rules make whole, without a chat model.

Run from a checkout: `python -m veridic_lab.benchmarks.followups`, with `-v` to see what is not right. `followups.jsonl`
holds short conversations, each with a last question and the forms of it that are right: `built on` and `set aside` were
written before the rules, `second set aside` when they stood, `alone` are questions that must stay as they are. The
parts `second built on` and `third set aside` have times, places, conditions, events, sources, and what has nothing to
do with the question before; the latter was not looked at until the rules for them stood. `fresh` are sixty of other
conversations, written without a look at the rules, by which it was decided which stay. The table is Markdown.
"""

import re
import sys
from collections import Counter
from functools import partial
from pathlib import Path

from veridic.models.embedder import OnnxEmbedder
from veridic.ports.embedding import cosines
from veridic.text.facts import words
from veridic.text.followups import Turn, leans_on_earlier, made_whole
from veridic_lab.benchmarks.asking import Row, say
from veridic_lab.training.pairs import read_rows

ROWS = Path(__file__).with_name("followups.jsonl")
_LEAD = re.compile(r"^(?:and|but|so|then|also),? ", re.IGNORECASE)


def outcome(row: Row, whole: str) -> str:
    """Right in any of the forms given, case, punctuation and a leading "and" aside; unchanged, or wrong."""
    if _plain(whole) in map(_plain, row["whole"]):
        return "right"
    return "unchanged" if whole == row["question"] else "wrong"


def _plain(question: str) -> list[str]:
    return words(_LEAD.sub("", question))


def main() -> None:
    """Print the table, and what is not right."""
    near = partial(cosines, OnnxEmbedder())
    counts: Counter[tuple[str, str]] = Counter()
    rows = list(read_rows(ROWS))
    for row in rows:
        turns, question = [Turn(*turn) for turn in row["turns"]], row["question"]
        whole = made_whole(question, turns, near) if leans_on_earlier(question) else question
        counts[row["part"], found := outcome(row, whole)] += 1
        if found != "right" and "-v" in sys.argv:
            say(f"{found}: {turns[-1].asked} {question} -> {whole}")
    say("| follow-ups | number | right | wrong | unchanged |", "|---|---|---|---|---|")
    for part in dict.fromkeys(row["part"] for row in rows):
        told = [counts[part, found] for found in ("right", "wrong", "unchanged")]
        say(f"| {part} | {sum(told)} | {' | '.join(map(str, told))} |")


if __name__ == "__main__":
    main()
