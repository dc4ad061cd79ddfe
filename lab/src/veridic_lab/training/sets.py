"""The data folder's sets as they are read, without rows that would leak into what is measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from veridic.text.sentences import sentences
from veridic_lab.training.metrics import overlap
from veridic_lab.training.pairs import Pair, find, normalised, read_pairs, read_rows
from veridic_lab.training.wording import Rng, pick

LINKED = ("hotpotqa", "musique", "2wiki")
"""Questions whose second passage names nothing of theirs: without misses of its kind any film director will do."""
SHORT = 12
"""Words of a short answer, at most."""
MOSTLY = 0.5
"""The share of a strip's words that a long answer has when the strip is one."""
_HEADINGS = ("History", "Overview", "Background", "Early life", "Career", "Description", "Details", "Results")


@dataclass(frozen=True)
class Passage:
    """A passage of a corpus, cut into sentences."""

    key: str
    title: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """Its sentences, one after the other."""
        return " ".join(self.sentences)


@dataclass(frozen=True)
class Question:
    """A question with its short answers and the ids of its gold passages."""

    text: str
    answers: tuple[str, ...]
    gold: tuple[str, ...]

    @property
    def key(self) -> str:
        """The split key: the normalised question."""
        return normalised(self.text)

    def answered_by(self, text: str) -> bool:
        """Whether one of the answers stands in the text."""
        return holds_answer(text, self.answers)

    def given_by(self, strip: str) -> bool:
        """Whether a strip under its title line is an answer: it holds a short one, or is mostly words of a long one."""
        text = strip.rpartition("\n")[2]
        return self.answered_by(text) or any(
            overlap(text, answer) >= MOSTLY for answer in self.answers if len(answer.split()) > SHORT
        )


def holds_answer(text: str, answers: Sequence[str]) -> bool:
    """Whether one of the answers stands in the text as words."""
    padded = f" {normalised(text)} "
    return any(f" {normalised(answer)} " in padded for answer in answers if normalised(answer))


def cut(key: str, title: str, text: str) -> Passage:
    """A passage from its text; underscores in the title become spaces."""
    told = tuple(" ".join(one.text.split()) for one in sentences(text))
    return Passage(key, " ".join(title.replace("_", " ").split()), told)


def with_header(title: str, text: str, rng: Rng) -> str:
    """The text under its title, its title and a heading, or bare."""
    draw = rng.random()
    if not title or draw < 0.3:
        return text
    return f"{title}\n{text}" if draw < 0.8 else f"{title} > {pick(rng, _HEADINGS)}\n{text}"


def labelled_files(folder: Path) -> dict[str, list[Pair]]:
    """The labelled files that are trained on, by set name, without rows that would leak."""
    sets: dict[str, list[Pair]] = {}
    for name in ("mnli", "snli", "scifact", "factcheck_gpt", "contract_nli", "fool_me_twice", "conjnli"):
        sets[name] = read_pairs(find(folder, f"{name}.nli"))
    sets["fever_nli"] = _apart(
        read_pairs(find(folder, "fever_nli.nli")), read_pairs(find(folder, "fever_symmetric.nli"))
    )
    for name in ("attribution_bench", "begin", "halueval_qa", "clapnq"):
        key = "clapnq.grounded" if name == "clapnq" else name
        sets[key] = read_pairs(find(folder, f"{name}.grounded"))
    for name in ("qnli", "selqa", "stackexchange", "musique", "2wiki", "hotpotqa", "clapnq", "qed"):
        sets[name] = read_pairs(find(folder, f"{name}.relevance"))
    sets["qnli"] = _without_xquad(sets["qnli"], folder)
    return sets


def question_set(folder: Path, name: str) -> tuple[list[Question], dict[str, Passage]]:
    """Questions and corpus of one qa set."""
    questions = [
        Question(row["question"], tuple(row["answers"]), tuple(row["gold_doc_ids"]))
        for row in read_rows(find(folder, f"{name}.qa"))
    ]
    rows = read_rows(find(folder, f"{name}.corpus"))
    return questions, {row["id"]: cut(row["id"], row.get("title", ""), row["text"]) for row in rows}


def _without_xquad(pairs: list[Pair], folder: Path) -> list[Pair]:
    """The pairs whose question is none of XQuAD's, and whose sentence stands in none of its passages."""
    asked = {normalised(row["question"]) for row in read_rows(find(folder, "xquad_en.qa"))}
    text = "\n".join(normalised(row["text"]) for row in read_rows(find(folder, "xquad_en.corpus")))
    return [pair for pair in pairs if pair.key not in asked and normalised(pair.second) not in text]


def _apart(pairs: list[Pair], measured: list[Pair]) -> list[Pair]:
    """The pairs of the keys under which no claim and no premise is measured."""
    known = {normalised(text) for pair in measured for text in (pair.first, pair.second)}
    shared = {pair.key for pair in pairs if normalised(pair.first) in known or normalised(pair.second) in known}
    return [pair for pair in pairs if pair.key not in shared]
