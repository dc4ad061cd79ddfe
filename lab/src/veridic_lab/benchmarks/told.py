"""How sure the answers of a run were, and which were right: what the curve of `docs/results.md` is made of.

Run from a checkout, on the folder that `veridic eval run --out FOLDER` wrote: `python -m veridic_lab.benchmarks.told
FOLDER`. It keeps a few numbers a question beside the other kept runs, and draws the curve, for which `pip install
'lab[plots]'` brings matplotlib. `make docs` writes the tables.
"""

import argparse
from pathlib import Path

from veridic_lab.benchmarks.asking import say
from veridic_lab.evaluation.journal import rows_in
from veridic_lab.evaluation.told import keep, told_in
from veridic_lab.manual.curve import draw
from veridic_lab.manual.results import KEPT, PICTURE, floors


def main() -> None:
    """Keep and draw."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("run", type=Path, help="The folder of a run")
    rows = options.parse_args().run / "rows.jsonl"
    if not rows.exists():
        options.error(f"{rows} is not there. Name a folder that `veridic eval run --out` wrote.")
    if not (told := told_in(rows_in(rows))):
        options.error(f"No system in {rows} states a probability, so there is no curve. Run `veridic`, too.")
    keep(told, KEPT)
    draw(told, floors(), PICTURE)
    say(f"{len(told)} rows: {KEPT}, {PICTURE}")


if __name__ == "__main__":
    main()
