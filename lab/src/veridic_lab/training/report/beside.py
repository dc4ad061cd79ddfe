"""Our judges beside cheaper and dearer ways to judge the same pairs."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from veridic.models.calibration import Calibration
from veridic.models.chat.drawn import Line, current_line
from veridic.models.chat.embedded import EmbeddedBackend
from veridic.settings import Settings
from veridic_lab.training.calibrate import positive
from veridic_lab.training.metrics import auc, balanced_accuracy, best_cut, overlap
from veridic_lab.training.mining import Embed
from veridic_lab.training.pairs import Pair
from veridic_lab.training.report.sets import CRITIC_SETS, EVALUATOR_SETS, UNTRAINED, measured_pairs
from veridic_lab.training.scoring import RawScorer

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

PAIRS = 300
Floats = NDArray[np.float64]
Judge = Callable[[Sequence[Pair]], Floats]

ASKED = {
    "relevance": "Passage: {second}\n\nQuestion: {first}\n\nDoes the passage answer the question? Reply yes or no.",
    "nli": "Text: {first}\n\nClaim: {second}\n\nDoes the text say that the claim is true? Reply yes or no.",
}


@dataclass(frozen=True)
class Beside:
    """One way to judge; the threshold of each half is the best of the other half."""

    task: str
    name: str
    balanced: float
    ranking: float
    milliseconds: float


def mixed(folder: Path, task: str, count: int = PAIRS) -> list[Pair]:
    """So many pairs of a task, as many from each set as there can be."""
    named = (
        [(name, f"{name}.relevance", "untrained" if name in UNTRAINED else "held out") for name in EVALUATOR_SETS]
        if task == "relevance"
        else CRITIC_SETS
    )
    sets = [measured_pairs(folder, *one) for one in named]
    rounds = (pairs[place] for place in range(count) for pairs in sets if place < len(pairs))
    return [pair for pair, _ in zip(rounds, range(count), strict=False)]


def side_by_side(
    folder: Path, scorer: RawScorer, calibration: Calibration, embed: Embed, chat: BaseChatModel
) -> Iterator[Beside]:
    """Each way on the same pairs; the chat model judges by its probabilities of yes and no."""
    for task in ("relevance", "nli"):
        pairs = mixed(folder, task)
        ways: dict[str, Judge] = {
            "ours": lambda pairs: _ours(scorer, calibration, pairs),
            "cosine of embeddings": lambda pairs: _cosine(embed, pairs),
            "word overlap": _lexical,
            "SmolLM2-135M, yes or no": lambda pairs: np.array([yes(chat, pair) for pair in pairs]),
        }
        for name, judge in ways.items():
            judge(pairs[:2])
            begun = time.perf_counter()
            scores = judge(pairs)
            taken = time.perf_counter() - begun
            truth = np.array([pair.positive for pair in pairs])
            yield Beside(task, name, two_fold(truth, scores), auc(truth, scores), 1000 * taken / len(pairs))


def embedded_chat(settings: Settings) -> BaseChatModel:
    """The embedded model as LangChain knows it; one call at a time."""
    current_line.set(Line())
    return EmbeddedBackend(settings).open(lambda *_: None)


def two_fold(truth: NDArray[np.bool_], scores: Floats) -> float:
    """Balanced accuracy with the threshold of each half fitted on the other."""
    first = np.arange(len(truth)) % 2 == 0
    guess = np.zeros(len(truth), dtype=bool)
    for half in (first, ~first):
        share = truth[~half].mean() / max(1e-9, 1 - truth[~half].mean())
        guess[half] = scores[half] >= best_cut(truth[~half], scores[~half], share)
    return balanced_accuracy(truth, guess)


def yes(chat: BaseChatModel, pair: Pair) -> float:
    """P(yes) / (P(yes) + P(no)) of the first token; one half where neither is among the likely ones."""
    text = ASKED[pair.task].format(first=pair.first[:4000], second=pair.second[:4000])
    reply = chat.bind(logprobs=True, top_logprobs=20, max_tokens=1, temperature=0).invoke(text)
    likely = reply.response_metadata["logprobs"]["content"][0]["top_logprobs"]
    mass = {"yes": 0.0, "no": 0.0}
    for token in likely:
        word = token["token"].strip().lower()
        if word in mass:
            mass[word] += math.exp(token["logprob"])
    total = sum(mass.values())
    return mass["yes"] / total if total else 0.5


def _ours(scorer: RawScorer, calibration: Calibration, pairs: Sequence[Pair]) -> Floats:
    return positive(calibration, pairs[0].task, scorer.of(pairs))


def _cosine(embed: Embed, pairs: Sequence[Pair]) -> Floats:
    first, second = embed([pair.first for pair in pairs]), embed([pair.second for pair in pairs])
    return np.asarray((first * second).sum(axis=1), dtype=np.float64)


def _lexical(pairs: Sequence[Pair]) -> Floats:
    return np.array([overlap(*(p.first, p.second) if p.asks else (p.second, p.first)) for p in pairs])
