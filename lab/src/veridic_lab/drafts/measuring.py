"""How well a judge tells faithful drafts from nearly faithful ones, and which words it marks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from veridic_lab.drafts.batches import Batcher
from veridic_lab.drafts.examples import Example, of_draft
from veridic_lab.drafts.hands import Document
from veridic_lab.drafts.network import BaseJudge


@dataclass(frozen=True)
class Scored:
    """A draft with what a judge says of it."""

    question: str
    """Tells the drafts of one question from others: the document's key, and the question."""
    error: str
    words: int
    support: float
    """Of its statements the least, 0 to 1."""

    @property
    def true(self) -> bool:
        """Whether it is faithful."""
        return not self.error


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
            found[batch.places] = judge(**batch.inputs)["nli"].softmax(-1)[:, 0].numpy()
    return found


def measured(found: Sequence[Scored]) -> dict[str, float]:
    """AUC, paired accuracy of true against false drafts of one question, and the best balanced accuracy."""
    true = np.array([one.support for one in found if one.true])
    false = np.array([one.support for one in found if not one.true])
    points = np.unique(np.concatenate([true, false]))
    balanced = max(((true >= at).mean() + (false < at).mean()) / 2 for at in points)
    return {"auc": round(auc(true, false), 4), "paired": round(paired(found), 4), "balanced": round(balanced, 4)}


def auc(true: np.ndarray, false: np.ndarray) -> float:
    """P(a true draft scores above a false one); ties count half."""
    above = (true[:, None] > false[None, :]).mean() + 0.5 * (true[:, None] == false[None, :]).mean()
    return float(above)


def paired(found: Sequence[Scored]) -> float:
    """The same among the drafts of one question."""
    by_question: dict[str, list[Scored]] = defaultdict(list)
    for one in found:
        by_question[one.question].append(one)
    wins = [
        float(true.support > false.support) + 0.5 * (true.support == false.support)
        for own in by_question.values()
        for true in own
        if true.true
        for false in own
        if not false.true
    ]
    return float(np.mean(wins))


def by_error(found: Sequence[Scored]) -> dict[str, float]:
    """The AUC of all true drafts against the false ones of each kind of error."""
    true = np.array([one.support for one in found if one.true])
    kinds = sorted({one.error for one in found if one.error})
    return {kind: round(auc(true, np.array([one.support for one in found if one.error == kind])), 3) for kind in kinds}
