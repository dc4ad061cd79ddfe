"""Judges made of word overlap: instant, deterministic, wrong where overlap is wrong."""

import re
from collections.abc import Sequence
from dataclasses import replace
from math import exp
from random import Random
from time import time

from veridic.errors import DeadlineExceeded, JudgeFailed
from veridic.ports.judgements import (
    AnswerSigns,
    DraftSigns,
    Entailment,
    Reading,
    ReadSpan,
    Relevance,
    SentenceSigns,
    Strictness,
    Thresholds,
    log_odds,
)
from veridic.prompts.splitting import missing_numbers
from veridic.text.facts import names, numbers, words
from veridic.text.kinds import AnswerKind, answer_kind
from veridic.text.questions import keywords
from veridic.text.sentences import Span, sentences

NAME = re.compile(r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)+")
THRESHOLDS = Thresholds(upper=0.6, lower=0.3, strip=0.3, support=0.7, contradiction=0.7, abstention=0.3)


class _FakeJudge:
    gates = True

    def __init__(self, **points: float) -> None:
        """`points` replaces some of `THRESHOLDS`."""
        self._thresholds = replace(THRESHOLDS, **points)

    def thresholds(self, strictness: Strictness) -> Thresholds:
        return self._thresholds


class OverlapEvaluator(_FakeJudge):
    """Relevance is the share of the question's keywords that the passage holds."""

    fingerprint = "overlap-evaluator"

    def score(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Relevance]:
        return [Relevance(self._shared(query, passage), (0, len(passage))) for query, passage in pairs]

    def usefulness(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[float]:
        return [found.probability for found in self.score(pairs, deadline=deadline)]

    def _shared(self, query: str, passage: str) -> float:
        wanted, held = set(keywords(query)), set(words(passage))
        return len(wanted & held) / len(wanted) if wanted else 0.0


class RandomEvaluator(OverlapEvaluator):
    """Relevance is a number drawn by chance, the same for the same pair."""

    fingerprint = "random-evaluator"

    def _shared(self, query: str, passage: str) -> float:
        return Random(f"{query}\0{passage}").random()  # noqa: S311 - a test's chance, not a secret


class OverlapCritic(_FakeJudge):
    """Entailment is the share of the hypothesis's words that the premise holds, 0 where it lacks one of its numbers.

    A lone `not` contradicts.
    """

    fingerprint = "overlap-critic"

    def judge(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Entailment]:
        return [self._said(premise, hypothesis) for premise, hypothesis in pairs]

    def _said(self, premise: str, hypothesis: str) -> Entailment:
        held, said = set(words(premise)), set(words(hypothesis))
        share = len(held & said) / len(said) if said and numbers(hypothesis) <= numbers(premise) else 0.0
        if ("not" in held) != ("not" in said):
            return Entailment(0.0, 1.0 - share, share, (0, len(premise)))
        return Entailment(share, 1.0 - share, 0.0, (0, len(premise)))


class OverlapReader:
    """Takes the sentence with most keywords of the question, and in it the first number or name the question lacks.

    There is no answer where it holds neither, or where why or how is asked. Its margin is ten times the share of
    keywords beyond 0.4; such a sentence says yes, with a `not` no.
    """

    fingerprint = "overlap-reader"
    gates = True

    def __init__(self, needed: float = 0.5, beyond: float = 0.4, quotes: float | None = None) -> None:
        """`needed` is the confidence from which an answer is given, whatever the kind; `beyond` replaces 0.4.

        `quotes` is P(it answers) of every sentence; else it goes by usefulness and what was read.
        """
        self._needed = needed
        self._beyond = beyond
        self._quotes = quotes

    def read(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Reading]:
        if pairs and deadline < time():
            raise DeadlineExceeded("The reader ran out of time.", "Allow a larger time budget.")
        return [self._reading(question, text) for question, text in pairs]

    def confidence(self, kind: AnswerKind, signs: AnswerSigns) -> float:
        return 1 / (1 + exp(-signs.margin))

    def answering(self, signs: SentenceSigns) -> float:
        if self._quotes is not None:
            return self._quotes
        return (signs.usefulness + 1 / (1 + exp(-signs.margin))) / 2

    def needed(self, kind: AnswerKind, strictness: Strictness) -> float:
        return self._needed

    def verified(self, kind: AnswerKind, strictness: Strictness) -> float:
        return self.needed(kind, strictness)

    @property
    def polar(self) -> bool:
        return True

    def quoted(self, strictness: Strictness, *, read: bool = True) -> float:
        return 0.0

    def given(self, strictness: Strictness) -> float:
        return 2.0

    def _reading(self, question: str, text: str) -> Reading:
        skip = text.find("\n") + 1
        found = [Span(one.text, one.start + skip, one.end + skip) for one in sentences(text[skip:])]
        wanted = set(keywords(question))
        if not found or not wanted or answer_kind(question) == "why-how":
            return Reading([], 0.0, 0.0, 1.0, (0, len(text)))
        best = max(found, key=lambda one: len(wanted & set(words(one.text))))
        share = len(wanted & set(words(f"{text[:skip]} {best.text}"))) / len(wanted)
        sure = 0.0 if missing_numbers(question, text) else 1 / (1 + exp(-10 * (share - 0.6)))
        denied = "not" in words(best.text)
        place = self._place(question, best)
        return Reading(
            [ReadSpan(*place, margin=10 * (share - self._beyond))] if place else [],
            0.0 if denied else sure,
            sure if denied else 0.0,
            1 - sure,
            (best.start, best.end),
        )

    def _place(self, question: str, sentence: Span) -> tuple[int, int] | None:
        wants = numbers if answer_kind(question) in ("when", "how many") else names
        for match in re.finditer(r"\w[\w,.'’-]*\w|\w", sentence.text):
            if wants(f"so {match.group()}") - wants(f"so {question}") and match.group().lower() not in words(question):
                whole = NAME.match(sentence.text, match.start()) or match
                return sentence.start + match.start(), sentence.start + whole.end()
        return None


class PlainDecision:
    """A draft is as good as its least supported sentence, where it is of use and says what was read, if anything was.

    What is not verified is not given.
    """

    def probability(self, signs: DraftSigns, *, capable: bool = False) -> float:
        answers = signs.useful >= log_odds(THRESHOLDS.abstention) or signs.alike > 0
        return 1 / (1 + exp(-signs.least)) if answers and signs.alike >= 0 else 0.0

    def answering(self, signs: DraftSigns) -> float:
        return self.probability(signs)

    def verifies_from(self, strictness: Strictness, signs: DraftSigns) -> float:
        return THRESHOLDS.support

    def gives_from(self, strictness: Strictness) -> float:
        return 2.0


class BrokenReader(OverlapReader):
    """A reader whose every call fails."""

    fingerprint = "broken-reader"

    def read(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Reading]:
        raise JudgeFailed("The reader is out of order.", "Run `veridic doctor`.")


class BrokenCritic(OverlapCritic):
    """A critic whose every call fails."""

    fingerprint = "broken-critic"

    def judge(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Entailment]:
        raise JudgeFailed("The critic is out of order.", "Run `veridic doctor`.")


class BrokenEvaluator(OverlapEvaluator):
    """An evaluator whose every call fails."""

    fingerprint = "broken-evaluator"

    def score(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Relevance]:
        raise JudgeFailed("The evaluator is out of order.", "Run `veridic doctor`.")


class WordDetector:
    """Takes a text that names the assistant for one that orders it about, and no other."""

    fingerprint = "word-detector"
    threshold = 0.5

    def orders(self, texts: Sequence[str], *, deadline: float) -> list[float]:
        if texts and deadline < time():
            raise DeadlineExceeded("The detector ran out of time.", "Allow a larger time budget.")
        return [0.99 if "assistant" in words(text) else 0.01 for text in texts]


class BrokenDetector(WordDetector):
    """A detector whose every call fails."""

    fingerprint = "broken-detector"

    def orders(self, texts: Sequence[str], *, deadline: float) -> list[float]:
        raise JudgeFailed("The detector is out of order.", "Run `veridic doctor`.")
