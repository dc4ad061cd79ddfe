"""Pairs that nobody has labelled and a teacher can judge: as the graph meets them, and as no rule can write them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path

from veridic_lab.training.made import Passage, seeded
from veridic_lab.training.mining import Embed, nearest
from veridic_lab.training.mixture import focused
from veridic_lab.training.pairs import Pair, held_out
from veridic_lab.training.retrieval import Chunk, passage_of
from veridic_lab.training.sets import question_set
from veridic_lab.training.soft import UNLABELLED
from veridic_lab.training.wording import Rng

CORPORA = ("nq_gold", "hotpotqa", "musique", "2wiki")
EACH = 700
"""Questions of a corpus, and passages, that pairs are made of."""
NEAR = 4
NEIGHBOURS: Mapping[str, int] = {"qnli": 3, "qed": 2, "clapnq": 2, "stackexchange": 1}
"""Each question of these sets beside so many of the nearest passages of other questions."""
REARRANGED: Mapping[str, int] = {"mnli": 4, "snli": 2}
"""Of each premise of these sets so many pairs of its hypotheses."""


def unlabelled(folder: Path, train: Mapping[str, Sequence[Pair]], embed: Embed) -> list[Pair]:
    """All of them, the same at every call; `train` holds the training pairs by set."""
    rng = seeded(31)
    met = [pair for name in CORPORA for pair in _met(folder, name, embed, rng)]
    near = [pair for name, count in NEIGHBOURS.items() for pair in neighbours(train.get(name, ()), embed, count)]
    turned = [pair for name, count in REARRANGED.items() for pair in rearranged(train.get(name, ()), count)]
    return [focused(pair) for pair in (*met, *near, *turned)]


def _met(folder: Path, name: str, embed: Embed, rng: Rng) -> list[Pair]:
    """Questions against retrieved strips, and sentences against near strips."""
    questions, corpus = question_set(folder, name)
    free = [q.text for q in questions if not held_out(q.key)]
    asked = [free[i] for i in rng.permutation(len(free))[:EACH]]
    passages = [p for p in corpus.values() if p.sentences]
    texts = [f"{p.title}\n{' '.join(p.sentences)}" for p in passages]
    found: list[Pair] = []
    for question, row in zip(asked, nearest(embed, asked, texts, NEAR), strict=True):
        strips = [strip for i in row for strip in _strips(passages[i])[:2]]
        found += [Pair("relevance", question, strip, UNLABELLED, name, question) for strip in strips]
    chosen = [passages[i] for i in rng.permutation(len(passages))[:EACH]]
    said = [p.sentences[int(rng.integers(len(p.sentences)))] for p in chosen]
    for sentence, row in zip(said, nearest(embed, said, texts, NEAR), strict=True):
        premises = ["\n".join(_strips(passages[i])[:2]) for i in row]
        found += [Pair("nli", premise, sentence, UNLABELLED, name, sentence) for premise in premises]
    return found


def _strips(passage: Passage) -> list[str]:
    return Chunk(passage.key, passage_of(passage.title, " ".join(passage.sentences))).strips


def neighbours(pairs: Sequence[Pair], embed: Embed, count: int) -> list[Pair]:
    """Each question beside the nearest passages it was not labelled with."""
    labelled = defaultdict[str, set[str]](set)
    for pair in pairs:
        labelled[pair.first].add(pair.second)
    questions, texts = list(labelled), list(dict.fromkeys(pair.second for pair in pairs))
    if not questions:
        return []
    found: list[Pair] = []
    for question, row in zip(questions, nearest(embed, questions, texts, count + 1), strict=True):
        fresh = [texts[i] for i in row if texts[i] not in labelled[question]][:count]
        found += [Pair("relevance", question, text, UNLABELLED, pairs[0].source, question) for text in fresh]
    return found


def rearranged(pairs: Sequence[Pair], count: int) -> list[Pair]:
    """Hypotheses of one premise against each other, and one of them against the premise the other way round."""
    rng = seeded(32)
    said = defaultdict[str, list[str]](list)
    for pair in pairs:
        said[pair.first].append(pair.second)
    found: list[Pair] = []
    for premise, hypotheses in said.items():
        both = list(permutations(dict.fromkeys(hypotheses), 2))
        chosen = [both[i] for i in rng.permutation(len(both))[:count]]
        chosen.append((hypotheses[int(rng.integers(len(hypotheses)))], premise))
        found += [Pair("nli", first, second, UNLABELLED, pairs[0].source, premise) for first, second in chosen]
    return found
