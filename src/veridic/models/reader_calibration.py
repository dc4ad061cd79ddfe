"""What turns what was read into P(the answer is right), and that into whether it is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log1p
from typing import Any, cast

from veridic.models.calibration import MIN_AUC, NEVER, Fitted, promised
from veridic.models.fitting import probability
from veridic.ports.judgements import STRICTNESSES, AnswerSigns, SentenceSigns, Strictness, log_odds
from veridic.ports.judging import Reader
from veridic.ports.shapes import Promise, Promised
from veridic.text.kinds import ANSWER_KINDS, AnswerKind

SIGNS = ("margin", "relevance", "agreeing", "lead", "usefulness", "seconded")
"""The fields of `AnswerSigns`, in the order of the weights."""
SENTENCE_SIGNS = ("usefulness", "worded", "margin", "relevance", "read", "company", "length", "lead")
"""The fields of `SentenceSigns`, likewise."""
TOLD: Promised = "short answers and quotations"
"""What is promised of."""
READ = 1 + SENTENCE_SIGNS.index("read")
"""Where the weight of what was read stands among those of a sentence."""
YES_NO: AnswerKind = "yes-no"
FARTHEST = 12.0
"""Log-odds beyond which nothing becomes surer."""
FARTHEST_LEAD = 6.0
"""The same of what lies between two texts."""


def _margin_of(signs: Sequence[str]) -> list[float]:
    """Weights that take the margin for log-odds."""
    return [0.0, *(float(name == "margin") for name in signs)]


def _scaled(weights: Sequence[float], scale: float, offset: float, moved: int | None = None) -> list[float]:
    """Weights of log-odds, scaled and shifted; the sign at `moved` is itself such log-odds, of which that is done."""
    found = [scale * one for one in weights]
    found[0] += offset
    if moved is not None:
        found[0] -= weights[moved] * offset
        found[moved] = weights[moved]
    return found


def _moved(point: float, scale: float, offset: float) -> float:
    """A probability whose log-odds are scaled and shifted; what none reaches stays out of reach."""
    return point if point >= 1.0 else probability([offset, scale], [log_odds(point)])


def signs_of(signs: AnswerSigns) -> list[float]:
    """The signs as they are weighed: margins bounded, probabilities as log-odds."""
    return [
        min(max(signs.margin, -FARTHEST), FARTHEST),
        log_odds(signs.relevance, 0.001),
        signs.agreeing,
        min(max(signs.lead, -FARTHEST), FARTHEST),
        log_odds(signs.usefulness),
        min(max(signs.seconded, -FARTHEST), FARTHEST),
    ]


def sentence_signs_of(signs: SentenceSigns) -> list[float]:
    """The signs of a sentence as they are weighed: margins bounded, probabilities as log-odds, logarithms of counts."""
    return [
        log_odds(signs.usefulness),
        signs.worded,
        min(max(signs.margin, -FARTHEST), FARTHEST),
        log_odds(signs.relevance, 0.001),
        log_odds(signs.read),
        log1p(signs.company),
        log1p(signs.length),
        min(max(signs.lead, -FARTHEST_LEAD), FARTHEST_LEAD),
    ]


@dataclass(frozen=True)
class ReaderCalibration(Fitted):
    """The content of a reader's `calibration.json`: logistic regressions on "is this answer right"."""

    command = "veridic calibrate answers"
    scorer = "reader"

    weights: Mapping[str, list[float]]
    """By kind of question: the intercept, then one weight a sign."""
    needed: Mapping[str, Mapping[str, float]]
    """By strictness and kind of question: the confidence from which a short answer is told."""
    auc: float
    ece: float
    fitted_on: Mapping[str, int]
    """Questions by set."""
    date: str
    verified: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """By strictness and kind of question: the confidence from which a short answer is verified; none: never."""
    sentences: list[float] = field(default_factory=list)
    """P(a sentence answers): the intercept, then one weight a sign; empty: the margin is taken for log-odds."""

    polar: bool = False
    """Whether P(a sentence answers) was fitted on questions of yes or no, too: no sentence answers those otherwise."""
    quoted: Mapping[str, float] = field(default_factory=dict)
    """By strictness: P(a sentence answers) from which it is verified without a sure short answer; none: never."""
    given: Mapping[str, float] = field(default_factory=dict)
    """By strictness: P(a sentence answers) from which it is given and flagged; none: what is likelier than not."""
    measured: Mapping[str, float] = field(default_factory=dict)
    """Of the hand that fits: AUC; of what is verified at normal strictness the number, `precision`, its lower bound
    `least`."""
    decided: list[float] = field(default_factory=lambda: [1.0, 0.0])
    """Scale and offset that make the log-odds of "Yes." those of yes, of a reader that judges it as a statement."""

    def __post_init__(self) -> None:
        """Weights of other signs than those that are weighed are none."""
        if any(len(row) != 1 + len(SIGNS) for row in self.weights.values()):
            raise ValueError(f"Each kind needs an intercept and {len(SIGNS)} weights.")
        if self.sentences and len(self.sentences) != 1 + len(SENTENCE_SIGNS):
            raise ValueError(f"Sentences need an intercept and {len(SENTENCE_SIGNS)} weights.")

    @classmethod
    def identity(cls, fingerprint: str) -> ReaderCalibration:
        """Takes the margin for log-odds and gives what is likelier than not; does not gate."""
        return cls(fingerprint, {}, {}, auc=0.0, ece=1.0, fitted_on={}, date="")

    @property
    def gates(self) -> bool:
        """Whether its confidence ranks right answers well enough to decide anything."""
        return self.auc >= MIN_AUC

    def confidence(self, kind: AnswerKind, signs: AnswerSigns) -> float:
        """P(an answer with these signs is right)."""
        return probability(self.weights.get(kind) or _margin_of(SIGNS), signs_of(signs))

    def answering(self, signs: SentenceSigns) -> float:
        """P(a sentence with these signs answers the question)."""
        return probability(self.sentences or _margin_of(SENTENCE_SIGNS), sentence_signs_of(signs))

    def deciding(self, logit: float) -> float:
        """P(the answer is yes), of the log-odds with which a text entails "Yes."."""
        scale, offset = self.decided
        return probability([offset, scale], [logit])

    def needed_for(self, kind: AnswerKind, strictness: Strictness) -> float:
        """The confidence from which a short answer is told."""
        return self.needed.get(strictness, {}).get(kind, 0.5)

    def verified_from(self, kind: AnswerKind, strictness: Strictness) -> float:
        """The confidence from which a short answer is verified; above 1 where never."""
        return self.verified.get(strictness, {}).get(kind, NEVER)

    def moved(self, scale: float, offset: float) -> ReaderCalibration:
        """The calibration whose log-odds are these, scaled and shifted; points move along, so that as much is given.

        P and points of yes and no stay: they are of another kind.
        """

        def points(of: Callable[[AnswerKind, Strictness], float], name: Strictness) -> dict[str, float]:
            return {
                kind: of(kind, name) if kind == YES_NO else _moved(of(kind, name), scale, offset)
                for kind in ANSWER_KINDS
            }

        weights = {kind: self.weights.get(kind, _margin_of(SIGNS)) for kind in ANSWER_KINDS}
        return replace(
            self,
            weights={kind: row if kind == YES_NO else _scaled(row, scale, offset) for kind, row in weights.items()},
            sentences=_scaled(self.sentences or _margin_of(SENTENCE_SIGNS), scale, offset, READ),
            needed={name: points(self.needed_for, name) for name in STRICTNESSES},
            verified={name: points(self.verified_from, name) for name in STRICTNESSES},
            quoted={name: _moved(self.quoted.get(name, NEVER), scale, offset) for name in STRICTNESSES},
            given={name: _moved(self.given.get(name, 0.5), scale, offset) for name in STRICTNESSES},
        )

    def unpromised(self) -> ReaderCalibration:
        """The calibration without points from which anything is verified."""
        return replace(self, verified={}, quoted={}, measured={})

    @property
    def promises(self) -> list[Promise]:
        """What *verified* promises of what is read and quoted; nothing where that was not measured."""
        point = min(self.verified.get("normal", {}).values(), default=NEVER)
        return [promised(TOLD, point, self.measured, self.date)] if self.measured else []


class UnpromisedReader:
    """A reader beside judges that its P was not fitted with: it verifies nothing."""

    promises: Sequence[Promise] = ()
    """What *verified* promises of what it read: nothing."""

    def __init__(self, reader: Reader) -> None:
        """All else is as `reader` has it."""
        self._reader = reader

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the reader has
        return getattr(self._reader, name)

    def verified(self, _kind: AnswerKind, _strictness: Strictness) -> float:
        """A point that no probability reaches."""
        return NEVER

    def quoted(self, _strictness: Strictness, *, read: bool = True) -> float:  # noqa: ARG002
        """A point that no probability reaches."""
        return NEVER


def unpromised(reader: Reader) -> Reader:
    """The reader, which verifies nothing; for judges that its P was not fitted with."""
    return cast("Reader", UnpromisedReader(reader))


class Calibrated:
    """What readers of every kind tell by their calibration."""

    calibration: ReaderCalibration
    """What was fitted for this reader."""

    @property
    def gates(self) -> bool:
        """Whether its confidence ranks right answers over wrong ones."""
        return self.calibration.gates

    @property
    def promises(self) -> list[Promise]:
        """What *verified* promises of what it read."""
        return self.calibration.promises

    def confidence(self, kind: AnswerKind, signs: AnswerSigns) -> float:
        """P(an answer with these signs is right), for a question of this kind."""
        return self.calibration.confidence(kind, signs)

    def answering(self, signs: SentenceSigns) -> float:
        """P(a sentence with these signs answers the question)."""
        return self.calibration.answering(signs)

    def needed(self, kind: AnswerKind, strictness: Strictness) -> float:
        """The confidence from which a short answer is told."""
        return self.calibration.needed_for(kind, strictness)

    def verified(self, kind: AnswerKind, strictness: Strictness) -> float:
        """The confidence from which a short answer is verified; above 1 where never."""
        return self.calibration.verified_from(kind, strictness)

    @property
    def polar(self) -> bool:
        """Whether it knows which sentences answer questions of yes or no."""
        return self.calibration.polar

    def quoted(self, strictness: Strictness, *, read: bool = True) -> float:
        """P(a sentence answers) from which it is verified without a sure short answer; above 1 where never.

        So it is where nothing was `read` for the question: what is promised was measured where something was.
        """
        return self.calibration.quoted.get(strictness, NEVER) if read else NEVER

    def given(self, strictness: Strictness) -> float:
        """P(a sentence answers) from which it is given and flagged."""
        return self.calibration.given.get(strictness, 0.5)
