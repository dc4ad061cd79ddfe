"""Bidirectional RAG's experiment: what write-back brings and what it spoils, with the paper's own measures beside gold.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.bidirectional --out DIR [--sets a,b] [--systems
a,b] [--seeds 42,43,44] [--writers extractive,scripted:0.3] [--quick] [--dry-run]`. A piece is one system on one set
with one seed: 400 questions of traffic that it may learn from (HotpotQA 300), then 100 others that no judge has seen,
50 of the traffic word for word, and in other words. What is finished is not made again, what was interrupted goes on.
`--report` prints the tables of what is there, `--keep` puts the rows into `benchmarks/runs/bidirectional`. Quick: 20
questions.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

from veridic_lab.benchmarks.bidirectional_piece import Piece, forget, made, parts_done, rows_of
from veridic_lab.benchmarks.bidirectional_tables import report
from veridic_lab.benchmarks.pieces import RUNS
from veridic_lab.benchmarks.traffic import SETS, TEST, TRAFFIC, unseen_of
from veridic_lab.evaluation.baselines import FLOORS
from veridic_lab.evaluation.cost import in_words
from veridic_lab.evaluation.journal import rows_in

SYSTEMS = ("standard_rag", "naive_write_back", "bidirectional_rag", "veridic", "always_abstains", "pastes_best")
SEEDS, WRITERS = "42,43,44", "extractive,scripted:0.3"
AGAIN, QUICK, FEW_DOCUMENTS = 50, 20, 400
SECONDS = {"veridic": 0.6}
"""A question, about, on two cores; of the others `CHEAP`."""
CHEAP, OPENING = 0.15, 8.0
KEPT = RUNS / "bidirectional"


def main() -> None:
    """Make every piece that is not there, and print the tables."""
    told = _options().parse_args()
    data = Path(os.environ["VERIDIC_DATA"])
    if told.one:
        piece, part = Piece(**json.loads(told.one)), told.part
        made(data, told.out, piece, part, unseen_of(data, told.out)[piece.set])
        return
    pieces = list(chosen(told))
    if not told.report:
        waiting = [one for one in pieces if not parts_done(told.out, one).issuperset(one.parts)]
        cost = in_words(sum(map(seconds, waiting)))
        say(f"{len(waiting)} of {len(pieces)} pieces to make, about {cost} where two cores do nothing else")
        if told.dry_run:
            return
        unseen_of(data, told.out)
        for one in waiting:
            _make(told.out, one)
    if told.keep:
        _keep(told.out, pieces)
    there = [one for one in pieces if rows_of(told.out, one).exists()]
    say(report([(one, list(rows_in(rows_of(told.out, one)))) for one in there]))


def _options() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--sets", default=",".join(SETS))
    options.add_argument("--systems", default=",".join(SYSTEMS))
    options.add_argument("--seeds", help=f"by default {SEEDS}; of a scripted writer, and quick, the first alone")
    options.add_argument("--writers", help=f"by default {WRITERS}; quick, the first alone")
    options.add_argument("--quick", action="store_true")
    options.add_argument("--dry-run", action="store_true", help="Say what it costs, and make nothing")
    options.add_argument("--report", action="store_true", help="Print the tables of what is there, and make nothing")
    options.add_argument("--keep", action="store_true", help="Keep the rows in the checkout")
    options.add_argument("--one", help=argparse.SUPPRESS)
    options.add_argument("--part", type=int, help=argparse.SUPPRESS)
    return options


def chosen(told: argparse.Namespace) -> Iterator[Piece]:
    """The pieces, the first seed of all first."""
    writers = (told.writers or (WRITERS.partition(",")[0] if told.quick else WRITERS)).split(",")
    numbers = (QUICK, QUICK, QUICK // 2, FEW_DOCUMENTS) if told.quick else (TRAFFIC, TEST, AGAIN, None)
    seeds = [int(one) for one in (told.seeds or (SEEDS.partition(",")[0] if told.quick else SEEDS)).split(",")]
    for seed, writer, name, system in product(seeds, writers, told.sets.split(","), told.systems.split(",")):
        if writer == "extractive" or told.seeds or seed == seeds[0]:
            yield Piece(name, system, seed, writer, *numbers)


def seconds(piece: Piece) -> float:
    """About what it takes; taking the documents in, once a set, not counted."""
    each = SECONDS.get(piece.system, CHEAP)
    number = piece.test if piece.system in FLOORS else piece.asked + 2 * piece.test + 3 * piece.again
    return number * each + len(piece.parts) * OPENING


def _make(out: Path, piece: Piece) -> None:
    """The parts that are missing, each in a process that has computed nothing yet."""
    for part in sorted(set(piece.parts) - parts_done(out, piece)):
        command = [sys.executable, "-m", __spec__.name, "--out", str(out), "--one", piece.told(), "--part", str(part)]
        subprocess.run(command, check=True)  # noqa: S603 - ours
    forget(out, piece)
    say(f"made {piece.name}")


def _keep(out: Path, pieces: list[Piece]) -> None:
    """The rows of what is finished; the same rows give the same files."""
    KEPT.mkdir(parents=True, exist_ok=True)
    for one in pieces:
        if parts_done(out, one).issuperset(one.parts):
            packed = gzip.compress(rows_of(out, one).read_bytes(), mtime=0)
            (KEPT / f"{one.name}.jsonl.gz").write_bytes(packed)


def say(*lines: str) -> None:
    """Print lines at once."""
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
