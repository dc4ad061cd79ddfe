"""How well true drafts are told from false ones without their document: a judge that can guess learns nothing else.

`python -m veridic_lab.drafts.guessing` prints for each hand the AUC of a bag of words and pairs of words, each document
scored by a model of the others, and the mean length of true and false drafts. At most .58 is asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from veridic_lab.drafts.hands import ROLES, Document, Draft, documents, drafts_of, manifest
from veridic_lab.drafts.measuring import auc

FOLDS = 5
WORD = r"\b\w[\w'-]*\b|[^\w\s]"
RAREST = 4
"""Drafts that a word stands in, at least."""


def main() -> None:
    """Print a line for each hand, and one for all that train."""
    known = documents(*ROLES)
    for hand in manifest():
        _say(hand, [one for one in known if one.hand == hand])
    _say("all that train", documents("train"))


def guessed(told: Sequence[Document]) -> float:
    """AUC of true against false drafts by their words alone. Needs scikit-learn."""
    drafts = drafts_of(told)
    said, true = guesses(drafts), np.array([draft.true for _, draft in drafts])
    return auc(said[true], said[~true])


def guesses(drafts: Sequence[tuple[Document, Draft]]) -> np.ndarray:
    """How true each draft looks by its words alone, to a model of the other documents. Needs scikit-learn."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold

    true = np.array([draft.true for _, draft in drafts])
    bags = CountVectorizer(ngram_range=(1, 2), min_df=RAREST, binary=True, token_pattern=WORD)
    words = bags.fit_transform([draft.text for _, draft in drafts])
    said = np.zeros(len(drafts))
    for learned, asked in GroupKFold(FOLDS).split(words, true, [document.key for document, _ in drafts]):
        model = LogisticRegression(C=0.05, max_iter=500, class_weight="balanced").fit(words[learned], true[learned])
        said[asked] = model.decision_function(words[asked])
    return said


def _say(name: str, told: Sequence[Document]) -> None:
    drafts = [draft for one in told for asked in one.asked for draft in asked.drafts]
    lengths = [np.mean([len(one.text.split()) for one in drafts if one.true is kind]) for kind in (True, False)]
    sys.stdout.write(f"{name}: AUC {guessed(told):.3f}; words in true {lengths[0]:.1f}, in false {lengths[1]:.1f}\n")


if __name__ == "__main__":
    main()
