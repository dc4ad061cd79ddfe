"""How the small and the base judge read, given the text: XQuAD, unseen rows of other sets, and both measures.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.readers`. It prints a line for each set and
reader: exact match and F1 of spans, AUC of "there is an answer", balanced accuracy of yes and no.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from veridic.models.by_settings import open_reader
from veridic.ports.judging import Reader
from veridic.settings import Settings
from veridic_lab.benchmarks.asking import say
from veridic_lab.drafts.hands import documents
from veridic_lab.drafts.reading import readings_of
from veridic_lab.training.pairs import find, read_rows
from veridic_lab.training.reading.asked import held_out_readings
from veridic_lab.training.reading.measuring import measured
from veridic_lab.training.reading.rows import Reading

LIMIT = 500
"""Rows of a set."""
UNSEEN = ("nq_gold", "boolq", "condaqa")
TOKENS = 1_000_000
"""So many that base reads every row."""


def main() -> None:
    """Print the lines."""
    data = Path(os.environ["VERIDIC_DATA"])
    held = held_out_readings(data)
    sets: Mapping[str, Sequence[Reading]] = {
        "xquad_en": list(_xquad(data)),
        **{name: held[name] for name in UNSEEN},
        **{role: list(readings_of(documents(role))) for role in ("measure 1", "measure 2")},
    }
    for judges in ("small", "base"):
        reader: Reader = open_reader(Settings.load(judges=judges, base_tokens=TOKENS))
        for name, rows in sets.items():
            found = measured(reader, rows[:LIMIT])
            say(f"{judges}, {name}: " + ", ".join(f"{key} {value:.3f}" for key, value in found.items()))


def _xquad(data: Path) -> Iterator[Reading]:
    """Its questions beside their passages; nothing is learned from them."""
    texts = {row["id"]: row for row in read_rows(find(data, "xquad_en.corpus"))}
    for row in read_rows(find(data, "xquad_en.qa")):
        passage, answer = texts[row["gold_doc_ids"][0]], row["answers"][0]
        start = passage["text"].find(answer)
        if start >= 0:
            place = (start, start + len(answer))
            yield Reading(row["question"], passage["title"], passage["text"], (place,), "span", "xquad_en", row["id"])


if __name__ == "__main__":
    main()
