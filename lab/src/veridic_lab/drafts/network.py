"""A judge in torch: one encoder, and heads that judge statements and read passages with it.

A row is a first text, its context, and one or several second texts beside it: a premise with the statements that are
held against it, or a question with a passage. The first text is read by itself; each second one sees the first and
itself alone. So a premise is read once for all its statements, and what is said of one depends on no other. Schlatt,
Froebe and Hagen (2024) find that a cross-encoder loses nothing where its one text does not see the other.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

import numpy as np
import torch
from torch import nn
from transformers import AutoModel, BertModel
from transformers.models.mpnet.modeling_mpnet import MPNetEncoder, MPNetModel

THREE = 3
"""Entailment, neutral, contradiction."""
DECISIONS = 3
"""Yes, no, undecided."""
FAR = -1e4
"""The logit of a token that is not asked about; what is not seen is as far."""
BUCKETS = 32
POOL = 1 << 26
"""Values of the masks' pool: more than any layer has."""
FIRST_PLACE = 2
"""MPNet counts places from here."""

Encoder: TypeAlias = MPNetModel | BertModel
Logits = dict[str, torch.Tensor]


class BaseJudge(nn.Module):  # type: ignore[misc, unused-ignore]
    """An encoder with all heads.

    Of a statement: three entailment logits, and for each token whether it is unsupported. They are read from its last
    token, which has seen everything, from the mean of its tokens, and from the one that is least supported: a subtle
    error is a word or two. Of a passage: where the answer to the question starts and ends, that it does not stand
    there, yes or no, and whether the passage is relevant.
    """

    def __init__(self, encoder: Encoder, *, half: bool = False) -> None:
        """`half`: the encoder multiplies in bfloat16."""
        super().__init__()
        self.half = half
        self.encoder = encoder
        self.width = int(encoder.config.hidden_size)
        self.words = nn.Sequential(nn.Linear(self.width, self.width), nn.GELU(), nn.Linear(self.width, 1))
        self.inner = nn.Sequential(nn.Linear(3 * self.width, self.width), nn.Tanh(), nn.Dropout(0.1))
        self.nli = nn.Linear(self.width + 1, THREE)
        self.span = nn.Linear(self.width, 2)
        self.last = nn.Sequential(nn.Linear(self.width, self.width), nn.Tanh(), nn.Dropout(0.1))
        self.passage = nn.Linear(self.width, 2 + DECISIONS)

    def forward(
        self, input_ids: torch.Tensor, places: torch.Tensor, parts: torch.Tensor, rows: torch.Tensor, own: torch.Tensor
    ) -> Logits:
        """Logits of every head, for every second text.

        Of n rows of so many tokens: `input_ids`, `places` (second texts side by side have the same ones), and `parts`,
        0 for the first text, 1, 2, … for the others, -1 for padding; all [n, tokens]. Of m second texts: the row of
        each [m], and which of its tokens are its own [m, tokens], the one that ends it included.

        Returned are `nli` [m, 3], `words`, `start` and `end` [m, tokens] (`FAR` outside `own`), `null` and `relevance`
        [m] and `decision` [m, 3].
        """
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self.half):
            states = self._encoded(input_ids, places, parts)
        states = states.float()
        own = own == 1
        words = self.words(states).squeeze(-1)[rows].masked_fill(~own, FAR)
        start, end = self.span(states)[rows].masked_fill(~own.unsqueeze(-1), FAR).unbind(-1)
        states = states[rows]
        weights = torch.softmax(words, dim=-1).unsqueeze(-1)
        mean = (states * own.unsqueeze(-1)).sum(1) / own.sum(1, keepdim=True).clamp(min=1)
        last = states[torch.arange(len(rows)), _last(own)]
        read = self.inner(torch.cat([last, mean, (states * weights).sum(1)], dim=-1))
        worst = words.max(-1, keepdim=True).values.clamp(-20, 20)
        passage = self.passage(self.last(last))
        return {
            "nli": self.nli(torch.cat([read, worst], dim=-1)),
            "words": words,
            "start": start,
            "end": end,
            "null": passage[:, 0],
            "relevance": passage[:, 1],
            "decision": passage[:, 2:],
        }

    def _encoded(self, input_ids: torch.Tensor, places: torch.Tensor, parts: torch.Tensor) -> torch.Tensor:
        seen = ((parts[:, None, :] == 0) | (parts[:, None, :] == parts[:, :, None])).unsqueeze(1)
        if isinstance(self.encoder, BertModel):
            bias = torch.zeros(seen.shape).masked_fill(~seen, FAR)
            states = self.encoder.embeddings(input_ids, token_type_ids=parts.clamp(0, 1), position_ids=places)
            for layer in self.encoder.encoder.layer:
                found = layer(states, bias)
                states = found if isinstance(found, torch.Tensor) else found[0]
            return states
        states = self.encoder.embeddings(input_ids=input_ids, position_ids=places + FIRST_PLACE)
        with torch.no_grad():
            bias = self._near(places).masked_fill(~seen, FAR).contiguous()
        for layer in self.encoder.encoder.layer:
            states = layer(states, None, bias)[0]
        return states

    def _near(self, places: torch.Tensor) -> torch.Tensor:
        """What MPNet adds to the attention of each token to each other by how far it is."""
        bucket = MPNetEncoder.relative_position_bucket(places[:, None, :] - places[:, :, None], num_buckets=BUCKETS)
        return self.encoder.encoder.relative_attention_bias(bucket).permute(0, 3, 1, 2)


def _last(own: torch.Tensor) -> torch.Tensor:
    """The place of the last token of each."""
    return own.shape[1] - 1 - own.flip(1).to(torch.int64).argmax(1)


def encoder_of(folder: Path, layers: int) -> Encoder:
    """The encoder of a folder, MPNet's or BERT's kind, its lowest layers alone; 0: all."""
    encoder: Encoder = AutoModel.from_pretrained(folder, add_pooling_layer=False)
    if layers:
        encoder.encoder.layer = encoder.encoder.layer[:layers]
        encoder.config.num_hidden_layers = len(encoder.encoder.layer)
    return encoder


class PooledDropout(nn.Module):  # type: ignore[misc, unused-ignore]
    """Dropout whose masks are pieces of one that was drawn before: torch draws on one core, a third of a step."""

    p = 0.0
    """What attention drops that asks for the share alone, as BERT's does: nothing."""

    def __init__(self, dropped: float, seed: int = 7) -> None:
        """`dropped`: the share of values that become 0; the others grow so that their mean stays."""
        super().__init__()
        self._rng = np.random.default_rng(seed)
        self._pool = torch.from_numpy(self._rng.random(POOL, dtype=np.float32) >= dropped)
        self._grown = 1 / (1 - dropped)

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """The same while judging."""
        if not self.training:
            return states
        start = int(self._rng.integers(0, POOL - states.numel()))
        return states * self._pool[start : start + states.numel()].view_as(states) * self._grown


def with_pooled_dropout(encoder: Encoder) -> Encoder:
    """The same encoder, all its dropouts pooled."""
    pooled = PooledDropout(encoder.config.hidden_dropout_prob)
    for part in list(encoder.modules()):
        for name, child in part.named_children():
            if isinstance(child, nn.Dropout):
                setattr(part, name, pooled)
    return encoder


def freeze(judge: BaseJudge, layers: int) -> None:
    """Keep embeddings and the lowest layers as they are."""
    for part in (judge.encoder.embeddings, *judge.encoder.encoder.layer[:layers]):
        for weight in part.parameters():
            weight.requires_grad = False


def half_pays() -> bool:
    """Whether this processor multiplies bfloat16, which then takes half the time; elsewhere it takes longer."""
    return bool(getattr(torch.cpu, "_is_avx512_bf16_supported", bool)())
