"""What the reader learns from: sets, weights, exclusions, made rows and held-out rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from veridic.ports.embedding import Embedder
from veridic.text.kinds import asks_yes_or_no
from veridic_lab.training.pairs import NLI_LABELS, Pair, find, normalised, read_rows
from veridic_lab.training.polar import asked_of
from veridic_lab.training.reading.contrasts import among, framed
from veridic_lab.training.reading.rows import Reading, read_readings, split
from veridic_lab.training.reading.taken import cut_before, cut_out, elsewhere, focused, left_open, shortened
from veridic_lab.training.retrieval import pooled
from veridic_lab.training.sets import LINKED, cut, labelled_files
from veridic_lab.training.tables import table
from veridic_lab.training.wording import Rng, seeded
from veridic_lab.training.written.documents import written_documents
from veridic_lab.training.written.found import found_for
from veridic_lab.training.written.readings import written_readings

SPANS = ("squadshifts_new_wiki", "squadshifts_amazon", "squadshifts_reddit", "qamr", "timeqa", "nq_gold", "qed")
POLAR = ("boolq", "condaqa", "strategyqa")
STATED = ("mnli", "snli", "scifact", "factcheck_gpt", "contract_nli")
"""Sets of statements that are asked about: entailed is yes, contradicted no, neutral undecided."""
WEIGHTS: Mapping[str, float] = table(__package__, "weights")["epoch"]
"""How much of a set an epoch shows."""

SPECIFIC = ("squadshifts_new_wiki", "nq_gold", "qed", "timeqa", "boolq")
"""Sets whose questions name what they are about, so that another text is a wrong one."""
WRONG_TEXTS = 3
"""Of the nearest texts of other questions, so many are looked at for each question."""
STATEMENTS: Mapping[str, int] = table(__package__, "weights")["statements"]
WHOLE = 0.3
"""How often a statement whose verb cannot be moved is asked about whole."""


@dataclass(frozen=True)
class ReadingMixture:
    """Rows to learn from and held-out rows, by set."""

    train: dict[str, list[Reading]]
    test: dict[str, list[Reading]]


def labelled_readings(folder: Path) -> dict[str, list[Reading]]:
    """The labelled files that may be learned from, without questions that measure."""
    kept = kept_questions(folder)
    sets: dict[str, list[Reading]] = {}
    for name in (*SPANS, *POLAR):
        rows = read_readings(find(folder, f"{name}.reader"))
        if name in ("nq_gold", "qed"):
            rows = [replace(row, key=normalised(row.question)) for row in rows]
        rows = [row for row in rows if normalised(row.question) not in kept]
        sets[name] = [focused(row) for row in rows if row.kind != "span" or not asks_yes_or_no(row.question)]
    return sets


def kept_questions(folder: Path) -> set[str]:
    """The normalised questions of the sets that measure."""
    names = ("xquad_en.qa", "pubmedqa.qa", "clapnq.qa", "mtrag.qa", *(f"{name}.qa" for name in LINKED))
    return {normalised(row["question"]) for name in names for row in read_rows(find(folder, name))}


def build(folder: Path, embedder: Embedder, *, seed: int = 7) -> ReadingMixture:
    """Read, make and split everything."""
    sets = labelled_readings(folder)
    sets["stated"] = stated_readings(folder, seed)
    sets["contrasts"] = contrasts(sets["squadshifts_new_wiki"], seeded(seed))
    sets["written"] = written_readings(list(found_for(written_documents(), embedder)), seeded(seed))
    train, test = split(sets)
    for rows, number in ((train, seed), (test, seed + 1)):
        rows |= made(rows, embedder, seeded(number))
    return ReadingMixture(train, test)


def made(sets: Mapping[str, Sequence[Reading]], embedder: Embedder, rng: Rng) -> dict[str, list[Reading]]:
    """What is made of one side of the split: "none" of every kind, and decisions left open."""
    spans = [row for name in sets if name not in (*POLAR, "contrasts") for row in sets[name] if row.kind == "span"]
    told = [row for row in spans if row.source != "qamr"]
    decided = [row for name in POLAR for row in sets.get(name, ())]
    return {
        "cut out": list(_each(told, cut_out)),
        "cut before": list(_each(told, lambda row: cut_before(row, rng))),
        "left open": list(_each(decided, left_open)),
        "elsewhere": _elsewhere([row for name in SPECIFIC for row in sets.get(name, ())], embedder, rng),
    }


def contrasts(others: Sequence[Reading], rng: Rng) -> list[Reading]:
    """Rows made of frames, some among sentences of other texts."""
    return [among(row, others, rng) for row in framed(rng)]


def _each(rows: Sequence[Reading], make: Callable[[Reading], Reading | None]) -> Iterator[Reading]:
    return (found for row in rows if (found := make(row)))


def _elsewhere(rows: Sequence[Reading], embedder: Embedder, rng: Rng) -> list[Reading]:
    """Each question beside the nearest texts of other questions, by meaning and by words, that lack its answer."""
    texts = {(row.title, row.text): row for row in rows}
    passages = {str(number): cut(str(number), title, text) for number, (title, text) in enumerate(texts)}
    own = {key: str(number) for number, key in enumerate(texts)}
    apart = [frozenset((own[row.title, row.text],)) for row in rows]
    with pooled([passages], embedder) as pool:
        near = pool.search([row.question for row in rows], without=apart, limit=WRONG_TEXTS)
    made: list[Reading] = []
    for row, found in zip(rows, near, strict=True):
        for chunk in [found[int(i)] for i in rng.permutation(len(found))][: 1 if row.kind != "span" else 2]:
            wrong = elsewhere(row, chunk.found["title"], chunk.found["text"])
            made += [wrong] if wrong else []
    return made


def stated_readings(folder: Path, seed: int = 7) -> list[Reading]:
    """Yes or no questions made of labelled statements."""
    return [focused(row) for row in _stated(folder, seeded(seed))]


def _stated(folder: Path, rng: Rng) -> Iterator[Reading]:
    """Statements turned into yes or no questions; keys are the judges', so that the same ones are held out."""
    files = labelled_files(folder)
    for name in STATED:
        pairs = [pair for pair in files[name] if NLI_LABELS[pair.label] != "not_entailment"]
        for place in rng.permutation(len(pairs))[: 4 * STATEMENTS[name]][: STATEMENTS[name] * 2]:
            if row := _asked(pairs[int(place)], rng):
                yield row


def _asked(pair: Pair, rng: Rng) -> Reading | None:
    question = asked_of(pair.second, rng, WHOLE)
    if question is None:
        return None
    kind = {"entailment": "yes", "contradiction": "no", "neutral": "undecided"}[NLI_LABELS[pair.label]]
    return Reading(question, "", pair.first, (), kind, pair.source, pair.key, "stated")  # type: ignore[arg-type]


def epoch(
    train: Mapping[str, Sequence[Reading]], weights: Mapping[str, float], rng: Rng, *, short: float = 0.3
) -> list[Reading]:
    """The rows of one epoch: each set as often as its weight says; of so many spans only the strip around them."""
    drawn: list[Reading] = []
    for name, rows in train.items():
        weight = weights.get(name, 1.0)
        whole = int(weight)
        drawn += [row for row in rows for _ in range(whole + (rng.random() < weight - whole))]
    return [shortened(row, rng) if rng.random() < short else row for row in drawn]
