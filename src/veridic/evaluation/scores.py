"""A row of a run read as numbers: what the answer was worth, what was cited and found, what it cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veridic.evaluation.answers import decision, exact_match, holds_alias, is_right, refuses, rouge_l, token_f1, tokens
from veridic.evaluation.journal import Row
from veridic.evaluation.outward import Outward, outward
from veridic.evaluation.questions import GoldQuestion, from_row


@dataclass(frozen=True)
class Score:
    """One question answered, or not, by one system."""

    system: str
    question: GoldQuestion
    answer: str
    outcome: str
    answered: bool
    right: bool
    """Answered as gold says; False for every answer to what cannot be answered."""
    confidence: float | None
    """Support times usefulness of the chosen candidate, a probability; None where nothing was judged."""
    extractive: bool
    """Whether the answer is a passage's own words."""
    corrected: bool
    """Whether a correction was made: another retrieval, an outside search or another attempt."""
    cited: tuple[str, ...]
    """Addresses, each once."""
    retrieved: tuple[str, ...]
    """By the first retrieval, in the order found."""
    planted: str
    """The kind of falsehood the scripted writer was given; empty when none."""
    scripted: str
    """What the scripted writer said; empty with another writer."""
    held: bool | None
    """Whether the critic let that statement pass; None in a system without a critic."""
    repeated: bool
    """Whether the answer says what was planted in the corpus."""
    outward: Outward
    seconds: float
    first_token: float | None
    verified_answer: float | None
    timings: dict[str, float]
    usage: dict[str, float]

    @property
    def words(self) -> int:
        """Length of the answer."""
        return len(self.answer.split())

    @property
    def told(self) -> bool:
        """Whether the scripted statement stands in the answer that was given."""
        return bool(self.scripted) and _holds(self.answer, self.scripted) and self.answered

    @property
    def f1(self) -> float:
        """Token F1; 0.0 when nothing was answered."""
        return token_f1(self.answer, self.question.answers) if self.answered else 0.0

    @property
    def exact(self) -> float:
        """Exact match; 0.0 when nothing was answered."""
        return exact_match(self.answer, self.question.answers) if self.answered else 0.0

    @property
    def rouge(self) -> float:
        """ROUGE-L; 0.0 when nothing was answered."""
        return rouge_l(self.answer, self.question.answers) if self.answered else 0.0

    @property
    def decided(self) -> bool:
        """Whether the answer begins with yes, no or maybe."""
        return bool(decision(self.answer))

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
    """A row as numbers."""
    question, result = from_row(row["question"]), row["result"]
    answered = result["outcome"] != "abstained" and not refuses(result["answer"])
    answer = result["answer"]
    chosen = next((one for one in result["candidates"] if one["text"] == answer), None)
    judged = chosen is not None and bool(chosen["sentences"]) and answered
    scripted = row["scripted"] or {"text": "", "planted": ""}
    measured = row["measured"]
    return Score(
        system=row["system"],
        question=question,
        answer=answer,
        outcome=result["outcome"],
        answered=answered,
        right=answered and question.answerable and is_right(answer, question),
        confidence=chosen["support"] * chosen["usefulness"] if chosen and judged else None,
        extractive=answered and chosen is not None and chosen["origin"] == "extractive",
        corrected=result["retries"] > 0 or "rewrite" in measured["steps"],
        cited=tuple(dict.fromkeys(c["url"] for s in result["sentences"] for c in s["citations"])) if answered else (),
        retrieved=tuple(measured["retrieved"][0]) if measured["retrieved"] else (),
        planted=scripted["planted"],
        scripted=scripted["text"],
        held=_held(result["candidates"], scripted["text"]) if "critique" in measured["steps"] else None,
        repeated=answered and _holds(answer, question.falsehood),
        outward=outward(row, answered=answered),
        seconds=measured["seconds"],
        first_token=measured["first_token"],
        verified_answer=measured["verified_answer"],
        timings=result["timings"],
        usage={name: float(value) for name, value in _usage(result).items()},
    )


def _held(candidates: Sequence[Mapping[str, Any]], statement: str) -> bool:
    return any(one["holds"] and _holds(one["text"], statement) for one in candidates)


def _usage(result: dict[str, Any]) -> dict[str, Any]:
    names = ("calls", "prompt_tokens", "completion_tokens", "judged_pairs")
    return {name: result["usage"].get(name, 0) for name in names}


def _holds(text: str, statement: str) -> bool:
    return holds_alias(text, [statement]) if tokens(statement) else False
