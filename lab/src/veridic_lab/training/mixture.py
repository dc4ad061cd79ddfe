"""What the judge is trained on: sets, weights, exclusions and held-out rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from veridic.ports.embedding import Embedder
from veridic.text.sentences import windows
from veridic_lab.drafts.examples import of_drafts
from veridic_lab.drafts.hands import documents
from veridic_lab.training.metrics import overlap
from veridic_lab.training.mining import Embed, near_misses, question_pairs, swapped_questions
from veridic_lab.training.pairs import Pair, find, held_out, read_rows
from veridic_lab.training.polar import polar_pairs
from veridic_lab.training.retrieved import ASKED_OF_ALL, retrieved
from veridic_lab.training.sets import LINKED, labelled_files, question_set, with_header
from veridic_lab.training.tables import table
from veridic_lab.training.useful import also_useful, answer_strips
from veridic_lab.training.wording import Rng, seeded

WEIGHTS: Mapping[str, float] = table(__package__, "weights")["epoch"]
"""How often an epoch shows each set; under 1 the positives stay and negatives are drawn."""

ASKED = ("qnli", "selqa", "musique", "2wiki", "hotpotqa", "clapnq", "qed")
REHEADED = ("musique", "2wiki", "hotpotqa", "qed")
HALF = ("clapnq", "clapnq.grounded", "clapnq.qa", "retrieved", "contract_nli")
"""Half of these keys are held out: ClapNQ's since they also calibrate and measure the whole graph."""
STRIPPED = ("nq_gold", *LINKED)
LONGEST = 150
"""Words of a premise or passage; of a longer one only the piece nearest to the other text is learned."""
OTHER_HOPS = 4
"""Near misses of each linked question."""
SWAPPED = 600
"""Questions of a set that are asked about something else."""


@dataclass(frozen=True)
class Mixture:
    """Training and held-out pairs by set."""

    train: dict[str, list[Pair]]
    test: dict[str, list[Pair]]


def is_test(name: str, pair: Pair) -> bool:
    """Whether a row is kept for measurement."""
    if name == "scifact" and pair.split == "dev":
        return True
    return held_out(pair.key, 0.5 if name in HALF else 0.1)


def build(folder: Path, embedder: Embedder, *, seed: int = 7) -> Mixture:
    """Read, mine and split everything."""
    rng = seeded(seed)
    sets = labelled_files(folder)
    for name in REHEADED:
        sets[name] = [_reheaded(pair, rng) for pair in sets[name]]
    sets["swapped"] = [pair for name in ASKED for pair in swapped_questions(sets[name], SWAPPED, rng)]
    sets["drafts"] = _drafts()
    sets["nq_gold"] = _mined(folder, embedder.embed, rng)
    sets["other_hops"] = [pair for name in LINKED for pair in _other_hops(folder, name, embedder.embed, rng)]
    sets["clapnq.qa"] = _near_misses(folder, rng)
    sets["answer_strips"] = _answer_strips(folder, rng)
    sets["retrieved"] = retrieved({name: question_set(folder, name) for name in ASKED_OF_ALL}, embedder, rng)
    mixture = Mixture({}, {})
    for name, pairs in sets.items():
        mixture.train[name] = [focused(pair) for pair in pairs if not is_test(name, pair)]
        mixture.test[name] = [pair for pair in pairs if is_test(name, pair)]
    mixture.train["polar"] = polar_pairs(mixture.train, rng)
    mixture.test["polar"] = _held_out_everywhere(polar_pairs(mixture.test, rng))
    mixture.train["also_useful"] = also_useful(mixture.train, rng)
    mixture.test["also_useful"] = _held_out_everywhere(also_useful(mixture.test, rng))
    return mixture


def focused(pair: Pair) -> Pair:
    """The pair with its long text cut to the piece that has most of the other's words."""
    long, short = (pair.second, pair.first) if pair.asks else (pair.first, pair.second)
    if len(long.split()) <= LONGEST:
        return pair
    piece = max((piece.text for piece in windows(long, most=50, words=LONGEST)), key=lambda text: overlap(short, text))
    return replace(pair, second=piece) if pair.asks else replace(pair, first=piece)


def _reheaded(pair: Pair, rng: Rng) -> Pair:
    """These sets write "Title: text"; the graph writes the title on a line of its own."""
    title, colon, text = pair.second.partition(": ")
    return replace(pair, second=with_header(title, text, rng)) if colon else pair


def _drafts() -> list[Pair]:
    """Statements of written drafts beside what their document says; only those of the hands that train."""
    found = of_drafts(documents("train"))
    return [Pair("nli", one.premise, one.own, one.label, "drafts", f"drafts:{one.key}") for one in found]


def _mined(folder: Path, embed: Embed, rng: Rng) -> list[Pair]:
    questions, corpus = question_set(folder, "nq_gold")
    trained = [q for q in questions if not held_out(q.key)]
    return question_pairs(trained, corpus, embed, rng, source="nq_gold")


def _other_hops(folder: Path, name: str, embed: Embed, rng: Rng) -> list[Pair]:
    questions, corpus = question_set(folder, name)
    return near_misses(questions, corpus, embed, rng, source=name, misses=OTHER_HOPS)


def _answer_strips(folder: Path, rng: Rng) -> list[Pair]:
    return [pair for name in STRIPPED for pair in answer_strips(*question_set(folder, name), rng, source=name)]


def _held_out_everywhere(pairs: Sequence[Pair]) -> list[Pair]:
    """Without the keys that only their own set holds out."""
    return [pair for pair in pairs if held_out(pair.key)]


def _near_misses(folder: Path, rng: Rng) -> list[Pair]:
    """ClapNQ's passages whole: gold for what is answerable, near misses for what is not."""
    questions, corpus = question_set(folder, "clapnq")
    rows = list(read_rows(find(folder, "clapnq.qa")))
    made: list[Pair] = []
    for question, row in zip(questions, rows, strict=True):
        label = int(not str(row["type"]).endswith("unanswerable"))
        for gold in question.gold:
            if gold in corpus:
                text = with_header(corpus[gold].title, corpus[gold].text, rng)
                made.append(Pair("relevance", question.text, text, label, "clapnq", question.key, "", "whole"))
    return made


def epoch(train: Mapping[str, Sequence[Pair]], weights: Mapping[str, float], rng: Rng) -> list[Pair]:
    """The pairs of one epoch: each set as often as its weight says."""
    drawn: list[Pair] = []
    for name, pairs in train.items():
        drawn += _repeated(pairs, weights.get(name, 1.0), rng)
    return drawn


def _repeated(pairs: Sequence[Pair], weight: float, rng: Rng) -> list[Pair]:
    keep: Callable[[Pair], bool] = lambda pair: rng.random() < weight or (pair.asks and pair.label == 1)  # noqa: E731
    if weight < 1:
        return [pair for pair in pairs if keep(pair)]
    extra = [pair for pair in pairs if rng.random() < weight - int(weight)]
    return [*(pair for _ in range(int(weight)) for pair in pairs), *extra]


def held_out_pairs(folder: Path) -> dict[str, list[Pair]]:
    """The rows of the labelled files that are never trained on, and what usefulness is measured on, by set."""
    rng = seeded(9)
    found = {name: [p for p in pairs if is_test(name, p)] for name, pairs in labelled_files(folder).items()}
    for name in REHEADED:
        found[name] = [_reheaded(pair, rng) for pair in found[name]]
    found["drafts"] = [pair for pair in _drafts() if is_test("drafts", pair)]
    found["answer_strips"] = [pair for pair in _answer_strips(folder, rng) if is_test("answer_strips", pair)]
    return {**found, "also_useful": _held_out_everywhere(also_useful(found, rng))}
