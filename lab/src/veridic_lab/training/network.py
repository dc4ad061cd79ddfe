"""The judge in torch: one encoder, and a head for each thing that is judged."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import nn

from veridic_lab.training.export import POOLED_LENGTH
from veridic_lab.training.pairs import NLI_LABELS, Pair

TWO_CLASS = NLI_LABELS.index("not_entailment")


Logits = dict[str, torch.Tensor]
"""By task, [n], of nli [n, 3]."""


class Head(nn.Module):  # type: ignore[misc, unused-ignore]
    """Dense, tanh, logits."""

    def __init__(self, inputs: int, width: int, classes: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.dense = nn.Linear(inputs, width)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(width, classes)

    def forward(self, pooled: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits [n, classes] and what they are read from, [n, width]."""
        inner: torch.Tensor = self.drop(torch.tanh(self.dense(pooled)))
        return self.out(inner), inner


class PairEncoder(nn.Module):  # type: ignore[misc, unused-ignore]
    """An encoder through which two texts pass together, and what heads read of it."""

    def __init__(self, encoder: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder
        self.reads_kinds = "token_type_ids" in inspect.signature(encoder.forward).parameters
        self.width = int(encoder.config.hidden_size)  # type: ignore[union-attr, arg-type, unused-ignore]

    def states(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        """The state of every token, [n, tokens, width]."""
        kinds = {"token_type_ids": token_type_ids} if self.reads_kinds else {}
        found: torch.Tensor = self.encoder(
            input_ids=input_ids, attention_mask=attention_mask, **kinds
        ).last_hidden_state
        return found

    @staticmethod
    def pooled(states: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor) -> torch.Tensor:
        """Both texts' means, their difference and their product, [n, 4 * width].

        Each text is pooled by itself; the encoder was made for such means, so that it judges well after a tenth of
        the pairs that one mean over both texts needs.
        """
        first = _direction(states, attention_mask - token_type_ids)
        second = _direction(states, token_type_ids)
        return torch.cat([first, second, (first - second).abs(), first * second], dim=-1)


class JudgeNetwork(PairEncoder):
    """Scores a pair for every task: a relevance logit, a usefulness logit, three nli logits.

    Usefulness is read from the same inner layer as relevance.
    """

    def __init__(self, encoder: nn.Module) -> None:
        super().__init__(encoder)
        self.relevance = Head(4 * self.width, self.width, 1)
        self.usefulness = nn.Linear(self.width, 1)
        self.nli = Head(4 * self.width, self.width, 3)

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor) -> Logits:
        """The logits of every task."""
        pooled = self._read(input_ids, attention_mask, token_type_ids)
        relevance, inner = self.relevance(pooled)
        useful, (nli, _) = self.usefulness(inner), self.nli(pooled)
        return {"relevance": relevance.squeeze(-1), "usefulness": useful.squeeze(-1), "nli": nli}

    def inner(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        """What relevance and usefulness are read from, [n, width]."""
        found: torch.Tensor = self.relevance(self._read(input_ids, attention_mask, token_type_ids))[1]
        return found

    def _read(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        states = self.states(input_ids, attention_mask, token_type_ids)
        return self.pooled(states, attention_mask, token_type_ids)


def _direction(states: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """The sum of the masked states, brought to one length."""
    total = (states * mask.unsqueeze(-1).to(states.dtype)).sum(1)
    return nn.functional.normalize(total, dim=-1) * POOLED_LENGTH


def load_base(folder: Path) -> JudgeNetwork:
    """A judge with fresh heads on the encoder of a local folder or hub name, without dropout in the encoder."""
    return JudgeNetwork(load_encoder(folder))


def load_encoder(folder: Path) -> nn.Module:
    """The encoder of a local folder or hub name, without dropout."""
    from transformers import AutoModel

    none = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    encoder: nn.Module = AutoModel.from_pretrained(str(folder), add_pooling_layer=False, **none)
    return encoder


def set_dropout(network: PairEncoder, share: float) -> None:
    """Dropout of the encoder's states; attention keeps none, since with it a CPU is half as fast."""
    for name, module in network.encoder.named_modules():
        if isinstance(module, nn.Dropout) and "self" not in name:
            module.p = share


def average(network: nn.Module, first: Mapping[str, torch.Tensor], keep: float) -> None:
    """Draw the network's weights to the first ones: of every weight `keep` is theirs, the rest its own."""
    with torch.no_grad():
        for name, value in network.named_parameters():
            value.lerp_(first[name], keep)


def freeze(network: PairEncoder) -> None:
    """Keep the word table as it was: it is half of the parameters of a small encoder, and what knows unseen words."""
    for name, parameter in network.encoder.named_parameters():
        if "word_embeddings" in name:
            parameter.requires_grad_(False)


def loss_of(logits: Logits, pairs: list[Pair]) -> torch.Tensor:
    """The mean loss of a mixed batch; two-class rows train the sum of neutral and contradiction."""
    logits = {name: found.float() for name, found in logits.items()}
    asks = torch.tensor([pair.asks for pair in pairs])
    labels = torch.tensor([pair.label for pair in pairs])
    useful = torch.tensor([pair.task == "usefulness" for pair in pairs])
    single = torch.where(useful, logits["usefulness"], logits["relevance"])
    logs = torch.log_softmax(logits["nli"], dim=-1)
    truth = labels.clamp(0, 1).to(single.dtype)
    asked = nn.functional.binary_cross_entropy_with_logits(single, truth, reduction="none")
    return torch.where(asks, asked, _classes(logs, labels)).mean()


def _classes(logs: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    both = torch.logsumexp(logs[:, 1:], dim=-1, keepdim=True)
    return -torch.cat([logs, both], dim=-1).gather(1, labels[:, None]).squeeze(1)


def weights_of(network: PairEncoder) -> dict[str, Any]:
    """The weights as numpy arrays under the names that the export expects."""
    return {name.removeprefix("encoder."): value.numpy() for name, value in network.state_dict().items()}
