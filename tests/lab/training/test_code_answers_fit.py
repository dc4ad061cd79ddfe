"""The fit of how probably code answers, on signs whose truth is made."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("sklearn")

from veridic.evidence.code_answers import CodeSigns
from veridic_lab.training.code.answers import CodeCase, fitted

SIGNS = CodeSigns(1.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0)


def made(*, few: bool = False) -> list[CodeCase]:
    """Forty documents, each with code that is nearer than the other and right, and one that is not."""
    rng = np.random.default_rng(7)
    return [
        CodeCase(f"d{number}", "How?", replace(SIGNS, nearer=gap * side), side > 0, few)
        for number, gap in enumerate(rng.uniform(0.05, 0.3, 40))
        for side in (1, -1)
    ]


def test_what_is_nearer_is_likelier() -> None:
    weights = fitted(made(), "an embedder")
    assert (weights.embedder, weights.fitted_on) == ("an embedder", 80)
    likely, unlikely = (weights.probability(replace(SIGNS, nearer=gap)) for gap in (0.2, -0.2))
    assert likely > 0.9 > 0.1 > unlikely


def test_what_is_told_beside_less_is_learned_from_and_not_measured() -> None:
    few = [replace(case, right=not case.right) for case in made(few=True)]
    both = fitted([*made(), *few], "e")
    assert both.fitted_on == 160
    assert abs(both.weights[3]) < 0.5
