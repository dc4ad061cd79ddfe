"""The base judge as reader: of what the evaluator scored no token is read again, and of the rest what is left over.

Whether the answer to a yes or no question is yes it tells as it judges any statement: does the text entail "Yes." to
this question? That was learned from a hundred times as many statements as there are such questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from veridic.models.base_tokens import OnBaseTokens, in_turn
from veridic.models.cross_encoder import OnnxJudge
from veridic.models.reader import OnnxReader
from veridic.models.reader_calibration import Calibrated, ReaderCalibration
from veridic.models.scorers import Scored
from veridic.ports.judgements import Reading
from veridic.text.kinds import answer_kind

OF_READING = 0.9
"""Share of the tokens that passages and what is read beside them may take; the rest is the statements'."""
UNREAD = Reading([], 0.0, 0.0, 1.0, (0, 0))
"""What is said of a text that there were no tokens for: nothing."""
YES = "Yes."
"""The statement whose truth decides."""


class BaseReader(OnBaseTokens, Calibrated):
    """A `Reader` that reads the first texts of each question, as many as its tokens allow, and one at the least."""

    def __init__(self, reader: OnnxReader, judge: OnnxJudge, *, tokens: int) -> None:
        """`tokens` of a question are read by base, at most; reader and judge are of the same folder."""
        super().__init__(tokens)
        self._reader = reader
        self._judge = judge

    @property
    def fingerprint(self) -> str:
        """The base judge's."""
        return self._reader.fingerprint

    @property
    def calibration(self) -> ReaderCalibration:
        """The base judge's as reader."""
        return self._reader.calibration

    def read(self, pairs: Sequence[tuple[str, str]], *, deadline: float) -> list[Reading]:
        """Read (question, text) pairs, the best of each question first. Raises what `OnnxReader.read` raises."""
        questions = [question for question, _ in pairs]
        polar = {question: answer_kind(question) == "yes-no" for question in dict.fromkeys(questions)}
        sizes = [
            reading + (self._judge_of(question).tokens([(text, YES)], "nli")[0] if polar[question] else 0)
            for (question, text), reading in zip(pairs, self._reader.tokens(pairs), strict=True)
        ]
        asked = sorted(in_turn(questions), key=lambda at: sizes[at] > 0)
        least = sum(size == 0 for size in sizes) or len(polar)
        chosen = asked[: self._affordable([sizes[at] for at in asked], OF_READING, least)]
        said = self._reader.read([pairs[at] for at in chosen], deadline=deadline)
        found = {
            at: self._with_decision(one, *pairs[at], deadline) if polar[questions[at]] else one
            for at, one in zip(chosen, said, strict=True)
        }
        return [found.get(at, UNREAD) for at in range(len(pairs))]

    def _judge_of(self, question: str) -> OnnxJudge:
        return self._judge.hearing(question)

    def _with_decision(self, reading: Reading, question: str, text: str, deadline: float) -> Reading:
        """The reading, with P(yes) of the window of the text that decides most."""
        [scored] = self._judge_of(question).logits([(text, YES)], "nli", deadline=deadline)
        sure = [self.calibration.deciding(logit) for logit in entailing(scored)]
        most = int(np.argmax(np.abs(np.array(sure) - 0.5)))
        return replace(reading, yes=sure[most], no=1 - sure[most], undecided=0.0, decided_in=scored.places[most])


def entailing(scored: Scored) -> list[float]:
    """Log-odds of entailment of each window."""
    rows = scored.rows.astype(np.float64)
    return [float(one) for one in rows[:, 0] - np.logaddexp(rows[:, 1], rows[:, 2])]
