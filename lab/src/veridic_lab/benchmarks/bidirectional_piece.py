"""One piece of `benchmarks.bidirectional`: one system on one set with one seed, in parts of a process each.

Part 0 asks the questions of the test before anything is learned, then the traffic. Part 1, which has computed nothing
of it before, asks some of the traffic again word for word, then the test, then the same traffic in other words; nothing
is learned from these. Part 2 asks that traffic again, in a process as fresh, without looking for earlier answers.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from veridic.graph.systems import SYSTEMS
from veridic_lab.benchmarks.learning import Asked, Learner, begun, record_rows, small_row
from veridic_lab.benchmarks.traffic import Traffic, base_of, fewer_documents, traffic
from veridic_lab.evaluation.baselines import FLOORS
from veridic_lab.evaluation.journal import Journal, Row, rows_in
from veridic_lab.evaluation.questions import GoldQuestion
from veridic_lab.evaluation.rewording import reworded
from veridic_lab.evaluation.sampling import by_lot
from veridic_lab.evaluation.scripted import script, share_of

BEFORE, FIRST, AGAIN, TEST, REWORDED, FORGETFUL = "before", "first", "again", "test", "reworded", "forgetful"
"""The phases; `first` is the traffic."""
HELD = "held"
"""The phase of the row that says what the knowledge base came to; beside it one a record."""
DONE = "done"
"""The phase of the row that ends a part, by the part's number."""


@dataclass(frozen=True)
class Piece:
    """What is asked of whom."""

    set: str
    system: str
    seed: int
    writer: str
    asked: int
    test: int
    again: int
    documents: int | None

    @property
    def name(self) -> str:
        """Names its files."""
        return f"{self.writer.replace(':', '-')}-{self.set}-{self.system}-{self.seed}-{self.asked}"

    @property
    def parts(self) -> tuple[int, ...]:
        """Which of the parts it has: a floor has neither traffic nor memory, and only ours can be told to forget."""
        if self.system in FLOORS:
            return (1,)
        return (0, 1, 2) if self.system == "veridic" else (0, 1)

    def told(self) -> str:
        """As a process of its own is told of it."""
        return json.dumps(asdict(self))


def rows_of(out: Path, piece: Piece) -> Path:
    """The file of its rows."""
    return out / "rows" / f"{piece.name}.jsonl"


def knowledge_of(out: Path, piece: Piece) -> Path:
    """Its knowledge base, which is there while it is not finished."""
    return out / "work" / f"{piece.name}.sqlite"


def parts_done(out: Path, piece: Piece) -> set[int]:
    """The parts that are finished; rows whose knowledge base is gone before the end are taken away."""
    rows = rows_of(out, piece)
    if not rows.exists():
        return set()
    done = {int(row["question"]["id"]) for row in rows_in(rows) if row["system"] == DONE}
    if not done.issuperset(piece.parts) and not knowledge_of(out, piece).exists():
        rows.unlink()
        return set()
    return done


def forget(out: Path, piece: Piece) -> None:
    """Remove its knowledge base and what lies beside."""
    own = knowledge_of(out, piece)
    for file in own.parent.glob(f"{own.name}*"):
        file.unlink()


def made(data: Path, out: Path, piece: Piece, part: int, unseen: frozenset[str]) -> None:
    """Go through a part; what has its row is not asked again."""
    chosen = traffic(data, piece.set, piece.seed, unseen, asked=piece.asked, test=piece.test)
    chosen = chosen if piece.documents is None else fewer_documents(chosen, piece.documents)
    kb = knowledge_of(out, piece)
    begun(kb, chosen.documents, base_of(out, chosen))
    journal = Journal(rows_of(out, piece))
    for row in _part(chosen, kb, piece, part, journal):
        journal.append(row)


def _part(chosen: Traffic, kb: Path, piece: Piece, part: int, journal: Journal) -> Iterator[Row]:
    again = by_lot(chosen.asked, piece.seed + 1)[: piece.again] if piece.system not in FLOORS else []
    if part == 0:
        if "write_back" in SYSTEMS[piece.system].wiring.follows:
            yield from _phase(_learner(chosen, kb, piece), BEFORE, chosen.test, journal)
        learner = _learner(chosen, kb, piece, learns=True)
        yield from _phase(learner, FIRST, chosen.asked, journal)
        yield from _remembered(learner, chosen, journal)
    elif part == 1:
        knowing = _learner(chosen, kb, piece)
        for phase, questions in ((AGAIN, again), (TEST, chosen.test), (REWORDED, _reworded(again, piece.seed))):
            yield from _phase(knowing, phase, questions, journal)
    else:
        yield from _phase(_learner(chosen, kb, piece, recollect=False), FORGETFUL, again, journal)
    yield {"question": {"id": str(part)}, "system": DONE}


def _learner(chosen: Traffic, kb: Path, piece: Piece, *, learns: bool = False, recollect: bool = True) -> Learner:
    share, questions = share_of(piece.writer), [*chosen.asked, *chosen.test]
    lines = {} if share is None else script(questions, chosen.texts, share=share, seed=piece.seed)
    system = piece.system if recollect or piece.system == "standard_rag" else f"{piece.system}:recollect=no"
    return Learner(kb, system, lines=lines, writer=piece.writer, learns=learns)


def _phase(learner: Learner, phase: str, questions: Sequence[GoldQuestion], journal: Journal) -> Iterator[Row]:
    """Each question that has no row; with the cosines of what was near where coverage is measured."""
    rests_on = learner.rests_on()
    for question in questions:
        if (question.id, phase) in journal:
            continue
        found = learner.ask(question)
        row = small_row(found, phase, rests_on)
        if phase in (BEFORE, TEST, AGAIN):
            row |= {"group": question.group, "near": _near(learner, found, question)}
            row["token_f1"] = round(found.score.f1, 3)
        yield row


def _near(learner: Learner, found: Asked, question: GoldQuestion) -> list[float | None]:
    """`Learner.nearest`; nothing where the run looked for nothing."""
    if not {"retrieve", "recollect"} & set(found.row["measured"]["steps"]):
        return [None] * 4
    return learner.nearest(question.text, learner.system.context.passages or found.result["analysis"]["passages"])


def _remembered(learner: Learner, chosen: Traffic, journal: Journal) -> Iterator[Row]:
    """Each live record, and what the knowledge base came to."""
    first = [row for row in rows_in(journal.path) if row["system"] == FIRST and row.get("learned", {}).get("id")]
    asked = {
        row["learned"]["id"]: (chosen.questions[row["question"]["id"]], "planted" in row and "told" in row)
        for row in reversed(first)
    }
    yield from record_rows(learner, asked)
    status = learner.corpus.status()
    held = {"documents": status.documents - len(chosen.documents), "by_status": learner.by_status()}
    chunks = {"active": status.active_chunks, "generated": status.generated_chunks, "waiting": status.waiting_chunks}
    yield {"question": {"id": ""}, "system": HELD, **held, **chunks}


def _reworded(questions: Sequence[GoldQuestion], seed: int) -> list[GoldQuestion]:
    """Those that a rule can say in other words, in these."""
    said = [(one, reworded(one.text, seed)) for one in questions]
    return [replace(one, text=other) for one, other in said if other]
