"""What the judges tell: decision points, entailment, relevance, and what was read."""

import math
from dataclasses import dataclass, replace
from typing import Literal, Self, get_args

Strictness = Literal["loose", "normal", "strict"]
STRICTNESSES: tuple[Strictness, ...] = get_args(Strictness)
Rank = Literal["small", "base", "hub", "chat"]
"""Which judge spoke: of the two that ship the small or the base one, a model of the hub, a chat model."""


FEW = 25
"""Passages of a few documents, which the points are told for."""


@dataclass(frozen=True)
class Thresholds:
    """Decision points of the judges, probabilities, fitted by `veridic calibrate`."""

    upper: float
    """Score of a question's best passage from which its retrieval is correct (CRAG)."""
    lower: float
    """Score of its best passage under which it is incorrect; between the two it is ambiguous."""
    strip: float
    support: float
    contradiction: float
    abstention: float
    """Usefulness under which a text does not answer the question."""
    passage: float | None = None
    """Score under which a passage is dropped unread where a reader follows; None: as `lower`, which drops elsewhere."""

    rise: float = 0.0
    """How far the log-odds of `upper` and `lower` rise with the logarithm of the passages searched, beyond `FEW`."""

    @property
    def readable(self) -> float:
        """Score from which a passage is kept for a reader."""
        return self.lower if self.passage is None else self.passage

    def among(self, passages: int) -> Self:
        """The points where so many passages were searched: the best of many scores higher, though none answers."""
        more = self.rise * math.log(max(passages, FEW) / FEW)
        return replace(self, upper=_raised(self.upper, more), lower=_raised(self.lower, more)) if more else self


def _raised(point: float, more: float) -> float:
    """A probability whose log-odds are so much larger; 0 and what is beyond 1 stay."""
    return 1 / (1 + (1 / point - 1) * math.exp(-more)) if 0 < point < 1 else point


@dataclass(frozen=True)
class Entailment:
    """What a premise says of a hypothesis; the three sum to 1."""

    entailment: float
    neutral: float
    contradiction: float
    window: tuple[int, int]
    """The characters of the premise that decided; all of it unless it was too long for one pass."""
    judged_by: Rank = "small"
    doubtful: tuple[tuple[int, int], ...] = ()
    """The characters of the hypothesis that are not supported, the most doubtful first; a judge may not say."""
    weight: float = 0.0
    """The weight of evidence of a chat model's word, which is in `entailment`; 0 where it was not asked."""


@dataclass(frozen=True)
class GradeWeights:
    """The weights of evidence of a chat model's grades: how much each moves the log-odds of "supported".

    A weight of evidence is the logarithm of a likelihood ratio (Good 1950): how often the grade is given to what is
    supported, against how often to what is not.
    """

    full: float
    other: float
    """Of every other grade; below 0 for a judge that is better than chance."""

    @classmethod
    def found(cls, true: tuple[float, int], false: tuple[float, int]) -> Self:
        """Of a judge that gave `full` to so many of so many true statements, and to so many of so many false ones.

        Half a statement more on each side (Jeffreys) keeps them finite: so few show no judge that never errs.
        """
        held, let = ((passed + 0.5) / (tried + 1) for passed, tried in (true, false))
        return cls(math.log(held / let), math.log((1 - held) / (1 - let)))

    def of(self, grade: str) -> float:
        """The weight of a grade."""
        return self.full if grade == "full" else self.other


@dataclass(frozen=True)
class Relevance:
    """How probably a passage helps to answer a question."""

    probability: float
    window: tuple[int, int]


@dataclass(frozen=True)
class ReadSpan:
    """A place of a text that answers a question."""

    start: int
    """In the text as it was given."""
    end: int
    margin: float
    """Log-odds of this span against "no answer here"."""
    seconded: float = 0.0
    """The same by a second reader of what it reads there, `-UNREAD` where that is nothing; 0 where none was asked."""


@dataclass(frozen=True)
class Meant:
    """What a follow-up may mean, as a question that stands alone, and P(it does)."""

    text: str
    probability: float


@dataclass(frozen=True)
class Reading:
    """What a text says to a question; the three probabilities of a yes or no question sum to 1."""

    spans: list[ReadSpan]
    """The likeliest first, none overlapping; none where no answer can stand."""
    yes: float
    no: float
    undecided: float
    decided_in: tuple[int, int]
    """The characters that yes and no were read in; all of the text unless it was too long for one pass."""


def log_odds(probability: float, least: float = 0.002) -> float:
    """The log-odds of a probability, what signs are weighed as; it counts as no nearer to 0 or 1 than `least`."""
    bounded = min(max(probability, least), 1 - least)
    return math.log(bounded / (1 - bounded))


@dataclass(frozen=True)
class AnswerSigns:
    """What speaks for one short answer."""

    margin: float
    """Log-odds of the best span against "no answer here"; of a decision the log-odds of deciding."""
    relevance: float
    """The evaluator's probability for the passage it was read in."""
    agreeing: float
    """Share of the texts read, weighed by relevance, that give the same answer."""
    lead: float
    """How far its margin is above the best of any other answer, at most 10."""
    usefulness: float = 0.5
    """P(this sentence answers the question) by the evaluator of strips; even where that was not asked."""
    seconded: float = 0.0
    """Log-odds of this place against "no answer here" by a second reader; even where none was asked."""


@dataclass(frozen=True)
class DraftSigns:
    """What speaks for and against a draft that a chat model wrote; log-odds are bounded at 6."""

    least: float
    """Log-odds of P(supported) of its least supported sentence; what a chat model said of it stands apart."""
    mean: float
    """Log-odds of the mean P(supported) of its sentences, likewise."""
    denied: float
    """Log-odds of the largest P(contradicted)."""
    doubtful: float
    """Share of its characters that the critic marks as not supported, in [0, 1]."""
    useful: float
    """Log-odds of P(it answers the question) by the evaluator."""
    relevant: float
    """Log-odds of the evaluator's probability of the best evidence."""
    read_alike: float
    """Log-odds of P(right) of what was read in the evidence where the draft says the same; else 0."""
    read_otherwise: float
    """The same where it says otherwise."""
    alike: float
    """1 where it says what was read, -1 where it says otherwise, 0 where nothing was read."""
    quoted: float
    """Share of its sentences that stand in the evidence word for word, in [0, 1]."""
    judged: float = 0.0
    """The least weight of evidence of a chat model's word on its other sentences; 0 where one was not asked about."""


UNREAD = 12.0
"""Log-odds against an answer where nothing was read."""


COMPANY = 10_000
"""Passages of a knowledge base that are counted, at most; those asked for the fit held up to four thousand."""
UNCOUNTED = 1_000
"""What is taken where nobody can count them."""


@dataclass(frozen=True)
class SentenceSigns:
    """What speaks for a sentence that is told as it stands, without a short answer."""

    usefulness: float
    """The evaluator's probability that it answers the question."""
    worded: float
    """Share of the words that carry the question which it has in some form, in [0, 1]."""
    margin: float = -UNREAD
    """Log-odds of the clearest answer that was read in it against "no answer here"; `-UNREAD` where none was."""
    relevance: float = 0.5
    """The evaluator's probability for the passage it stands in."""
    read: float = 0.5
    """P(the short answer that was read for the question is right), wherever it stands; even where none was."""
    company: int = 0
    """Passages that were searched, counted up to `COMPANY`."""
    length: int = 1
    """Words of the text: a longer one says more."""
    lead: float = 0.0
    """Log-odds of `usefulness` over those of the most useful other one; 0 where there is none."""
