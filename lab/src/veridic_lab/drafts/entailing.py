"""What the base judge in torch says of statements and of whole drafts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from veridic_lab.drafts.batches import Batcher
from veridic_lab.drafts.examples import Example, example_of
from veridic_lab.drafts.hands import Asked, Document, Draft
from veridic_lab.drafts.measuring import Scored
from veridic_lab.drafts.network import THREE, BaseJudge


def scored(judge: BaseJudge, batcher: Batcher, documents: Sequence[Document]) -> list[Scored]:
    """Every draft of the documents by the base judge, judged as one statement."""
    drafts = [(one, asked, draft) for one in documents for asked in one.asked for draft in asked.drafts]
    said = entailed(judge, batcher, [example_of(one, asked, draft.whole()) for one, asked, draft in drafts])
    return _as_scored(drafts, said)


def scored_by_sentence(judge: BaseJudge, batcher: Batcher, documents: Sequence[Document]) -> list[Scored]:
    """Every draft of the documents by the base judge, as good as its worst sentence."""
    drafts = [(one, asked, draft) for one in documents for asked in one.asked for draft in asked.drafts]
    examples: list[Example] = []
    owner: list[int] = []
    for at, (document, asked, draft) in enumerate(drafts):
        own = [example_of(document, asked, one) for one in draft.statements()]
        examples += own
        owner += [at] * len(own)
    least = np.ones(len(drafts))
    np.minimum.at(least, owner, entailed(judge, batcher, examples))
    return _as_scored(drafts, least)


def _as_scored(drafts: Sequence[tuple[Document, Asked, Draft]], support: np.ndarray) -> list[Scored]:
    return [
        Scored(f"{document.key} {asked.question}", draft.error, len(draft.text.split()), float(one))
        for (document, asked, draft), one in zip(drafts, support, strict=True)
    ]


def entailed(judge: BaseJudge, batcher: Batcher, examples: Sequence[Example]) -> np.ndarray:
    """P(entailed) of each example."""
    return np.asarray(probabilities(judge, batcher, examples)[:, 0])


def probabilities(judge: BaseJudge, batcher: Batcher, examples: Sequence[Example]) -> np.ndarray:
    """P(entailed), P(neutral) and P(contradicted) of each example, [n, 3]."""
    found = np.zeros((len(examples), THREE))
    judge.eval()
    with torch.inference_mode():
        for batch in batcher.batches(examples):
            found[batch.at] = judge(**batch.inputs)["nli"].softmax(-1).numpy()
    return found
