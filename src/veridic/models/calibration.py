"""What turns a judge's logits into probabilities, and probabilities and signs of a draft into decisions."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from veridic.errors import CalibrationMismatch
from veridic.models.fitting import probability, sigmoid, softmax
from veridic.ports.judgements import DraftSigns, Strictness, Thresholds, log_odds
from veridic.ports.judging import DraftDecision
from veridic.ports.shapes import Promise, Promised

MIN_AUC = 0.65
"""A judge that ranks worse than this does not gate."""
SIGNS = tuple(one.name for one in fields(DraftSigns))
"""Of a draft, in the order of the weights."""
NOTHING: Mapping[str, float] = {}
"""Figures of what was not measured."""
NEVER = 2.0
"""A point that no probability reaches."""
_UNREADABLE = (OSError, ValueError, TypeError, LookupError, AttributeError)


@dataclass(frozen=True)
class Fitted:
    """What was fitted for one scorer and is stored in a file."""

    command: ClassVar[str]
    """What fits it anew."""
    scorer: ClassVar[str]
    """What it is fitted for, in a word."""
    fingerprint: str
    """The scorer's."""

    @classmethod
    def made_of(cls, content: dict[str, Any]) -> Self:
        """What a file held; raises whatever comes of other content."""
        return cls(**content)

    @classmethod
    def read(cls, path: Path, fingerprint: str) -> Self:
        """Read a file; one fitted for another scorer, or an unreadable one, is refused (`CalibrationMismatch`)."""
        content = cls._content(path)
        if content["fingerprint"] != fingerprint:
            raise CalibrationMismatch(
                f"The calibration in {path} was fitted for {cls.scorer} {content['fingerprint']}, not {fingerprint}.",
                f"Run `{cls.command}` for this one.",
            )
        try:
            return cls.made_of(content)
        except _UNREADABLE as error:
            raise cls._unreadable(path) from error

    @classmethod
    def among(cls, paths: Sequence[Path], fingerprint: str) -> Self | None:
        """The one of several files that was fitted for this scorer; None where none was."""
        fitting = (path for path in paths if cls._content(path)["fingerprint"] == fingerprint)
        return next((cls.read(path, fingerprint) for path in fitting), None)

    def write(self, path: Path) -> None:
        """Store it."""
        path.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def _content(cls, path: Path) -> dict[str, Any]:
        """What a file holds, the fingerprint at least."""
        try:
            content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return {**content, "fingerprint": str(content["fingerprint"])}
        except _UNREADABLE as error:
            raise cls._unreadable(path) from error

    @classmethod
    def _unreadable(cls, path: Path) -> CalibrationMismatch:
        return CalibrationMismatch(f"{path} cannot be read as a calibration.", f"Run `{cls.command}`.")


@dataclass(frozen=True)
class Calibration(Fitted):
    """The content of `calibration.json`.

    Logits are multiplied by `scale` (one over the temperature) and shifted by `offset`.
    """

    command = "veridic calibrate"
    scorer = "judge"

    scale: Mapping[str, float]
    offset: Mapping[str, list[float]]
    thresholds: Mapping[Strictness, Thresholds]
    auc: Mapping[str, float]
    ece: Mapping[str, float]
    fitted_on: list[str]
    date: str
    nearest: list[float] = field(default_factory=list)
    """Of a critic that reads a premise twice, whole and by its sentence nearest to the statement: intercept and weights
    of the log-odds of entailment; empty: it reads once."""
    beside: list[float] = field(default_factory=list)
    """Of an evaluator that decides after another: intercept and weights of the log-odds of relevance that it and the
    other say; empty: its own word alone."""

    @classmethod
    def identity(cls, fingerprint: str) -> Self:
        """Leaves logits as they are and decides at one half; does not gate."""
        half = Thresholds(upper=0.5, lower=0.5, strip=0.5, support=0.5, contradiction=0.5, abstention=0.5)
        return cls(
            fingerprint=fingerprint,
            scale={"relevance": 1.0, "usefulness": 1.0, "nli": 1.0},
            offset={"relevance": [0.0], "usefulness": [0.0], "nli": [0.0, 0.0, 0.0]},
            thresholds={"loose": half, "normal": half, "strict": half},
            auc={},
            ece={},
            fitted_on=[],
            date="",
        )

    @classmethod
    def made_of(cls, content: dict[str, Any]) -> Self:
        """What a file held, its thresholds by name; what files of before tell besides nobody asks."""
        told = {name: value for name, value in content.items() if name not in ("by_source", "quantiles")}
        return cls(**{**told, "thresholds": {name: Thresholds(**one) for name, one in told["thresholds"].items()}})

    def gates(self, head: str) -> bool:
        """Whether this head ranks well enough to decide anything."""
        return self.auc.get(head, 0.0) >= MIN_AUC

    def relevance(self, logits: NDArray[np.float32]) -> NDArray[np.float64]:
        """Probabilities that a passage helps."""
        return self._single("relevance", logits)

    def usefulness(self, logits: NDArray[np.float32]) -> NDArray[np.float64]:
        """Probabilities that a text holds the answer; a file from before there was this head has relevance's scale."""
        return self._single("usefulness" if "usefulness" in self.scale else "relevance", logits)

    def nli(self, logits: NDArray[np.float32]) -> NDArray[np.float64]:
        """Rows of three probabilities: entailment, neutral, contradiction."""
        return softmax(self.scale["nli"] * logits.astype(np.float64) + np.array(self.offset["nli"]))

    def entailed(self, whole: float, nearest: float) -> float:
        """P(entailed), of what is said of a premise and of its sentence nearest to the statement."""
        return probability(self.nearest, [log_odds(whole), log_odds(nearest)])

    def relevant(self, own: float, other: float) -> float:
        """P(relevant), of what this evaluator says and what another said before it."""
        return probability(self.beside, [log_odds(own), log_odds(other)]) if self.beside else own

    def of(self, head: str, logits: NDArray[np.float32]) -> NDArray[np.float64]:
        """Probabilities of a head by its name: [n], of nli [n, 3]."""
        heads = {"relevance": self.relevance, "usefulness": self.usefulness, "nli": self.nli}
        return heads[head](logits)

    def _single(self, head: str, logits: NDArray[np.float32]) -> NDArray[np.float64]:
        return sigmoid(self.scale[head] * logits.astype(np.float64) + self.offset[head][0])


@dataclass(frozen=True)
class Decision(Fitted):
    """The content of `decision.json`: two logistic regressions over the signs of a draft."""

    command = "veridic calibrate"
    scorer = "base judge"

    weights: list[float]
    """Of right and supported, where every second draft is: the intercept, then one weight a sign."""
    spoken: list[float]
    """The same of a draft that answers, right or wrong, what the documents speak of."""
    verified: Mapping[Strictness, float]
    """P from which a draft is verified: where the precision of those above is high enough by its lower bound."""
    judged: Mapping[Strictness, float]
    """The same of a draft about whose every sentence a chat model was asked that judges better."""
    given: Mapping[Strictness, float]
    """P(it answers) from which it is given, flagged."""
    capable: float
    """Share of a capable writer's drafts that are right, for which `verified` and `judged` were measured."""
    measured: Mapping[str, Mapping[str, float]]
    """Of the hand that fits, by judge: AUC; of the verified their number, `precision`, its lower bound `least`."""
    date: str

    def __post_init__(self) -> None:
        """Weights of other signs than those that are weighed are none."""
        if {len(self.weights), len(self.spoken)} != {1 + len(SIGNS)}:
            raise ValueError(f"A decision needs an intercept and {len(SIGNS)} weights.")

    def probability(self, signs: DraftSigns, *, capable: bool = False) -> float:
        """P(a draft with these signs is right and supported): by Bayes likelier of a capable writer."""
        intercept, *weights = self.weights
        return probability([intercept + capable * log_odds(self.capable), *weights], weighed(signs))

    def answering(self, signs: DraftSigns) -> float:
        """P(a draft with these signs answers what was asked, right or wrong, as the documents speak of it)."""
        return probability(self.spoken, weighed(signs))

    def verifies_from(self, strictness: Strictness, signs: DraftSigns) -> float:
        """The probability from which a draft with these signs is verified; above 1 where nothing is promised."""
        points = self.judged if signs.judged else self.verified
        return points.get(strictness, NEVER)

    def gives_from(self, strictness: Strictness) -> float:
        """P(a draft answers) from which it is given and flagged."""
        return self.given.get(strictness, NEVER)

    @property
    def promises(self) -> list[Promise]:
        """What *verified* promises of drafts; of those that a chat model judged by the worst judge of the fit."""
        alone, *judged = self.measured.values() or [NOTHING]
        worst = min(judged, key=lambda one: one["least"], default=NOTHING)
        return [
            promised("drafts", self.verified.get("normal", NEVER), alone, self.date),
            promised("drafts that a chat model judged", self.judged.get("normal", NEVER), worst, self.date),
        ]


def promised(kind: Promised, point: float, figures: Mapping[str, float], date: str) -> Promise:
    """From which probability something is verified, and what was measured of that; nothing is from above 1."""
    return Promise(
        kind=kind,
        verified_from=point if point <= 1.0 else None,
        verified=int(figures.get("n", 0)),
        precision=figures.get("precision", 0.0),
        least=figures.get("least", 0.0),
        date=date,
    )


def weighed(signs: DraftSigns) -> list[float]:
    """The signs as they are weighed."""
    return [float(one) for one in astuple(signs)]


@dataclass(frozen=True)
class Unpromised:
    """A decision for judges that it was not fitted for: it verifies nothing."""

    decision: DraftDecision

    def probability(self, signs: DraftSigns, *, capable: bool = False) -> float:
        """As the decision has it, which is about right at best."""
        return self.decision.probability(signs, capable=capable)

    def answering(self, signs: DraftSigns) -> float:
        """As the decision has it."""
        return self.decision.answering(signs)

    def verifies_from(self, _strictness: Strictness, _signs: DraftSigns) -> float:
        """A point that no probability reaches."""
        return NEVER

    def gives_from(self, strictness: Strictness) -> float:
        """P(a draft answers) from which it is given and flagged."""
        return self.decision.gives_from(strictness)
