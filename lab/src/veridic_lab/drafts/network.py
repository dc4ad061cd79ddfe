"""The base judge in torch: one encoder, and heads that judge statements and read passages with it."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

THREE = 3
"""Entailment, neutral, contradiction."""
DECISIONS = 3
"""Yes, no, undecided."""
FAR = -1e4
"""The logit of a token that is not asked about."""

Logits = dict[str, torch.Tensor]


class BaseJudge(nn.Module):  # type: ignore[misc, unused-ignore]
    """A first text beside a second one: a statement beside its premise, or a passage beside its question.

    Of a statement: three entailment logits, and for each token whether it is unsupported. They are read from the first
    token's state, from the mean of its own tokens, and from the token that is least supported: a subtle error is a
    word or two. Of a passage: where the answer to the question starts and ends, that it does not stand there, yes or
    no, and whether the passage is relevant.
    """

    def __init__(self, encoder: nn.Module, *, half: bool = False) -> None:
        """`half`: the encoder multiplies in bfloat16."""
        super().__init__()
        self.half = half
        self.encoder = encoder
        self.width = int(encoder.config.hidden_size)  # type: ignore[union-attr, arg-type, unused-ignore]
        self.words = nn.Sequential(nn.Linear(self.width, self.width), nn.GELU(), nn.Linear(self.width, 1))
        self.inner = nn.Sequential(nn.Linear(3 * self.width, self.width), nn.Tanh(), nn.Dropout(0.1))
        self.nli = nn.Linear(self.width + 1, THREE)
        self.span = nn.Linear(self.width, 2)
        self.first = nn.Sequential(nn.Linear(self.width, self.width), nn.Tanh(), nn.Dropout(0.1))
        self.passage = nn.Linear(self.width, 2 + DECISIONS)

    def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor, own_mask: torch.Tensor) -> Logits:
        """Logits of every head.

        `own_mask` [n, tokens] is 1 at the tokens of the statement, or of the passage that is read. Returned are `nli`
        [n, 3], `words`, `start` and `end` [n, tokens] (`FAR` outside `own_mask`), `null` and `relevance` [n] and
        `decision` [n, 3].
        """
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.half):
            states = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state.float()
        own = own_mask == 1
        words = self.words(states).squeeze(-1).masked_fill(~own, FAR)
        weights = torch.softmax(words, dim=-1).unsqueeze(-1)
        mean = (states * own.unsqueeze(-1)).sum(1) / own.sum(1, keepdim=True).clamp(min=1)
        read = self.inner(torch.cat([states[:, 0], mean, (states * weights).sum(1)], dim=-1))
        worst = words.max(-1, keepdim=True).values.clamp(-20, 20)
        start, end = self.span(states).masked_fill(~own.unsqueeze(-1), FAR).unbind(-1)
        passage = self.passage(self.first(states[:, 0]))
        return {
            "nli": self.nli(torch.cat([read, worst], dim=-1)),
            "words": words,
            "start": start,
            "end": end,
            "null": passage[:, 0],
            "relevance": passage[:, 1],
            "decision": passage[:, 2:],
        }


def encoder_of(folder: Path, layers: int) -> nn.Module:
    """The encoder of a folder, its lowest layers alone; 0: all."""
    from transformers import AutoModel

    encoder: nn.Module = AutoModel.from_pretrained(folder)
    if layers:
        encoder.encoder.layer = encoder.encoder.layer[:layers]  # type: ignore[union-attr, index, unused-ignore]
        encoder.config.num_hidden_layers = layers  # type: ignore[union-attr, unused-ignore]
    return encoder


def half_pays() -> bool:
    """Whether this processor multiplies bfloat16, which then takes half the time; elsewhere it takes longer."""
    return bool(torch.cpu._is_avx512_bf16_supported())


def freeze(judge: BaseJudge, layers: int) -> None:
    """Keep embeddings and the lowest layers as they are."""
    for part in (judge.encoder.embeddings, *judge.encoder.encoder.layer[:layers]):  # type: ignore[union-attr, index, unused-ignore]
        for weight in part.parameters():  # type: ignore[union-attr, unused-ignore]
            weight.requires_grad = False
