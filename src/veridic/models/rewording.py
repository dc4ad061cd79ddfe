"""A follow-up made whole by one edit of two questions: all are tried, and a fitted choice says how likely each is.

"What about a service?" puts its last words in the place of words of the question before, or behind them; "When did he
join?" has words of that question, or its answer, in the place of its own. Where words may stand is told by their places
alone; which edit it is by the embedder's vectors of the words at its ends, and by how near what is put is to what goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from veridic.models.fitting import sigmoid, softmax
from veridic.ports.judgements import Meant
from veridic.text.questions import keywords

Floats = NDArray[np.float32]
Embed = Callable[[Sequence[str]], Floats]
Kind = Literal["in its place", "behind it", "of the question", "of the answer"]
"""What an edit puts: the follow-up's last words in the question before, at a place or at its end; or words of that
question, or all of its answer, in the follow-up."""
KINDS: tuple[Kind, ...] = get_args(Kind)

FILE = Path(__file__).parent / "shipped" / "rewording.npz"
LONGEST = 8
"""Words that one edit puts or takes away."""
LONGEST_REFERRING = 2
"""Words of a follow-up that stand for something."""
LONGEST_ANSWER = 6
"""Words of an answer that may be what a follow-up is about."""
MOST_WORDS = 40
"""Of a question that are looked at."""
ENDS = 7
"""Words by which an edit is known: around and at the ends of what goes, before and at the ends of what is put."""
SIGNS = 14
"""Numbers by which an edit is known beside its words."""


@dataclass(frozen=True)
class Edit:
    """The words `put` of one text in the place of the words `place` of another; each is first and last, exclusive."""

    kind: Kind
    into: tuple[str, ...]
    place: tuple[int, int]
    source: tuple[str, ...]
    put: tuple[int, int]

    @property
    def gone(self) -> tuple[str, ...]:
        """The words that go; none where it adds at the end."""
        return self.into[slice(*self.place)]

    @property
    def given(self) -> tuple[str, ...]:
        """The words that are put."""
        return self.source[slice(*self.put)]

    def whole(self) -> str:
        """The question that it makes."""
        said = " ".join((*self.into[: self.place[0]], *self.given, *self.into[self.place[1] :]))
        return f"{said[:1].upper()}{said[1:]}?"

    def ends(self) -> list[str]:
        """The words by which it is known, empty where there is none."""
        start, end = self.place
        gone, given = self.gone or ("",), self.given
        around = _at(self.into, start - 1), gone[0], gone[-1], _at(self.into, end)
        return [*around, _at(self.source, self.put[0] - 1), given[0], given[-1]]

    def signs(self) -> list[float]:
        """Numbers that its words have, the cosines aside."""
        (start, end), (first, _) = self.place, self.put
        gone, given = self.gone, self.given
        lower, low = {one.lower() for one in gone}, {one.lower() for one in given}
        before = _at(self.into, start - 1), _at(self.source, first - 1)
        return [
            1.0,
            len(gone) / LONGEST,
            len(given) / LONGEST,
            abs(len(gone) - len(given)) / LONGEST,
            float(bool(lower & low)),
            float(gone[:1] == given[:1]),
            float(bool(before[0]) and before[0].lower() == before[1].lower()),
            float(end == len(self.into)),
            float(start == 0),
            float(first == 0),
            float(_named(gone) == _named(given)),
            float(_named(given)),
        ]


def edits(question: str, asked: str, answer: str) -> Iterator[Edit]:
    """Every edit of a follow-up and the question before it; `answer` is that question's, empty where none was given."""
    own, before, told = (tuple(text.strip(" ?.!").split())[:MOST_WORDS] for text in (question, asked, answer))
    for first in range(max(0, len(own) - LONGEST), len(own)):
        put = first, len(own)
        yield from (Edit("in its place", before, place, own, put) for place in _runs(before, LONGEST))
        yield Edit("behind it", before, (len(before), len(before)), own, put)
    for place in _runs(own, LONGEST_REFERRING):
        yield from (Edit("of the question", own, place, before, put) for put in _runs(before, LONGEST))
        if 0 < len(told) <= LONGEST_ANSWER:
            yield Edit("of the answer", own, place, told, (0, len(told)))


def _runs(words: Sequence[str], longest: int) -> Iterator[tuple[int, int]]:
    for start in range(len(words)):
        yield from ((start, end) for end in range(start + 1, min(len(words), start + longest) + 1))


def _at(words: Sequence[str], place: int) -> str:
    return words[place] if 0 <= place < len(words) else ""


def _named(words: Sequence[str]) -> bool:
    """Whether a word begins with a capital or has a figure."""
    return any(one[:1].isupper() or any(map(str.isdigit, one)) for one in words)


@dataclass(frozen=True)
class Looked:
    """Edits as numbers: `kinds` [edits], `signs` [edits, SIGNS], `ends` [edits, ENDS], which are rows of `words`."""

    kinds: NDArray[np.int64]
    signs: Floats
    ends: NDArray[np.int64]
    words: Floats


def looked_at(found: Sequence[Edit], embed: Embed) -> Looked:
    """Edits as the numbers by which they are told apart."""
    ends = [one.ends() for one in found]
    words = list(dict.fromkeys(["", *(word for row in ends for word in row)]))
    runs = list(dict.fromkeys(" ".join(part) for one in found for part in (one.gone, one.given) if part))
    place = {word: at for at, word in enumerate(words)}
    of_words = np.vstack([np.zeros_like(embed(runs[:1])), embed(words[1:])])
    of_runs = dict(zip(runs, embed(runs), strict=True))
    signs = []
    for one, row in zip(found, ends, strict=True):
        gone, given = of_runs.get(" ".join(one.gone)), of_runs[" ".join(one.given)]
        heads = float(of_words[place[row[2]]] @ of_words[place[row[6]]])
        signs.append([*one.signs(), heads, float(given @ gone) if gone is not None else 0.0])
    return Looked(
        kinds=np.array([KINDS.index(one.kind) for one in found]),
        signs=np.array(signs, dtype=np.float32),
        ends=np.array([[place[word] for word in row] for row in ends]),
        words=of_words,
    )


def read(question: str, embed: Embed) -> Floats:
    """A question as its vector and the mean of its words' vectors: one "it" among many words is seen."""
    words = question.lower().strip(" ?.!").split() or [question]
    return np.concatenate([embed([question])[0], embed(words).mean(axis=0)])


@dataclass
class Rewording:
    """The content of `rewording.npz`: what was fitted on the vectors of one embedder."""

    leaning: Floats
    """[2 * dimension + 1]: whether a question leans on another, by `read`, its offset last."""
    signs: Floats
    """[kinds, SIGNS]"""
    words: Floats
    """[ENDS, dimension, kinds]"""
    referring: Floats
    """[dimension, width] of the first word that goes, beside `referred` of the last one that is put."""
    referred: Floats

    def leans(self, question: str, embed: Embed) -> float:
        """P(a question cannot stand alone)."""
        return float(sigmoid(read(question, embed) @ self.leaning[:-1] + self.leaning[-1]))

    def logits(self, one: Looked) -> Floats:
        """How likely each edit is, as softmax takes it."""
        told = (one.signs * self.signs[one.kinds]).sum(axis=1)
        for end, weights in enumerate(self.words):
            told += (one.words @ weights)[one.ends[:, end], one.kinds]
        pairs = (one.words @ self.referring)[one.ends[:, 1]] * (one.words @ self.referred)[one.ends[:, 6]]
        return np.asarray(told + pairs.sum(axis=1) * (one.kinds > 1), dtype=np.float32)

    @classmethod
    def read(cls, path: Path) -> Self:
        """The weights of a file."""
        with np.load(path, allow_pickle=False) as stored:
            return cls(**{one.name: stored[one.name].astype(np.float32) for one in fields(cls)})


@cache
def shipped() -> Rewording:
    """The one that ships."""
    return Rewording.read(FILE)


def reworded(question: str, asked: str, answer: str, embed: Embed, by: Rewording) -> list[Meant]:
    """What a follow-up may mean, the likeliest first; nothing where no question was asked before.

    Questions of the same words of meaning mean the same, and are told by the likeliest.
    """
    found = list(edits(question, asked, answer)) if asked.strip(" ?.!") else []
    if not found:
        return []
    sure: dict[tuple[str, ...], Meant] = {}
    told = zip(found, softmax(by.logits(looked_at(found, embed))), strict=True)
    for one, probability in sorted(told, key=lambda each: -each[1]):
        first = sure.get(key := tuple(keywords(text := one.whole())), Meant(text, 0.0))
        sure[key] = Meant(first.text, first.probability + float(probability))
    return sorted(sure.values(), key=lambda one: -one.probability)
