from hypothesis import given
from hypothesis import strategies as st

from tests.fakes.judges import THRESHOLDS
from veridic.nodes.evaluate import decide

SCORES = st.lists(st.floats(0, 1), max_size=20)
ORDER = ["incorrect", "ambiguous", "correct"]


@given(SCORES)
def test_the_action_follows_the_best_score_alone(scores: list[float]) -> None:
    best = max(scores, default=0.0)
    expected = "correct" if best >= THRESHOLDS.upper else "ambiguous" if best >= THRESHOLDS.lower else "incorrect"
    assert decide(scores, THRESHOLDS) == expected


@given(SCORES, st.floats(0, 1))
def test_another_document_never_makes_the_action_worse(scores: list[float], more: float) -> None:
    assert ORDER.index(decide([*scores, more], THRESHOLDS)) >= ORDER.index(decide(scores, THRESHOLDS))
