"""Evaluator pairs from question sets: gold passages, near misses, and gold with the answer cut out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from veridic_lab.training.changes import opposite_word, wrong_date
from veridic_lab.training.pairs import Pair
from veridic_lab.training.sets import Passage, Question, with_header
from veridic_lab.training.wording import Rng, names, pick

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
SPARE = 6
"""Near passages beyond the wanted ones: some are gold, some hold the answer."""


def question_pairs(
    questions: Sequence[Question],
    corpus: Mapping[str, Passage],
    embed: Embed,
    rng: Rng,
    *,
    source: str,
    misses: int = 3,
) -> list[Pair]:
    """Pairs of each question: what holds the answer, what is near and does not."""
    made = [
        Pair("relevance", question.text, text, label, source, question.key, "", part)
        for question in questions
        for text, label, part in _golden(question, corpus, rng)
    ]
    return [*made, *near_misses(questions, corpus, embed, rng, source=source, misses=misses)]


def near_misses(
    questions: Sequence[Question],
    corpus: Mapping[str, Passage],
    embed: Embed,
    rng: Rng,
    *,
    source: str,
    misses: int,
) -> list[Pair]:
    """Each question beside the nearest passages that are not its gold and do not hold its answer."""
    ids = list(corpus)
    texts = [f"{corpus[i].title}\n{corpus[i].text}" for i in ids]
    cosines = embed([question.text for question in questions]) @ embed(texts).T
    near = np.argsort(-cosines, axis=1)[:, : misses + SPARE]
    made: list[Pair] = []
    for question, row in zip(questions, near, strict=True):
        passages = [corpus[ids[i]] for i in row if ids[i] not in question.gold]
        lacking = [p for p in passages if not question.answered_by(p.text)][:misses]
        shown = [with_header(p.title, p.text, rng) for p in lacking]
        made += [Pair("relevance", question.text, text, 0, source, question.key, "", "near miss") for text in shown]
    return made


def _golden(question: Question, corpus: Mapping[str, Passage], rng: Rng) -> Iterator[tuple[str, int, str]]:
    for gold in question.gold:
        passage = corpus.get(gold)
        if passage is None or not passage.sentences:
            continue
        yield with_header(passage.title, passage.text, rng), 1, "gold"
        holding = [i for i, s in enumerate(passage.sentences) if question.answered_by(s)]
        if not holding:
            continue
        start = max(0, holding[0] - int(rng.integers(0, 2)))
        end = min(len(passage.sentences), holding[0] + int(rng.integers(1, 3)))
        yield with_header(passage.title, " ".join(passage.sentences[start:end]), rng), 1, "gold strip"
        rest = [s for s in passage.sentences if not question.answered_by(s)]
        if len(rest) >= 1 and not question.answered_by(passage.title):
            yield with_header(passage.title, " ".join(rest), rng), 0, "answer cut out"


def swapped_questions(pairs: Sequence[Pair], count: int, rng: Rng) -> list[Pair]:
    """Questions that ask the same of something else, beside passages that answered them: irrelevant now.

    At most `count`, from relevant pairs. What a question asks about becomes a name of another passage, a year
    another year, a word its opposite.
    """
    relevant = [pair for pair in pairs if pair.label == 1]
    foreign = [match.group() for pair in relevant for match in names(pair.second)[:2]]
    made: list[Pair] = []
    for index in rng.permutation(len(relevant)):
        pair = relevant[int(index)]
        changed = _about_another(pair, foreign, rng)
        if changed and len(made) < count:
            made.append(replace(pair, first=changed, label=0, source="swapped", part="swapped"))
    return made


def _about_another(pair: Pair, foreign: Sequence[str], rng: Rng) -> str | None:
    asked = f" {pair.first.lower()} "
    shared = [m.group() for m in names(pair.second) if re.search(rf"\W{re.escape(m.group().lower())}\W", asked)]
    others = [name for name in (pick(rng, foreign) for _ in range(8)) if name.lower() not in asked]
    if shared and others and rng.random() < 0.8:
        old = max(shared, key=len)
        new = min(others, key=lambda name: abs(len(name.split()) - len(old.split())))
        lower = pair.first == pair.first.lower()
        return re.sub(re.escape(old), lambda _: new.lower() if lower else new, pair.first, flags=re.IGNORECASE)
    return wrong_date(pair.first, rng) or opposite_word(pair.first, rng)
