"""The base judge in torch: one encoder, and heads that read statements and passages with it."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from veridic_lab.training.pairs import NLI_LABELS

THREE = 3
"""Entailment, neutral, contradiction."""
TWO_CLASS = NLI_LABELS.index("not_entailment")
TOKENS_WEIGHT = 0.5
"""Share of the words' loss where marks are known."""


class BaseJudge(nn.Module):  # type: ignore[misc, unused-ignore]
    """Three entailment logits of a statement beside a premise, and for each of its tokens whether it is unsupported.

    The statement's logits are read from the first token's state, from the mean of its own tokens, and from the token
    that is least supported: a subtle error is a word or two.
    """

    def __init__(self, encoder: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder
        self.width = int(encoder.config.hidden_size)  # type: ignore[union-attr, arg-type, unused-ignore]
        self.words = nn.Sequential(nn.Linear(self.width, self.width), nn.GELU(), nn.Linear(self.width, 1))
        self.inner = nn.Sequential(nn.Linear(3 * self.width, self.width), nn.Tanh(), nn.Dropout(0.1))
        self.nli = nn.Linear(self.width + 1, THREE)

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, statement_mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Entailment logits [n, 3] and the words' logits [n, tokens], of which those of the statement count.

        `statement_mask` [n, tokens] is 1 at the statement's tokens.
        """
        states = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        words = self.words(states).squeeze(-1)
        own = statement_mask.to(states.dtype)
        worst = words.masked_fill(statement_mask == 0, -1e4)
        weights = torch.softmax(worst, dim=-1).unsqueeze(-1)
        mean = (states * own.unsqueeze(-1)).sum(1) / own.sum(1, keepdim=True).clamp(min=1)
        read = self.inner(torch.cat([states[:, 0], mean, (states * weights).sum(1)], dim=-1))
        return self.nli(torch.cat([read, worst.max(-1, keepdim=True).values.clamp(-20, 20)], dim=-1)), words


def loss_of(
    logits: torch.Tensor, words: torch.Tensor, labels: torch.Tensor, marks: torch.Tensor, statement_mask: torch.Tensor
) -> torch.Tensor:
    """Cross entropy of the label, two-class where it only says that something does not follow; and of the words.

    `marks` [n, tokens] is 1 at wrong tokens, 0 at right ones, -1 where nothing is known.
    """
    log = torch.log_softmax(logits, dim=-1)
    three = -log.gather(1, labels.clamp(max=THREE - 1).unsqueeze(1)).squeeze(1)
    two = -torch.logsumexp(log[:, 1:], dim=-1)
    said = torch.where(labels == TWO_CLASS, two, three).mean()
    known = (marks >= 0) & (statement_mask == 1)
    if not known.any():
        return said
    told = nn.functional.binary_cross_entropy_with_logits(
        words[known], marks[known].to(words.dtype), pos_weight=torch.tensor(4.0)
    )
    return said + TOKENS_WEIGHT * told


def encoder_of(folder: Path, layers: int) -> nn.Module:
    """The encoder of a folder, its lowest layers alone; 0: all."""
    from transformers import AutoModel

    encoder: nn.Module = AutoModel.from_pretrained(folder)
    if layers:
        encoder.encoder.layer = encoder.encoder.layer[:layers]  # type: ignore[union-attr, index, unused-ignore]
        encoder.config.num_hidden_layers = layers  # type: ignore[union-attr, unused-ignore]
    return encoder


def freeze(judge: BaseJudge, layers: int) -> None:
    """Keep embeddings and the lowest layers as they are."""
    for part in (judge.encoder.embeddings, *judge.encoder.encoder.layer[:layers]):  # type: ignore[union-attr, index, unused-ignore]
        for weight in part.parameters():  # type: ignore[union-attr, unused-ignore]
            weight.requires_grad = False
