"""What the base judge's answers cost, head by head; each head learns from the examples that say something of it."""

from __future__ import annotations

import torch
from torch import nn

from veridic_lab.drafts.batches import Batch
from veridic_lab.drafts.network import Logits
from veridic_lab.training.pairs import NLI_LABELS

TWO_CLASS = NLI_LABELS.index("not_entailment")
WORDS = 0.5
"""Weight of the words' loss; of the others."""
PAIRS = 0.5
DECIDED = 2.0
RELEVANCE = 0.5
WRONG = 4.0
"""How much more a wrong word weighs than a right one."""


def loss_of(logits: Logits, batch: Batch) -> torch.Tensor:
    """The sum of the heads' mean losses, each weighed by its share of the batch."""
    count = len(batch.at)
    parts = [
        _summed(_nli(logits["nli"], batch.labels), batch.labels >= 0) / count,
        PAIRS * _paired(logits["nli"], batch) / count,
        WORDS * _words(logits["words"], batch),
        _summed(_spans(logits, batch), batch.answered >= 0) / count,
        DECIDED * _summed(_decided(logits["decision"], batch.decisions), batch.decisions >= 0) / count,
        RELEVANCE * _summed(_relevant(logits["relevance"], batch.relevant), batch.relevant >= 0) / count,
    ]
    return torch.stack(parts).sum()


def _summed(losses: torch.Tensor, known: torch.Tensor) -> torch.Tensor:
    return torch.where(known, losses, torch.zeros_like(losses)).sum()


def _nli(logits: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """Cross entropy, two-class where a label only says that something does not follow."""
    log = torch.log_softmax(logits, dim=-1)
    three = -log.gather(1, labels.clamp(0, 2).unsqueeze(1)).squeeze(1)
    return torch.where(labels == TWO_CLASS, -torch.logsumexp(log[:, 1:], dim=-1), three)


def _paired(logits: torch.Tensor, batch: Batch) -> torch.Tensor:
    """A true statement of a question is to lie above a false one: mean over its pairs, summed over true statements."""
    support = logits[:, 0] - torch.logsumexp(logits[:, 1:], dim=-1)
    same = (batch.groups[:, None] == batch.groups[None, :]) & (batch.groups[:, None] >= 0)
    pairs = same & (batch.labels[:, None] == 0) & (batch.labels[None, :] > 0)
    losses = nn.functional.softplus(support[None, :] - support[:, None])
    count = pairs.sum(1).clamp(min=1)
    return (torch.where(pairs, losses, torch.zeros_like(losses)).sum(1) / count).sum()


def _words(logits: torch.Tensor, batch: Batch) -> torch.Tensor:
    known = batch.marks >= 0
    if not known.any():
        return logits.new_zeros(())
    weight = torch.tensor(WRONG)
    return nn.functional.binary_cross_entropy_with_logits(
        logits[known], batch.marks[known].to(logits.dtype), pos_weight=weight
    )


def _spans(logits: Logits, batch: Batch) -> torch.Tensor:
    """Minus the log-probability of all places where the answer stands; of none, where it does not."""
    start, end = (log_places(logits[name], logits["null"]) for name in ("start", "end"))
    found = batch.starts >= 0
    both = start.gather(1, batch.starts.clamp(min=0)) + end.gather(1, batch.ends.clamp(min=0))
    spans = torch.logsumexp(both.masked_fill(~found, -1e4), dim=1)
    return -torch.where(batch.answered == 1, spans, start[:, -1] + end[:, -1])


def log_places(logits: torch.Tensor, null: torch.Tensor) -> torch.Tensor:
    """Log-probabilities [n, tokens + 1] of the tokens where an answer starts, or ends; the last column is none."""
    return torch.cat([logits, null[:, None]], dim=1).log_softmax(-1)


def _decided(logits: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    return nn.functional.cross_entropy(logits, truth.clamp(min=0), reduction="none")


def _relevant(logits: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    return nn.functional.binary_cross_entropy_with_logits(logits, truth.clamp(min=0).to(logits.dtype), reduction="none")
