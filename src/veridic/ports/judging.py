"""What a node may ask of the judges; see `veridic.ports`."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from veridic.ports.judgements import (
    AnswerSigns,
    DraftSigns,
    Entailment,
    Meant,
    Reading,
    Relevance,
    SentenceSigns,
    Strictness,
    Thresholds,
)
from veridic.ports.shapes.messages import MessageKind
from veridic.text.kinds import AnswerKind


class Judge(Protocol):
    """What evaluator and critic have in common."""

    @property
    def fingerprint(self) -> str:
        """Names the weights; thresholds belong to one fingerprint."""

    @property
    def gates(self) -> bool:
        """Whether its calibration AUC is at least 0.65; a judge that does not gate leaves a run unverified."""

    def thresholds(self, strictness: Strictness) -> Thresholds:
        """The calibrated decision points."""


class RetrievalEvaluator(Judge, Protocol):
    """CRAG's judge and ISREL, and ISUSE: what helps to answer need not be an answer."""

    def score(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Relevance]:
        """Judge (question, passage) pairs in one batch; one result a pair, in order. Raises `JudgeFailed`."""

    def usefulness(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[float]:
        """P(the text holds an answer) of (question, text) pairs, in order. Raises `JudgeFailed`."""


class Critic(Judge, Protocol):
    """ISSUP: natural language inference."""

    def judge(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Entailment]:
        """Judge (premise, hypothesis) pairs in one batch; one result a pair, in order. Raises `JudgeFailed`."""


class Reader(Protocol):
    """Reads the answer to a question in a text."""

    @property
    def fingerprint(self) -> str:
        """Names the weights; a calibration belongs to one fingerprint."""

    @property
    def gates(self) -> bool:
        """Whether it was calibrated, and its confidence ranks right answers over wrong ones (AUC at least 0.65)."""

    def read(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Reading]:
        """Read (question, text) pairs in one batch; one reading a pair, in order. Raises `JudgeFailed`.

        A first line that ends in a line feed is a heading: it is read, and no span stands in it.
        """

    def confidence(self, kind: AnswerKind, signs: AnswerSigns) -> float:
        """P(an answer with these signs is right), for a question of this kind."""

    def answering(self, signs: SentenceSigns) -> float:
        """P(a sentence with these signs answers the question)."""

    def needed(self, kind: AnswerKind, strictness: Strictness) -> float:
        """The confidence from which a short answer is told."""

    def verified(self, kind: AnswerKind, strictness: Strictness) -> float:
        """The confidence from which a short answer is verified; above 1 where never."""

    @property
    def polar(self) -> bool:
        """Whether it knows which sentences answer questions of yes or no; they are told by nobody else."""

    def quoted(self, strictness: Strictness, *, read: bool = True) -> float:
        """P(a sentence answers) from which it is verified without a sure short answer, if what is needed is no more.

        `read`: whether something was read for the question; the papers' systems read nothing.
        """

    def given(self, strictness: Strictness) -> float:
        """P(a sentence answers) from which it is given and flagged."""


class DraftDecision(Protocol):
    """Whether a draft that a chat model wrote is verified, given and flagged, or neither."""

    def probability(self, signs: DraftSigns, *, capable: bool = False) -> float:
        """P(a draft with these signs is right and supported); `capable`: its writer follows instructions."""

    def answering(self, signs: DraftSigns) -> float:
        """P(a draft with these signs answers what was asked, right or wrong, as the documents speak of it)."""

    def verifies_from(self, strictness: Strictness, signs: DraftSigns) -> float:
        """The probability from which a draft with these signs is verified; above 1 where nothing is promised."""

    def gives_from(self, strictness: Strictness) -> float:
        """P(a draft answers) from which it is given and flagged."""


class MessageJudge(Protocol):
    """What kind of message a person sent, and what a follow-up means."""

    def kinds(self, message: str) -> Mapping[MessageKind, float]:
        """P(a message is of a kind), of each kind; together 1. Raises `WeightsMissing` and `WeightsDamaged`."""

    def leans(self, question: str) -> float:
        """P(a question leans on what was said before it, and cannot stand alone). Raises what `kinds` raises."""

    def meant(self, question: str, asked: str, answer: str) -> list[Meant]:
        """What a follow-up may mean, the likeliest first; nothing where no question was asked before.

        `asked` is the question before, able to stand alone, and `answer` its answer, empty where none is known. Raises
        what `kinds` raises.
        """


class InjectionDetector(Protocol):
    """Tells text that orders the machine about that reads it: prompt injection, as far as a text shows it."""

    @property
    def fingerprint(self) -> str:
        """Names the weights; the threshold belongs to one fingerprint."""

    @property
    def threshold(self) -> float:
        """The probability from which a text is flagged; fitted on harmless manuals and forums."""

    def orders(self, texts: Sequence[str], *, deadline: float) -> list[float]:
        """P(it gives such orders) of each text, a sentence or a title, in order. Raises `JudgeFailed`."""
