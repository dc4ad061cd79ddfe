"""What the base judge in torch says of statements and of whole drafts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch

from veridic_lab.drafts.batches import Batcher
from veridic_lab.drafts.examples import Example, of_draft
from veridic_lab.drafts.hands import Document
from veridic_lab.drafts.measuring import Scored
from veridic_lab.drafts.network import BaseJudge


def scored(judge: BaseJudge, batcher: Batcher, documents: Sequence[Document]) -> list[Scored]:
    """Every draft of the documents by the base judge, as good as its worst statement."""
    drafts = [(one, asked, draft) for one in documents for asked in one.asked for draft in asked.drafts]
    examples: list[Example] = []
    owner: list[int] = []
    for at, (document, asked, draft) in enumerate(drafts):
        own = list(of_draft(document, asked, draft, draft.question))
        examples += own
        owner += [at] * len(own)
    said = entailed(judge, batcher, examples)
    least = np.ones(len(drafts))
    np.minimum.at(least, owner, said)
    return [
        Scored(f"{document.key} {asked.question}", draft.error, len(draft.text.split()), float(support))
        for (document, asked, draft), support in zip(drafts, least, strict=True)
    ]


def entailed(judge: BaseJudge, batcher: Batcher, examples: Sequence[Example]) -> np.ndarray:
    """P(entailed) of each example."""
    found = np.zeros(len(examples))
    judge.eval()
    with torch.inference_mode():
        for batch in batcher.batches(examples):
            found[batch.at] = judge(**batch.inputs)["nli"].softmax(-1)[:, 0].numpy()
    return found
