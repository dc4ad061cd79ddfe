"""A chat model as judge of statements, scripted: it knows the truth, and errs as often as it is told to.

Its errors are drawn where the base judge is unsure, not at random: two judges of one statement fail on the same ones.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from time import time
from typing import Protocol

import numpy as np
from bs4 import BeautifulSoup

from veridic.models.cascade import CascadeCritic
from veridic.models.chat.grader import Grader
from veridic.models.chat.grading import ChatCritic
from veridic.models.trial import shipped_pairs
from veridic.ports.judgements import GradeWeights
from veridic.ports.judging import Critic
from veridic.runtime.run import Resources, hearing
from veridic.text.answers import nearest_sentence, tokens
from veridic_lab.benchmarks.asking import Says
from veridic_lab.drafts.hands import Document

RATES = (0.05, 0.1, 0.2)
"""Shares of statements that judges get wrong, on which the decision is fitted."""
UNSURE = (0.2, 0.8)
"""Between these quantiles of the trained judge's P(supported) a judge errs, elsewhere it does not."""
TRIED = 40
"""Statements of each truth on which a trial reports."""
SECONDS = 600.0


class Knows(Protocol):
    """What a judge knows."""

    def of(self, question: str, statement: str, evidence: str) -> bool:
        """Whether a statement answers, and the evidence holds it."""


class Truth:
    """Which sentences of drafts are faithful answers, and whether evidence holds what they rest on."""

    def __init__(self, found: Sequence[Document]) -> None:
        """All drafts of the documents."""
        self._spans: dict[tuple[str, str], str] = {}
        for document, asked in ((one, asked) for one in found for asked in one.asked):
            true = [draft for draft in asked.drafts if draft.true]
            # what several places answer, and a yes or no, has no span
            about = " ".join([asked.question, *(draft.text for draft in true)])
            span = asked.span or nearest_sentence(about, document.text)
            faithful = (one.text for draft in true for one in draft.statements())
            self._spans |= {(asked.question, text): span for text in faithful}

    def of(self, question: str, statement: str, evidence: str) -> bool:
        """Whether a statement is a faithful answer, and the evidence holds the piece of the document that says so."""
        span = self._spans.get((question, statement))
        return bool(span) and f" {' '.join(tokens(span or ''))} " in f" {' '.join(tokens(evidence))} "


def weights_of(rate: float) -> GradeWeights:
    """The weights of evidence that a trial finds of a judge with these errors."""
    return GradeWeights.found((TRIED * (1 - rate), TRIED), (TRIED * rate, TRIED))


def errs(sure: float, about: str, *, rate: float, band: tuple[float, float]) -> bool:
    """Whether a judge is wrong about a statement to which the trained one gives P `sure`; the draw hangs on its words.

    `band` holds the P between which it errs.
    """
    share = rate / (UNSURE[1] - UNSURE[0]) if band[0] <= sure <= band[1] else 0.0
    return int.from_bytes(blake2b(about.encode(), digest_size=4).digest()) / 2**32 < share


@dataclass(frozen=True)
class ScriptedJudge:
    """Replies to the prompt that asks for the grades of sentences."""

    truth: Knows
    critic: Critic
    """The trained one, whose doubts its errors follow."""
    rate: float
    band: tuple[float, float]

    def __call__(self, prompt: str) -> str:
        """`full` or `none` for each sentence, with the passage that it names."""
        asked = BeautifulSoup(prompt[prompt.rindex("<passages>") :], "html.parser")  # behind the prompt's own examples
        passages = {one["number"]: one.get_text().strip() for one in asked.find_all("passage")}
        question = "".join(one.get_text() for one in asked.find_all("question"))
        places, texts = zip(*((one["passages"], one.get_text()) for one in asked.find_all("sentence")), strict=True)
        pairs = [(passages[place], text) for place, text in zip(places, texts, strict=True)]
        said = hearing(self.critic, question).judge(pairs, deadline=time() + SECONDS)
        grades = [
            {
                "number": number,
                "grade": "full" if self._supports(question, *pair, one.entailment) else "none",
                "passage": int(place),
            }
            for number, (place, pair, one) in enumerate(zip(places, pairs, said, strict=True), 1)
        ]
        return json.dumps({"grades": grades})

    def _supports(self, question: str, premise: str, statement: str, sure: float) -> bool:
        wrong = errs(sure, f"{question} {statement}", rate=self.rate, band=self.band)
        return self.truth.of(question, statement, premise) != wrong


def judged_by(resources: Resources, truth: Knows, rate: float) -> Resources:
    """The resources whose cascade asks a scripted judge about statements; without a cascade as they are."""
    critic = resources.critic
    if not isinstance(critic, CascadeCritic):
        return resources
    alone = critic.asking(None)
    judge = ScriptedJudge(truth, alone, rate, band_of(statements_of_trial(alone)))
    return replace(resources, critic=critic.asking(ChatCritic(Grader(Says(judge), once=True), weights_of(rate))))


def band_of(sure: Sequence[float]) -> tuple[float, float]:
    """The P between which a judge errs, of those that the trained one gives to statements."""
    low, high = np.quantile(sure, UNSURE)
    return float(low), float(high)


def statements_of_trial(critic: Critic) -> list[float]:
    """P(supported) of the statements that ship."""
    pairs = [(one.first, one.second) for one in shipped_pairs() if one.kind == "statement"]
    return [one.entailment for one in critic.judge(pairs, deadline=time() + SECONDS)]
