"""What `veridic check` says of 60 claims on six invented documents: clauses, pronouns, several values in a sentence.

Run from a checkout: `python -m veridic_lab.benchmarks.checked [--file FILE] [--show]`. A claim is true, false, or
absent: the documents say nothing of it, or only report, suppose or deny it. Half of them were put aside while the rules
were made. `paired.jsonl`, beside this file, has 60 on ten documents of a marina, whose false ones say of one what is
told of another; `composite.jsonl` has 100 of three statements each, one of them false in every second claim.
"""

import argparse
from collections import Counter
from pathlib import Path

from veridic import check_graph
from veridic_lab.benchmarks.asking import holding, say
from veridic_lab.training.pairs import read_rows

FILE = Path(__file__).with_suffix(".jsonl")
RIGHT = {"true": "supported", "false": "contradicted", "absent": "not_found"}


def main() -> None:
    """Print the verdicts by half and by truth, and those that are not right where that is asked."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--show", action="store_true", help="Print the claims that are judged otherwise")
    options.add_argument("--file", type=Path, default=FILE)
    chosen = options.parse_args()
    documents, claims = ([row for row in list(read_rows(chosen.file)) if key in row] for key in ("document", "claim"))
    with holding(files={f"{row['document']}.md": row["text"] for row in documents}) as held:
        graph = check_graph(held.resources)
        said = [graph.invoke({"text": row["claim"]})["report"]["outcome"] for row in claims]
    counted = Counter((row["aside"], row["truth"], one) for row, one in zip(claims, said, strict=True))
    for (aside, truth, one), number in sorted(counted.items()):
        say(f"{'put aside' if aside else 'seen'}, {truth}: {number} {one}")
    for row, one in zip(claims, said, strict=True):
        if chosen.show and one != RIGHT[row["truth"]]:
            say(f"  {row['truth']}, told {one}: {row['claim']}")


if __name__ == "__main__":
    main()
