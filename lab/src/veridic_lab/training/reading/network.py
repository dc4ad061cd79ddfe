"""The reader in torch: an encoder, two logits a token, one for "no answer here", three for yes, no and undecided."""

from __future__ import annotations

import torch
from torch import nn

from veridic_lab.training.network import Head, JudgeNetwork, PairEncoder
from veridic_lab.training.pairs import NLI_LABELS
from veridic_lab.training.reading.batches import NOTHING, ReadingBatch
from veridic_lab.training.reading.rows import DECISIONS

FAR = -1e4
"""The logit of a place where no answer may stand."""
SAID = {"yes": "entailment", "no": "contradiction", "undecided": "neutral"}

ReaderLogits = dict[str, torch.Tensor]
"""`start` and `end` [n, tokens], `null` [n], `decision` [n, 3]."""


class ReaderNetwork(PairEncoder):
    """Reads a text for a question's answer.

    "No answer here" is told from both texts' means, as relevance is, and stands beside the tokens in both softmaxes,
    in the place that [CLS] has in Devlin et al. 2019, section 4.3.
    """

    def __init__(self, encoder: nn.Module) -> None:
        super().__init__(encoder)
        self.span = nn.Linear(self.width, 2)
        self.null = Head(4 * self.width, self.width, 1)
        self.decision = Head(4 * self.width, self.width, len(DECISIONS))

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> ReaderLogits:
        """The logits of every place and of the whole."""
        states = self.states(input_ids, attention_mask, token_type_ids)
        pooled = self.pooled(states, attention_mask, token_type_ids)
        start, end = self.span(states).unbind(-1)
        return {
            "start": start,
            "end": end,
            "null": self.null(pooled)[0].squeeze(-1),
            "decision": self.decision(pooled)[0],
        }


def from_judge(judge: JudgeNetwork) -> ReaderNetwork:
    """A reader on a judge's encoder: what is irrelevant holds no answer, what is entailed is a yes."""
    reader = ReaderNetwork(judge.encoder)
    reader.null.load_state_dict(judge.relevance.state_dict())
    reader.decision.load_state_dict(judge.nli.state_dict())
    with torch.no_grad():
        reader.null.out.weight.neg_()
        reader.null.out.bias.neg_()
        order = [NLI_LABELS.index(SAID[name]) for name in DECISIONS]
        reader.decision.out.weight.copy_(judge.nli.out.weight[order])
        reader.decision.out.bias.copy_(judge.nli.out.bias[order])
    return reader


def to_judge(reader: ReaderNetwork, judge: JudgeNetwork) -> None:
    """Put a reader's weights into a judge, the other way round: a text without an answer is irrelevant and useless."""
    judge.encoder.load_state_dict(reader.encoder.state_dict())
    judge.relevance.load_state_dict(reader.null.state_dict())
    judge.nli.load_state_dict(reader.decision.state_dict())
    with torch.no_grad():
        judge.relevance.out.weight.neg_()
        judge.relevance.out.bias.neg_()
        order = [NLI_LABELS.index(SAID[name]) for name in DECISIONS]
        judge.nli.out.weight[order] = reader.decision.out.weight
        judge.nli.out.bias[order] = reader.decision.out.bias
    judge.usefulness.load_state_dict(judge.relevance.out.state_dict())


def reading_loss(logits: ReaderLogits, batch: ReadingBatch) -> torch.Tensor:
    """The mean loss of a mixed batch.

    Of a span row minus the log of the sum over its places of P(start) P(end); of "none" both softmaxes want the null;
    of yes, no and undecided the cross-entropy of the decision.
    """
    logits = {name: found.float() for name, found in logits.items()}
    polar = batch.decision != NOTHING
    losses = torch.where(polar, _decided(logits["decision"], batch.decision), -_log_found(logits, batch))
    return losses.mean()


def _decided(logits: torch.Tensor, truth: torch.Tensor) -> torch.Tensor:
    return nn.functional.cross_entropy(logits, truth.clamp(min=0), reduction="none")


def _log_found(logits: ReaderLogits, batch: ReadingBatch) -> torch.Tensor:
    start, end = (log_places(logits[name], logits["null"], batch.readable) for name in ("start", "end"))
    found = batch.starts != NOTHING
    both = start.gather(1, batch.starts.clamp(min=0)) + end.gather(1, batch.ends.clamp(min=0))
    spans = torch.logsumexp(both.masked_fill(~found, FAR), dim=1)
    return torch.where(found.any(1), spans, start[:, -1] + end[:, -1])


def log_places(logits: torch.Tensor, null: torch.Tensor, readable: torch.Tensor) -> torch.Tensor:
    """Log-probabilities [n, tokens + 1] of the places where an answer may stand; the last column is none."""
    return torch.cat([logits.masked_fill(~readable, FAR), null[:, None]], dim=1).log_softmax(-1)
