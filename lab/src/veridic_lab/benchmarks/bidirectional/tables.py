"""The tables of the experiment, beside those of the paper."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import mean, pstdev

from veridic_lab.evaluation.journal import Row
from veridic_lab.evaluation.remembering import Distance, Pollution, is_covered

FIRST, AGAIN, TEST = "first", "again", "test"
"""The phases; `first` is the traffic."""
HELD, RECORD, DONE = "held", "record ", "done"
"""Rows beside those of questions: what the knowledge base came to, each live record, the end."""
DISTANCES: tuple[Distance, ...] = ("squared L2", "cosine")
PAPER = {
    "standard_rag": "20.33 ± 35.22 | 0 | 58.26 ± 8.21 | 31.9",
    "naive_write_back": "70.50 ± 34.24 | 500 | 16.75 ± 9.69 | 54.1",
    "bidirectional_rag": "40.58 ± 28.54 | 140 | 33.03 ± 6.10 | 71.0",
}
"""Table I: coverage, growth, citation F1, latency."""
LEFT_OUT = """The paper's numbers are told beside ours, not compared: its corpus, its generator (llama3.2:3b) and its \
questions are other ones; it leaves out which distance it counts, over what, what a citation's gold is, how its test \
questions relate to the traffic, whether what was learned is true, and accuracy. A record cited counts as a wrong \
document; `F1, followed` counts what it rests on. Coverage is of questions that nobody asked before, but for `asked \
again`."""


@dataclass(frozen=True)
class Piece:
    """One system on one set with one seed and one writer."""

    set: str
    system: str
    seed: int
    writer: str

    @property
    def name(self) -> str:
        """Names its files."""
        return f"{self.writer.replace(':', '-')}-{self.set}-{self.system}-{self.seed}"


Made = tuple[Piece, list[Row]]
"""A piece with its rows."""


def report(made: Sequence[Made]) -> str:
    """All tables, writer by writer."""
    lines: list[str] = []
    for writer in dict.fromkeys(piece.writer for piece, _ in made):
        own = [one for one in made if one[0].writer == writer]
        lines += [f"\n### {writer}\n", *_overall(own), "", *_by_set(own)]
    return "\n".join([*lines, "", LEFT_OUT])


def _overall(made: Sequence[Made]) -> Iterator[str]:
    """Table I: means over sets and seeds."""
    measures: dict[str, Callable[[list[Row]], float | None]] = {
        "coverage, squared L2": lambda rows: coverage(rows, "squared L2"),
        "coverage, cosine": lambda rows: coverage(rows, "cosine"),
        "growth": lambda rows: next((float(one["documents"]) for one in _of(rows, HELD)), None),
        "citation F1": lambda rows: _mean(100 * one["f1"] for one in _of(rows, TEST)),
        "F1, followed": lambda rows: _mean(100 * one["f1_human"] for one in _of(rows, TEST)),
        "seconds": lambda rows: _mean(one["seconds"] for one in _of(rows, TEST)),
    }
    yield f"| system | {' | '.join(measures)} | paper: coverage | growth | F1 | seconds |"
    yield "|---" * (len(measures) + 5) + "|"
    for system in dict.fromkeys(piece.system for piece, _ in made):
        own = [rows for piece, rows in made if piece.system == system]
        cells = [_spread([measure(rows) for rows in own]) for measure in measures.values()]
        yield f"| `{system}` | {' | '.join(cells)} | {PAPER.get(system, '- | - | - | -')} |"


def _by_set(made: Sequence[Made]) -> Iterator[str]:
    """Coverage, answers and records of each set; long answers are counted and not judged."""
    yield "| set | system | coverage asked again | first | again | test | records | false by gold | planted |"
    yield "|---" * 9 + "|"
    for name, system in dict.fromkeys((piece.set, piece.system) for piece, _ in made):
        rows = [row for piece, own in made if (piece.set, piece.system) == (name, system) for row in own]
        covered = ", ".join(_percent(coverage(rows, kind, AGAIN)) for kind in DISTANCES)
        told = " | ".join(_outcomes(_of(rows, phase)) for phase in (FIRST, AGAIN, TEST))
        held = [one for one in rows if one["system"].startswith(RECORD)]
        judged = [one for one in held if one["false"] is not None]
        false = Pollution(sum(one["false"] for one in judged), len(judged), sum(one["part"] for one in judged))
        planted = Pollution(sum(one["planted"] for one in held), len(held))
        yield f"| {name} | `{system}` | {covered} | {told} | {len(held)} | {false} | {planted} |"


def _outcomes(rows: Sequence[Row]) -> str:
    judged = Counter(one["right"] for one in rows if one["kind"] != "long")
    long = Counter(one["right"] >= 0 for one in rows if one["kind"] == "long")
    told = [f"{judged[1]} / {judged[0]} / {judged[-1]}"] if judged else []
    return "; ".join(told + ([f"{long[True]} long answers, {long[False]} silent"] if long else [])) or "-"


def coverage(rows: Sequence[Row], kind: Distance, phase: str = TEST) -> float | None:
    """Equation 1, in percent."""
    near = (max((one for one in row["near"] if one is not None), default=None) for row in _of(rows, phase))
    return _mean(100 * is_covered(one, kind) for one in near)


def _of(rows: Iterable[Row], phase: str) -> list[Row]:
    return [row for row in rows if row["system"] == phase]


def _mean(values: Iterable[float]) -> float | None:
    known = list(values)
    return mean(known) if known else None


def _spread(values: Sequence[float | None]) -> str:
    known = [one for one in values if one is not None]
    return f"{mean(known):.1f} ± {pstdev(known):.1f}" if known else "-"


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}"
