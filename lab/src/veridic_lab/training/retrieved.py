"""Pairs as the graph meets them: what the retriever returns for a question, its gold in the corpus or taken away.

Near misses alone teach a judge that every text has something to do with its question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from veridic.ports.embedding import Embedder
from veridic_lab.training.pairs import Pair
from veridic_lab.training.retrieval import Chunk, Pool, pooled
from veridic_lab.training.sets import Passage, Question
from veridic_lab.training.wording import Rng

ASKED_OF_ALL: Mapping[str, int] = {"nq_gold": 1600, "clapnq": 600, "hotpotqa": 300, "2wiki": 600, "musique": 600}
"""Questions of each set, at most, that are asked of all corpora together; from half of them the gold is hidden."""
FOUND = 6
CUT = 2
"""Of the best chunks the strips are judged as well."""
STRIPS = 0.4
"""The share of strips without an answer that is kept."""


def retrieved(
    sets: Mapping[str, tuple[Sequence[Question], Mapping[str, Passage]]], embedder: Embedder, rng: Rng
) -> list[Pair]:
    """Pairs of the sets named in `ASKED_OF_ALL`, their sources; other passages that hold the answer are left out."""
    with pooled([sets[name][1] for name in ASKED_OF_ALL], embedder) as pool:
        return _retrieved(sets, pool, rng)


def _retrieved(
    sets: Mapping[str, tuple[Sequence[Question], Mapping[str, Passage]]], pool: Pool, rng: Rng
) -> list[Pair]:
    pairs: list[Pair] = []
    for name, count in ASKED_OF_ALL.items():
        questions = [question for question in sets[name][0] if question.gold]
        chosen = [questions[i] for i in rng.permutation(len(questions))[:count]]
        hidden = [frozenset(question.gold if rng.random() < 0.5 else ()) for question in chosen]
        found = pool.search([question.text for question in chosen], without=hidden, limit=FOUND)
        for question, chunks in zip(chosen, found, strict=True):
            pairs += _judged(question, chunks, name, rng)
    return pairs


def _judged(question: Question, found: Sequence[Chunk], source: str, rng: Rng) -> Iterator[Pair]:
    for place, chunk in enumerate(found):
        gold = chunk.key in question.gold and bool(question.answers)
        if gold or not question.answered_by(chunk.text):
            yield Pair("relevance", question.text, chunk.text, int(gold), source, question.key, "", "chunk")
        for strip in chunk.strips if place < CUT else ():
            answers = gold and question.given_by(strip)
            if answers or (not gold and not question.answered_by(strip) and rng.random() < STRIPS):
                yield Pair("relevance", question.text, strip, int(answers), source, question.key, "", "strip")
