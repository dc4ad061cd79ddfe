"""The base judge as reader: of what the evaluator scored no token is read again, and of the rest what is left over.

Whether the answer to a yes or no question is yes it tells as it judges any statement: does the text entail "Yes." to
this question? That was learned from a hundred times as many statements as there are such questions. The sentence that
is shown with it is the one that it would read: the right one of 73 % of 196 such questions, by shared words of 46 %.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

import numpy as np

from veridic.models.cascade import OnBaseTokens, in_turn
from veridic.models.cross_encoder import ExportedJudge
from veridic.models.reader import ExportedReader
from veridic.models.reader_calibration import Calibrated, ReaderCalibration
from veridic.models.scorers import Pairs, Scored
from veridic.ports.judgements import UNREAD as AGAINST
from veridic.ports.judgements import Reading, ReadSpan
from veridic.ports.judging import Reader
from veridic.text.kinds import answer_kind

OF_READING = 0.9
"""Share of the tokens that passages and what is read beside them may take; the rest is the statements'."""
UNREAD = Reading([], 0.0, 0.0, 1.0, (0, 0))
"""What is said of a text that there were no tokens for: nothing."""
YES = "Yes."
"""The statement whose truth decides."""


class BaseReader(OnBaseTokens, Calibrated):
    """A `Reader` that reads the first texts of each question, as many as its tokens allow, and one at the least."""

    def __init__(self, reader: ExportedReader, judge: ExportedJudge, *, second: Reader, tokens: int) -> None:
        """`tokens` of a question are read by base, at most; reader and judge are of the same folder.

        `second` reads what base reads, and is heard on each place: where both read the same, more of it is right.
        """
        super().__init__(tokens)
        self._reader = reader
        self._second = second
        self._judge = judge

    @property
    def fingerprint(self) -> str:
        """The base judge's."""
        return self._reader.fingerprint

    @property
    def calibration(self) -> ReaderCalibration:  # type: ignore[override] # that of the reader within
        """The base judge's as reader."""
        return self._reader.calibration

    def read(self, pairs: Pairs, *, deadline: float) -> list[Reading]:
        """Read (question, text) pairs, the best of each question first. Raises what `ExportedReader.read` raises."""
        places: dict[str, list[int]] = defaultdict(list)
        for at, (question, _) in enumerate(pairs):
            places[question].append(at)
        polar = {question for question in places if answer_kind(question) == "yes-no"}
        sizes = self._sizes(pairs, places, polar)
        asked = sorted(in_turn([question for question, _ in pairs]), key=lambda at: sizes[at] > 0)
        least = sum(size == 0 for size in sizes) or len(places)
        chosen = asked[: self._affordable([sizes[at] for at in asked], OF_READING, least)]
        spans = [at for at in chosen if pairs[at][0] not in polar]
        texts = [pairs[at] for at in spans]
        both = (reader.read(texts, deadline=deadline) for reader in (self._reader, self._second))
        found = dict(zip(spans, map(seconded, *both), strict=True))
        for question in polar:
            own = [at for at in chosen if pairs[at][0] == question]
            found |= zip(own, self._decided(question, [pairs[at][1] for at in own], deadline), strict=True)
        return [found.get(at, UNREAD) for at in range(len(pairs))]

    def _sizes(self, pairs: Pairs, places: Mapping[str, Sequence[int]], polar: Set[str]) -> list[int]:
        """How many tokens each pair takes: a yes or no is judged, everything else is read."""
        sizes = self._reader.tokens(pairs)
        for question in polar:
            own = places[question]
            judged = self._judge.hearing(question).tokens([(pairs[at][1], YES) for at in own], "nli")
            for at, size in zip(own, judged, strict=True):
                sizes[at] = size
        return sizes

    def _decided(self, question: str, texts: Sequence[str], deadline: float) -> list[Reading]:
        """P(yes) and P(no) by each text, of the window that decides most, and where the text speaks of the question."""
        said = self._judge.hearing(question).logits([(text, YES) for text in texts], "nli", deadline=deadline)
        read = self._spans(question, texts, deadline)
        found = []
        for at, scored in enumerate(said):
            sure = [self.calibration.deciding(logit) for logit in entailing(scored)]
            most = int(np.argmax(np.abs(np.array(sure) - 0.5)))
            spans = read.get(at, [])
            place = (spans[0].start, spans[0].end) if spans else scored.places[most]
            found.append(Reading(spans, sure[most], 1 - sure[most], 0.0, place))
        return found

    def _spans(self, question: str, texts: Sequence[str], deadline: float) -> dict[int, list[ReadSpan]]:
        """What would be read in each text that was graded: of those no token is read again."""
        pairs = [(question, text) for text in texts]
        graded = [at for at, size in enumerate(self._reader.tokens(pairs)) if size == 0]
        read = self._reader.read([pairs[at] for at in graded], deadline=deadline)
        return {at: one.spans for at, one in zip(graded, read, strict=True)}


def seconded(one: Reading, other: Reading) -> Reading:
    """A reading, each of its places with how clearly another reader reads there."""
    return replace(one, spans=[replace(span, seconded=_margin_at(span, other.spans)) for span in one.spans])


def _margin_at(span: ReadSpan, others: Sequence[ReadSpan]) -> float:
    return max((one.margin for one in others if one.start < span.end and one.end > span.start), default=-AGAINST)


def entailing(scored: Scored) -> list[float]:
    """Log-odds of entailment of each window."""
    rows = scored.rows.astype(np.float64)
    return [float(one) for one in rows[:, 0] - np.logaddexp(rows[:, 1], rows[:, 2])]
