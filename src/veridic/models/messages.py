"""What a message of a person is, told by a regression on its vector, and what a follow-up means. English."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from veridic.models import rewording
from veridic.models.embedder import OnnxEmbedder
from veridic.models.fitting import softmax
from veridic.ports.judgements import Meant
from veridic.ports.shapes.messages import KINDS, MessageKind

FILE = Path(__file__).parent / "shipped" / "messages.json"


@dataclass(frozen=True)
class MessageRegression:
    """The content of `messages.json`: a logistic regression on a unit vector, and what it was fitted on."""

    embedder: str
    """Fingerprint of the embedder whose vectors it was fitted on."""
    weights: list[list[float]]
    """[kinds, dimension]"""
    offsets: list[float]
    fitted_on: Mapping[str, int]
    """Messages by kind."""
    date: str

    def probabilities(self, vectors: NDArray[np.float32]) -> NDArray[np.float64]:
        """P(a message is of a kind), [messages, kinds]."""
        return softmax(vectors @ np.array(self.weights).T + np.array(self.offsets))


class OnnxMessages:
    """The judge of messages that ships, over the embedder that ships."""

    def __init__(self, embedder: OnnxEmbedder) -> None:
        """Whatever embedder serves the documents, messages are read with the one it was fitted for."""
        self._embedder = embedder

    def kinds(self, message: str) -> dict[MessageKind, float]:
        """P(a message is of a kind), of each kind; together 1. Raises `WeightsMissing` and `WeightsDamaged`."""
        sure = shipped().probabilities(self._embedder.embed([bare(message)]))[0]
        return dict(zip(KINDS, map(float, sure), strict=True))

    def leans(self, question: str) -> float:
        """See `MessageJudge`."""
        return rewording.shipped().leans(question, self._embedder.embed)

    def meant(self, question: str, asked: str, answer: str) -> list[Meant]:
        """See `MessageJudge`."""
        return rewording.reworded(question, asked, answer, self._embedder.embed, rewording.shipped())


def bare(message: str) -> str:
    """A message as it is read: whether it ends with a full stop or a cry says nothing."""
    return message.strip(" .!\n")


@cache
def shipped() -> MessageRegression:
    """The regression that ships."""
    return MessageRegression(**json.loads(FILE.read_text(encoding="utf-8")))
