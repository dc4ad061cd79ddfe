"""What LangGraph's checkpoints of a run take in PostgreSQL, and what is left after `prune`.

Run from a checkout: `python -m veridic_lab.benchmarks.checkpoints --out DIR [--runs 20]`. Each run is a thread of its
own over the examples. Bytes are those of the rows, as they are stored.
"""

from __future__ import annotations

import argparse
import time
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import psycopg
from langgraph.checkpoint.postgres import PostgresSaver

from veridic import Settings, build_graph
from veridic.resources import open_resources
from veridic_lab.benchmarks.asking import say
from veridic_lab.benchmarks.postgres import database, serving

EXAMPLES = Path(__file__).parents[4] / "examples"
QUESTIONS = (
    "When was the Halden Ridge Observatory founded, and by whom?",
    "What does an adult ticket cost?",
    "Who painted the ceiling of the Halden Ridge Observatory?",
)
TABLES = ("checkpoints", "checkpoint_blobs", "checkpoint_writes")


def main() -> None:
    """Run, weigh, prune, weigh."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--runs", type=int, default=20)
    told = options.parse_args()
    told.out.mkdir(parents=True, exist_ok=True)
    with serving(told.out / "postgres") as address:
        place = database(address, f"checkpoints_{int(time.time())}")
        with PostgresSaver.from_conn_string(place) as saver:
            saver.setup()
            settings = Settings.load(kb=place, model="extractive", docs=str(EXAMPLES))
            graph = build_graph(open_resources(settings), checkpointer=saver)
            threads = [str(number) for number in range(told.runs)]
            for thread, question in zip(threads, islice(cycle(QUESTIONS), told.runs), strict=True):
                config: Any = {"configurable": {"thread_id": thread}}
                graph.invoke({"question": question}, config)
            before = _weighed(place)
            began = time.perf_counter()
            saver.prune(threads)
            took = 1000 * (time.perf_counter() - began)
            after = _weighed(place)
    for name in (*TABLES, "decisions"):
        say(f"{name}: {before[name] / told.runs / 1000:.1f} kB a run, after prune {after[name] / told.runs / 1000:.1f}")
    say(f"prune of {told.runs} threads: {took:.0f} ms")


def _weighed(place: str) -> dict[str, int]:
    """Bytes of the rows of each table, and of the decision log beside them."""
    with psycopg.connect(place) as connection:
        names = {**{name: name for name in TABLES}, "decisions": "veridic.decisions"}
        sums = {
            name: f"SELECT coalesce(sum(pg_column_size(t.*)), 0)::bigint FROM {table} AS t"
            for name, table in names.items()
        }
        return {name: connection.execute(query.encode()).fetchone()[0] for name, query in sums.items()}  # type: ignore[index]


if __name__ == "__main__":
    main()
