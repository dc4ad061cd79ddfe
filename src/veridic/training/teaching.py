"""A slow strong network teaches a small fast one: its opinion of pairs, labelled and unlabelled."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from rich.progress import track

from veridic.training.batches import Batcher
from veridic.training.made import Passage, seeded
from veridic.training.mining import Embed, nearest
from veridic.training.mixture import focused, question_set
from veridic.training.network import JudgeNetwork
from veridic.training.pairs import Pair, held_out
from veridic.training.retrieval import Chunk, strips_of
from veridic.training.soft import UNLABELLED, SoftLabels, key_of

ASKED = ("nq_gold", "hotpotqa", "musique", "2wiki")
EACH = 700
"""Questions of a set, and passages, that unlabelled pairs are made of."""
NEAR = 4


def unlabelled(folder: Path, embed: Embed) -> list[Pair]:
    """Questions against retrieved strips, and sentences against near strips, as the graph meets them."""
    rng = seeded(31)
    found: list[Pair] = []
    for name in ASKED:
        questions, corpus = question_set(folder, name)
        free = [q.text for q in questions if not held_out(q.key)]
        asked = [free[i] for i in rng.permutation(len(free))[:EACH]]
        passages = [p for p in corpus.values() if p.sentences]
        texts = [f"{p.title}\n{' '.join(p.sentences)}" for p in passages]
        near = nearest(embed, asked, texts, NEAR)
        for question, row in zip(asked, near, strict=True):
            found += [_asked(name, question, strip) for i in row for strip in _strips(passages[i])[:2]]
        chosen = [passages[i] for i in rng.permutation(len(passages))[:EACH]]
        said = [p.sentences[int(rng.integers(len(p.sentences)))] for p in chosen]
        for sentence, row in zip(said, nearest(embed, said, texts, NEAR), strict=True):
            found += [_said(name, sentence, _strips(passages[i])) for i in row]
    return [focused(pair) for pair in found]


def _strips(passage: Passage) -> list[str]:
    return strips_of(Chunk(passage.key, passage.title, passage.sentences))


def _asked(name: str, question: str, strip: str) -> Pair:
    return Pair("relevance", question, strip, UNLABELLED, name, question)


def _said(name: str, sentence: str, strips: Sequence[str]) -> Pair:
    return Pair("nli", "\n".join(strips[:2]), sentence, UNLABELLED, name, sentence)


def teach(network: JudgeNetwork, batcher: Batcher, pairs: Sequence[Pair]) -> SoftLabels:
    """The network's probabilities of every pair; shows its progress."""
    distinct = list({key_of(pair): pair for pair in pairs}.values())
    rows = np.zeros((len(distinct), 3), dtype=np.float16)
    network.eval()
    with torch.inference_mode():
        for batch in track(list(batcher.batches(distinct)), "teach"):
            relevance, nli = network(**batch.inputs)
            ours = torch.tensor([pair.task == "relevance" for pair in batch.pairs])
            one = torch.nn.functional.pad(relevance.sigmoid()[:, None], (0, 2))
            rows[batch.indices] = torch.where(ours[:, None], one, nli.softmax(-1)).numpy().astype(np.float16)
    return SoftLabels([key_of(pair) for pair in distinct], rows)
