"""What `veridic check` says of 60 claims on six invented documents: clauses, pronouns, several values in a sentence.

Run from a checkout: `python -m veridic_lab.benchmarks.checked [--file FILE] [--show]`. A claim is true, false, or
absent: the documents say nothing of it, or only report, suppose or deny it. Half of them were put aside while the rules
were made. `benchmarks/paired.jsonl` has 60 on ten documents of a marina, whose false ones say of one what is told of
another.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from veridic import Settings, check_graph
from veridic.knowledge.ingest import ingest
from veridic.resources import open_knowledge_base, open_resources

FILE = Path(__file__).with_suffix(".jsonl")
RIGHT = {"true": "supported", "false": "contradicted", "absent": "not_found"}
Row = dict[str, Any]


def main() -> None:
    """Print the verdicts by half and by truth, and those that are not right where that is asked."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--show", action="store_true", help="Print the claims that are judged otherwise")
    options.add_argument("--file", type=Path, default=FILE)
    chosen = options.parse_args()
    rows: list[Row] = [json.loads(line) for line in chosen.file.read_text(encoding="utf-8").splitlines()]
    documents, claims = ([row for row in rows if key in row] for key in ("document", "claim"))
    said = list(checked(documents, [row["claim"] for row in claims]))
    counted = Counter((row["aside"], row["truth"], one) for row, one in zip(claims, said, strict=True))
    for (aside, truth, one), number in sorted(counted.items()):
        sys.stdout.write(f"{'put aside' if aside else 'seen'}, {truth}: {number} {one}\n")
    for row, one in zip(claims, said, strict=True):
        if chosen.show and one != RIGHT[row["truth"]]:
            sys.stdout.write(f"  {row['truth']}, told {one}: {row['claim']}\n")


def checked(documents: Sequence[Row], claims: Sequence[str]) -> Iterator[str]:
    """What each claim comes to by these documents."""
    with TemporaryDirectory() as folder:
        for row in documents:
            Path(folder, f"{row['document']}.md").write_text(row["text"], encoding="utf-8")
        settings = Settings.load(kb=f"{folder}/kb.sqlite", docs="", model="extractive")
        resources = open_resources(settings)
        ingest([Path(folder, f"{row['document']}.md") for row in documents], open_knowledge_base(settings).corpus)
        graph = check_graph(resources)
        for claim in claims:
            yield graph.invoke({"text": claim})["report"]["outcome"]


if __name__ == "__main__":
    main()
