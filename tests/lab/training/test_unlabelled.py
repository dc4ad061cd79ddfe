from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from veridic_lab.training.pairs import Pair
from veridic_lab.training.soft import UNLABELLED, key_of
from veridic_lab.training.unlabelled import neighbours, rearranged


def test_hypotheses_of_one_premise_are_held_against_each_other() -> None:
    said = [Pair("nli", premise, f"{premise} {n}", n % 3, "mnli", premise) for premise in "PQ" for n in range(3)]
    found = rearranged(said, 4)
    assert len({key_of(pair) for pair in found}) == 2 * (4 + 1)
    for pair in found:
        assert pair.label == UNLABELLED
        assert {pair.first[0], pair.second[0]} == {pair.key}
        assert key_of(pair) not in {key_of(labelled) for labelled in said}
    assert {pair.second for pair in found} >= {"P", "Q"}


def test_a_question_meets_what_answers_others_and_never_what_it_was_labelled_with() -> None:
    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        return np.eye(8, dtype=np.float32)[[int(text[-1]) for text in texts]]

    labelled = [Pair("relevance", f"q{n}", f"p{n}", 1, "qnli", f"q{n}") for n in range(4)]
    found = neighbours(labelled, embed, 2)
    assert len(found) == 8
    assert all(pair.label == UNLABELLED and pair.first[-1] != pair.second[-1] for pair in found)
    assert neighbours([], embed, 2) == []
