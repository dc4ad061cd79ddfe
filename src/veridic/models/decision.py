"""P(what a chat model wrote is right and supported), fitted on drafts whose truth is known, and what follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass, fields

from veridic.models.calibration import Fitted
from veridic.models.reader_calibration import probability
from veridic.ports.judgements import DraftSigns, Strictness
from veridic.ports.judging import DraftDecision

SIGNS = tuple(one.name for one in fields(DraftSigns))
"""In the order of the weights."""
NEVER = 2.0
"""A point that no probability reaches."""


@dataclass(frozen=True)
class Decision(Fitted):
    """The content of `decision.json`: a logistic regression over the signs of a draft."""

    command = "veridic calibrate"
    scorer = "base judge"

    weights: list[float]
    """The intercept, then one weight a sign."""
    verified: Mapping[Strictness, float]
    """P from which a draft is verified: where the precision of those above is high enough by its lower bound."""
    given: Mapping[Strictness, float]
    """P from which it is given, flagged."""
    measured: Mapping[str, float]
    """Of the hand that fits: `precision` of the verified, its lower bound `least`, their number `n`, and the AUC."""
    date: str

    def __post_init__(self) -> None:
        """Weights of other signs than those that are weighed are none."""
        if len(self.weights) != 1 + len(SIGNS):
            raise ValueError(f"A decision needs an intercept and {len(SIGNS)} weights.")

    def probability(self, signs: DraftSigns) -> float:
        """P(a draft with these signs is right and supported)."""
        return probability(self.weights, weighed(signs))

    def verifies_from(self, strictness: Strictness) -> float:
        """The probability from which a draft is verified; above 1 where nothing is promised."""
        return self.verified.get(strictness, NEVER)

    def gives_from(self, strictness: Strictness) -> float:
        """The probability from which a draft is given and flagged."""
        return self.given.get(strictness, NEVER)


def weighed(signs: DraftSigns) -> list[float]:
    """The signs as they are weighed."""
    return [float(one) for one in astuple(signs)]


@dataclass(frozen=True)
class Unpromised:
    """A decision for judges that it was not fitted for: it verifies nothing."""

    decision: DraftDecision

    def probability(self, signs: DraftSigns) -> float:
        """As the decision has it, which is about right at best."""
        return self.decision.probability(signs)

    def verifies_from(self, _strictness: Strictness) -> float:
        """A point that no probability reaches."""
        return NEVER

    def gives_from(self, strictness: Strictness) -> float:
        """The probability from which a draft is given and flagged."""
        return self.decision.gives_from(strictness)
