"""The tables of `benchmarks.bidirectional`, beside those of the paper."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import mean, median, pstdev

from veridic_lab.benchmarks.bidirectional_piece import AGAIN, BEFORE, FIRST, FORGETFUL, HELD, REWORDED, TEST, Piece
from veridic_lab.evaluation.bootstrap import Interval
from veridic_lab.evaluation.journal import Row
from veridic_lab.evaluation.remembering import Distance, Pollution, difference, is_covered

Made = tuple[Piece, list[Row]]
"""A piece with its rows."""
PLAIN = "standard_rag"
DISTANCES: tuple[Distance, ...] = ("squared L2", "cosine")
PAPER = {
    "standard_rag": "20.33 ± 35.22 | 0 | 58.26 ± 8.21 | 31.9",
    "naive_write_back": "70.50 ± 34.24 | 500 | 16.75 ± 9.69 | 54.1",
    "bidirectional_rag": "40.58 ± 28.54 | 140 | 33.03 ± 6.10 | 71.0",
}
"""Table I: coverage, growth, citation F1, latency."""
PAPER_BY_SET = {
    "standard_rag": {"nq_gold": "0.0", "hotpotqa": "0.0", "stackexchange": "81.3"},
    "naive_write_back": {"nq_gold": "99.0", "hotpotqa": "42.3", "stackexchange": "97.0"},
    "bidirectional_rag": {"nq_gold": "37.0", "hotpotqa": "20.7", "stackexchange": "84.3"},
}
"""Table II; its Stack Overflow beside our StackExchange. TriviaQA is not here, PubMedQA not there."""
LEFT_OUT = """The paper's numbers are told beside ours, not compared: its corpus, its generator (llama3.2:3b) and its \
questions are other ones; it leaves out which distance it counts, over what, what a citation's gold is, how its test \
questions relate to the traffic, whether what was learned is true, and accuracy. A record cited counts as a wrong \
document; `F1, followed` counts what it rests on. Coverage is of questions that nobody asked before, but for `asked \
again`. Without a short answer the whole text is judged, right where an accepted answer stands anywhere in 40 words; \
what is pasted without one counts as false though a document says so: see token F1."""


def report(made: Sequence[Made]) -> str:
    """All tables, writer by writer."""
    writers = dict.fromkeys(piece.writer for piece, _ in made)
    parts = [_of_writer(writer, [one for one in made if one[0].writer == writer]) for writer in writers]
    return "\n".join([*parts, "", LEFT_OUT])


def _of_writer(writer: str, made: Sequence[Made]) -> str:
    lines = [f"\n### {writer}\n", *_overall(made), "", *_by_set(made), "", *_answers(made), "", *_memory(made)]
    return "\n".join([*lines, "", *_differences(made), "", *_refusals(made)])


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield "|---" * len(head) + "|"
    yield from (f"| {' | '.join(row)} |" for row in rows)


def _overall(made: Sequence[Made]) -> Iterator[str]:
    """Table I."""
    head = ["system", *(f"coverage, {kind}" for kind in DISTANCES), "the text alone, squared L2", "growth",
            "citation F1", "F1, followed", "seconds", "paper: coverage", "growth", "F1", "seconds"]  # fmt: skip
    yield from _table(
        head, (_overall_row(name, [one for one in made if one[0].system == name]) for name in _systems(made))
    )


def _overall_row(name: str, made: Sequence[Made]) -> list[str]:
    def over(value: Callable[[list[Row]], float | None], scale: float = 100) -> str:
        found = [scale * one for _, rows in made if (one := value(rows)) is not None]
        return f"{mean(found):.1f} ± {pstdev(found):.1f}" if found else "-"

    covered = [over(lambda rows, kind=kind: coverage(rows, kind)) for kind in DISTANCES]  # type: ignore[misc]
    return [
        f"`{name}` ({len(made)})",
        *covered,
        over(lambda rows: coverage(rows, "squared L2", form=1)),
        over(growth, 1),
        over(lambda rows: _mean(one["f1"] for one in _of(rows, TEST))),
        over(lambda rows: _mean(one["f1_human"] for one in _of(rows, TEST))),
        over(lambda rows: _mean(one["seconds"] for one in _of(rows, TEST)), 1),
        *PAPER.get(name, "- | - | - | -").split(" | "),
    ]


def _by_set(made: Sequence[Made]) -> Iterator[str]:
    """Table II, by squared L2 and by cosine, of new questions and of those asked again; the paper's in brackets."""
    sets = list(dict.fromkeys(piece.set for piece, _ in made))

    def cell(system: str, name: str, phase: str) -> str:
        rows = [rows for piece, rows in made if (piece.system, piece.set) == (system, name)]
        values = [_mean(coverage(one, kind, phase=phase) for one in rows) for kind in DISTANCES]
        paper = f" ({PAPER_BY_SET.get(system, {}).get(name, '-')})" if phase == TEST else ""
        return f"{', '.join(_percent(one) for one in values)}{paper}"

    head = [f"{name}{again}" for name in sets for again in ("", ", asked again")]
    yield from _table(
        ["coverage, %, squared L2 and cosine", *head],
        (
            [f"`{system}`", *(cell(system, name, phase) for name in sets for phase in (TEST, AGAIN))]
            for system in _systems(made)
        ),
    )


def _answers(made: Sequence[Made]) -> Iterator[str]:
    """Right, wrong and silent, in the phases; long answers are counted and not judged."""
    phases = (BEFORE, TEST, FIRST, AGAIN, FORGETFUL, REWORDED)
    head = [
        "set",
        "system",
        *(f"{phase}: right / wrong / silent" for phase in phases),
        "token F1, test",
        "told from memory: again, reworded, test",
    ]

    def row(name: str, system: str, rows: Sequence[Row]) -> list[str]:
        told = [f"{sum('told_from' in one for one in _of(rows, phase))}" for phase in (AGAIN, REWORDED, TEST)]
        f1 = _percent(_mean(one["token_f1"] for one in _of(rows, TEST) if "kind" not in one))
        return [name, f"`{system}`", *(_outcomes(_of(rows, phase)) for phase in phases), f1, ", ".join(told)]

    yield from _table(head, (row(*key, rows) for key, rows in _joined(made)))


def _outcomes(rows: Sequence[Row]) -> str:
    judged = Counter(one["right"] for one in rows if one.get("kind") != "long")
    long = Counter(one["right"] >= 0 for one in rows if one.get("kind") == "long")
    told = [f"{judged[1]} / {judged[0]} / {judged[-1]}"] if judged else []
    return "; ".join(told + ([f"{long[True]} long answers, {long[False]} silent"] if long else [])) or "-"


def _memory(made: Sequence[Made]) -> Iterator[str]:
    """What was learned, how much of it is false, and what asking again costs."""
    head = ["set", "system", "records", "status", "false by gold", "planted, by construction",
            "seconds p50: first", "again", "again, forgetful"]  # fmt: skip

    def row(name: str, system: str, rows: Sequence[Row]) -> list[str]:
        held = [one for one in rows if one["system"].startswith("record ")]
        judged = [one for one in held if one["false"] is not None]
        planted = any("planted" in one for one in _of(rows, FIRST))
        status = sum((Counter(one["by_status"]) for one in _of(rows, HELD)), Counter[str]())
        again = {one["question"]["id"] for one in _of(rows, AGAIN)}
        times = [
            [one["seconds"] for one in _of(rows, phase) if one["question"]["id"] in again]
            for phase in (FIRST, AGAIN, FORGETFUL)
        ]
        return [
            name,
            f"`{system}`",
            str(len(held)),
            ", ".join(f"{number} {of}" for of, number in status.items()) or "-",
            str(Pollution(sum(one["false"] for one in judged), len(judged), sum(one["part"] for one in judged))),
            str(Pollution(sum(one["planted"] for one in held), len(held))) if planted else "nothing planted",
            *(f"{median(one):.2f}" if one else "-" for one in times),
        ]

    yield from _table(head, (row(*key, rows) for key, rows in _joined(made)))


def _differences(made: Sequence[Made]) -> Iterator[str]:
    """Against plain RAG, the same questions: coverage and citation F1."""
    head = [
        "against plain RAG, all sets and seeds",
        "n",
        *(f"coverage, {kind}" for kind in DISTANCES),
        "citation F1",
        "F1, followed",
    ]
    values: list[Callable[[Row], float]] = [
        *(lambda row, kind=kind: float(is_covered(_nearest(row), kind)) for kind in DISTANCES),
        lambda row: float(row["f1"]),
        lambda row: float(row["f1_human"]),
    ]
    plain, groups = _by_question(made, PLAIN), {}
    for key, row in plain.items():
        groups[key] = row["group"]

    def cells(system: str) -> Iterator[str]:
        own = _by_question(made, system)
        yield from (f"`{system}`", str(len(own.keys() & plain.keys())))
        for value in values:
            one, other = ({key: value(row) for key, row in rows.items()} for rows in (own, plain))
            yield _shown(difference(one, other, groups))

    yield from _table(head, (list(cells(system)) for system in _systems(made) if system != PLAIN))


def _refusals(made: Sequence[Made]) -> Iterator[str]:
    """Which gate was shut how often, in the traffic."""
    for (name, system), rows in _joined(made):
        shut = Counter(one["learned"]["shut"] for one in _of(rows, FIRST) if "shut" in one.get("learned", {}))
        if shut:
            told = "; ".join(f"{reason} {number}" for reason, number in shut.most_common())
            yield f"- {name}, `{system}`, not learned: {told}"


def coverage(rows: Sequence[Row], kind: Distance, form: int = 0, phase: str = TEST) -> float | None:
    """Equation 1; `form` 1 is of the texts without what they stand under."""
    return _mean(is_covered(_nearest(row, form), kind) for row in _of(rows, phase))


def growth(rows: Sequence[Row]) -> float | None:
    """Documents added; None of a floor, which was asked nothing."""
    return next((float(one["documents"]) for one in _of(rows, HELD)), None)


def _nearest(row: Row, form: int = 0) -> float | None:
    return max((one for one in row["near"][form::2] if one is not None), default=None)


def _of(rows: Iterable[Row], phase: str) -> list[Row]:
    return [row for row in rows if row["system"] == phase]


def _joined(made: Sequence[Made]) -> Iterator[tuple[tuple[str, str], list[Row]]]:
    """By set and system the rows of all seeds."""
    for key in dict.fromkeys((piece.set, piece.system) for piece, _ in made):
        yield key, [row for piece, rows in made if (piece.set, piece.system) == key for row in rows]


def _by_question(made: Sequence[Made], system: str) -> dict[str, Row]:
    """The test's rows of a system, by set, seed and question."""
    return {
        f"{piece.set} {piece.seed} {row['question']['id']}": row
        for piece, rows in made
        if piece.system == system
        for row in _of(rows, TEST)
    }


def _systems(made: Sequence[Made]) -> list[str]:
    return list(dict.fromkeys(piece.system for piece, _ in made))


def _mean(values: Iterable[float | None]) -> float | None:
    known = [float(one) for one in values if one is not None]
    return mean(known) if known else None


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def _shown(found: Interval | None) -> str:
    return "-" if found is None else f"{found.value:+.3f} [{found.low:+.3f}, {found.high:+.3f}]"
