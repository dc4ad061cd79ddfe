"""Bidirectional RAG's experiment: what write-back brings and what it spoils, with the paper's own measures beside gold.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.bidirectional --out DIR [--sets a,b] [--systems
a,b] [--seeds 42,43,44] [--writers extractive,scripted:0.3] [--quick]`. A piece is one system on one set with one seed:
400 questions of traffic that it may learn from (HotpotQA 300), then 50 of the traffic word for word and 100 others that
no judge has seen, of which nothing is learned. What is finished is not made again, what was interrupted goes on.
`--report` prints the tables of what is there. Quick: 20 questions.
"""

import argparse
import os
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path

from veridic.knowledge.ingest import ingest_texts
from veridic.resources import open_knowledge_base
from veridic.settings import Settings
from veridic_lab.benchmarks.asking import say
from veridic_lab.benchmarks.bidirectional.learner import Learner
from veridic_lab.benchmarks.bidirectional.tables import AGAIN, DONE, FIRST, TEST, Piece, report
from veridic_lab.benchmarks.bidirectional.traffic import SETS, Traffic, traffic
from veridic_lab.evaluation.baselines import FLOORS
from veridic_lab.evaluation.journal import Journal, Row, rows_in
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.sampling import by_lot
from veridic_lab.evaluation.scripted import script, share_of

SYSTEMS = ("standard_rag", "naive_write_back", "bidirectional_rag", "veridic", "always_abstains", "pastes_best")
FULL, QUICK = (400, 100, 50, None), (20, 20, 10, 400)
"""Questions of traffic, of the test, asked again; documents at most."""


def main() -> None:
    """Make every piece that is not there, and print the tables."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--out", type=Path, required=True)
    options.add_argument("--sets", default=",".join(SETS))
    options.add_argument("--systems", default=",".join(SYSTEMS))
    options.add_argument("--seeds", default="42")
    options.add_argument("--writers", default="extractive,scripted:0.3")
    options.add_argument("--quick", action="store_true")
    options.add_argument("--report", action="store_true", help="Print the tables of what is there, and make nothing")
    told = options.parse_args()
    names = (told.seeds.split(","), told.writers.split(","), told.sets.split(","), told.systems.split(","))
    pieces = [Piece(name, system, int(seed), writer) for seed, writer, name, system in product(*names)]
    if not told.report:
        data = Path(os.environ["VERIDIC_DATA"])
        for one in pieces:
            make(data, told.out, one, QUICK if told.quick else FULL)
    there = [one for one in pieces if rows_of(told.out, one).exists()]
    say(report([(one, list(rows_in(rows_of(told.out, one)))) for one in there]))


def rows_of(out: Path, piece: Piece) -> Path:
    """The file of a piece's rows."""
    return out / "rows" / f"{piece.name}.jsonl"


def make(data: Path, out: Path, piece: Piece, numbers: tuple[int, int, int, int | None]) -> None:
    """Go through a piece; what has its row is not asked again, rows without their knowledge base are taken away."""
    journal, kb = Journal(rows_of(out, piece)), out / "work" / f"{piece.name}.sqlite"
    if ("", DONE) in journal:
        return
    if not kb.exists():
        journal.path.unlink()
        journal = Journal(journal.path)
    asked, test, again, documents = numbers
    chosen = traffic(data, piece.set, piece.seed, asked=asked, test=test, most=documents)
    kb.parent.mkdir(parents=True, exist_ok=True)
    knowledge = open_knowledge_base(Settings.load(kb=str(kb)))
    ingest_texts(chosen.documents, knowledge.corpus)
    knowledge.close()
    for row in rows(chosen, kb, piece, journal, again):
        journal.append(row)
    for file in kb.parent.glob(f"{kb.name}*"):
        file.unlink()
    say(f"made {piece.name}")


def rows(chosen: Traffic, kb: Path, piece: Piece, journal: Journal, again: int) -> Iterator[Row]:
    """The rows that are missing: the traffic, what was learned of it, what is asked afterwards, the end."""
    share, questions = share_of(piece.writer), [*chosen.asked, *chosen.test]
    lines = {} if share is None else script(questions, chosen.texts, share=share, seed=piece.seed)
    if piece.system not in FLOORS:
        learner = Learner(kb, piece.system, lines, piece.writer, learns=True)
        yield from phase(learner, FIRST, chosen.asked, journal)
        yield from learner.remembered(chosen.questions, len(chosen.documents), list(rows_in(journal.path)))
    knowing = Learner(kb, piece.system, lines, piece.writer, learns=False)
    repeated = [] if piece.system in FLOORS else by_lot(chosen.asked, piece.seed + 1)[:again]
    yield from phase(knowing, AGAIN, repeated, journal)
    yield from phase(knowing, TEST, chosen.test, journal)
    yield {"question": {"id": ""}, "system": DONE}


def phase(learner: Learner, name: str, questions: Sequence[GoldQuestion], journal: Journal) -> Iterator[Row]:
    """Each question that has no row; with the cosines of what was near where coverage is measured."""
    rests_on = learner.rests_on()
    for question in questions:
        if (question.id, name) not in journal:
            yield learner.row(question, name, rests_on, nearest=name != FIRST)


if __name__ == "__main__":
    main()
