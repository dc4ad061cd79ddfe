"""A row of a run read as numbers: what the answer was worth, what was cited and found, what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from veridic.evidence.likeliest import UNDECIDED
from veridic.text.answers import refuses
from veridic_lab.evaluation.answers import decision, is_right, rouge_l
from veridic_lab.evaluation.journal import Row
from veridic_lab.evaluation.outward import Outward, outward
from veridic_lab.evaluation.questions import GoldQuestion, from_row
from veridic_lab.squad import token_f1

MAYBE = "maybe"
KNOWING_MAYBE = ("pubmedqa",)
"""Sets in which some yes or no questions are rightly answered by neither."""


@dataclass(frozen=True)
class Score:
    """One question answered, or not, by one system."""

    question: GoldQuestion
    answer: str
    """The whole text."""
    short_answer: str
    """What is judged of the answer to a short or a yes/no question; empty where the whole text is.

    `maybe` where the system read a yes/no question and found that its sources do not decide it.
    """
    outcome: str
    answered: bool
    right: bool
    """Answered as gold says; False for every answer to what cannot be answered."""
    confidence: float | None
    """P(right) as the run states it; else support times usefulness of the chosen candidate; None where nothing was
    judged, or what was said is that the sources do not decide."""
    cited: tuple[str, ...]
    """Addresses, each once."""
    retrieved: tuple[str, ...]
    """By the first retrieval, in the order found."""
    outward: Outward
    seconds: float
    first_token: float | None
    verified_answer: float | None
    usage: dict[str, float]

    @property
    def words(self) -> int:
        """Length of the whole text."""
        return len(self.answer.split())

    @property
    def said(self) -> str:
        """The short answer; the whole text where none is stated."""
        return self.short_answer or self.answer

    @property
    def f1(self) -> float:
        """Token F1; 0.0 when nothing was answered."""
        return token_f1(self.said, self.question.answers) if self.answered else 0.0

    @property
    def rouge(self) -> float:
        """ROUGE-L; 0.0 when nothing was answered."""
        return rouge_l(self.answer, self.question.answers) if self.answered else 0.0

    @property
    def decision(self) -> str:
        """Yes, no or maybe, where the answer begins with it; empty for any other answer and for silence."""
        return decision(self.said) if self.answered else ""

    def found(self, k: int) -> float:
        """Share of the gold passages among the first k retrieved."""
        gold = self.question.gold
        return len(set(gold) & set(self.retrieved[:k])) / len(set(gold)) if gold else 0.0

    def cited_right(self) -> int:
        """How many gold passages are cited."""
        return len(set(self.cited) & set(self.question.gold))


def handled(score: Score) -> bool:
    """Whether the question got what it should: the right answer, or none where there is none."""
    return score.right if score.question.answerable else not score.answered


def scored(row: Row) -> Score:
    """A row as numbers. Rows of runs that did not keep something have nothing of it."""
    question, result, measured = from_row(row["question"]), row["result"], row["measured"]
    maybe = _says_maybe(question, result)
    answer, short = result["answer"], MAYBE if maybe else result.get("short_answer", "")
    answered = maybe or (result["outcome"] != "abstained" and not refuses(answer))
    chosen = _chosen(result) if answered and not maybe else None
    return Score(
        question=question,
        answer=answer,
        short_answer=short,
        outcome=result["outcome"],
        answered=answered,
        right=answered and question.answerable and is_right(answer, question, short=short),
        confidence=_confidence(result, chosen) if answered and not maybe else None,
        cited=tuple(dict.fromkeys(c["url"] for s in result["sentences"] for c in s["citations"])) if answered else (),
        retrieved=tuple(measured["retrieved"][0]) if measured["retrieved"] else (),
        outward=outward(row, answered=answered),
        seconds=measured["seconds"],
        first_token=measured["first_token"],
        verified_answer=measured["verified_answer"],
        usage={name: float(value) for name, value in _usage(result).items()},
    )


def _says_maybe(question: GoldQuestion, result: Mapping[str, Any]) -> bool:
    """Whether a yes/no question was read, and what was found is that the sources do not decide it.

    In a set that knows "maybe" it is an answer like any other, right or wrong, also where a sentence stands in the
    place of yes or no. Elsewhere, and where the corpus has no answer, it is silence, and that sentence an answer.
    """
    undecided = any(one["kind"] == "yes-no" and one["text"] == UNDECIDED for one in result.get("readings", ()))
    chosen = _chosen(result)
    quoted = chosen is not None and chosen.get("objection") == "undecided"
    told = result["outcome"] != "abstained" and not quoted
    return undecided and not told and question.set in KNOWING_MAYBE and question.answerable


def _chosen(result: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The candidate that was given, which the short answer may stand before."""
    body = result["answer"].removeprefix(result.get("short_answer", "")).lstrip()
    return next((one for one in result["candidates"] if one["text"] in (body, result["answer"])), None)


def _confidence(result: Mapping[str, Any], chosen: Mapping[str, Any] | None) -> float | None:
    stated: float | None = result.get("confidence")
    if stated is not None or chosen is None or not chosen["sentences"]:
        return stated
    return float(chosen["support"] * chosen["usefulness"])


def _usage(result: dict[str, Any]) -> dict[str, Any]:
    names = ("calls", "prompt_tokens", "completion_tokens")
    return {name: result["usage"].get(name, 0) for name in names}
