"""How probably code that was retrieved answers a question that asks what to type.

No judge here reads code. What tells is how near the question is to the code and the words it stands under, as the
embedder sees them and by the words themselves, beside the other code and the prose that were retrieved: a logistic
regression, whose weights stand in `code_answers.json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import cache
from importlib.resources import files
from math import exp, log
from typing import TYPE_CHECKING

from veridic.evidence.code_asked import TYPED, typing_asked
from veridic.evidence.code_blocks import unfenced
from veridic.evidence.evidence import cite, headed
from veridic.ports.embedding import embedded
from veridic.ports.shapes import Passage, ReadAnswer, Strip
from veridic.text.facts import stem, words
from veridic.text.kinds import answer_kind
from veridic.text.questions import keywords
from veridic.text.sentences import is_code

if TYPE_CHECKING:
    from veridic.evidence.direction import Embeds
    from veridic.ports.judgements import Strictness

FILE = "code_answers.json"
NEEDED: Mapping[Strictness, float] = {"loose": 0.5, "normal": 0.6, "strict": 0.85}
"""From which probability code is told; measured, see docs/decisions.md."""
MOST_ASKED = 6.0
"""Log-odds beyond which code is asked for no more clearly."""


@dataclass(frozen=True)
class CodeSigns:
    """What speaks for one piece of code."""

    asked: float
    """Log-odds that the question asks for something to type."""
    near: float
    """Cosine of the question and the code under its headings."""
    alone: float
    """1 where there is no other code, else 0."""
    nearer: float
    """By how much the cosine is more than that of any other code; 0 where there is none."""
    nearer_than_prose: float
    worded: float
    """Share of the question's keywords in it, less the largest in other code; 0 where there is none."""
    worded_as_prose: float
    """The same, less the largest in prose."""


@dataclass(frozen=True)
class CodeWeights:
    """The content of `code_answers.json`: a logistic regression on the signs, and what it was fitted on."""

    embedder: str
    """Fingerprint; under another embedder nothing is known."""
    weights: list[float]
    offset: float
    fitted_on: int
    """Pieces of code, each with a question."""
    auc: float
    date: str

    def probability(self, signs: CodeSigns) -> float:
        """P(the code answers the question)."""
        logit = self.offset + sum(weight * sign for weight, sign in zip(self.weights, astuple(signs), strict=True))
        return 1 / (1 + exp(-logit))


@cache
def shipped_weights() -> CodeWeights:
    """The regression that ships."""
    return CodeWeights(**json.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8")))


def is_answered_by_code(question: str, embedder: Embeds) -> bool:
    """Whether code may answer a question, and how probably can be told."""
    return embedder.fingerprint == shipped_weights().embedder and typing_asked(question, embedder) >= TYPED


def graded_code(question: str, passages: Sequence[Passage], embedder: Embeds) -> Mapping[str, float]:
    """P(answers the question) of each passage that is code, by its id; of none where `is_answered_by_code` is false.

    What stands under the opposite of a word of the question does not answer it: export for import.
    """
    if not any(is_code(one["text"]) for one in passages) or not is_answered_by_code(question, embedder):
        return {}
    weights = shipped_weights()
    return {
        one["id"]: 0.0 if _is_opposed(question, headed(one, one["text"])) else weights.probability(signs)
        for one, signs in signs_of_code(question, passages, embedder)
    }


def signs_of_code(question: str, passages: Sequence[Passage], embedder: Embeds) -> list[tuple[Passage, CodeSigns]]:
    """Each passage that is code with its signs among the others."""
    told = [headed(one, one["text"]) for one in passages]
    asked, *vectors = embedded(embedder, [question, *told])
    near = [float(asked @ vector) for vector in vectors]
    worded = [_worded(question, text) for text in told]
    code = [place for place, one in enumerate(passages) if is_code(one["text"])]
    prose = [place for place in range(len(passages)) if place not in code]
    probability = typing_asked(question, embedder)
    found = []
    for place in code:
        others = [other for other in code if other != place]
        signs = CodeSigns(
            asked=max(-MOST_ASKED, min(MOST_ASKED, log(max(probability, 1e-9) / max(1 - probability, 1e-9)))),
            near=near[place],
            alone=float(not others),
            nearer=_more(near, place, others),
            nearer_than_prose=_more(near, place, prose),
            worded=_more(worded, place, others),
            worded_as_prose=_more(worded, place, prose),
        )
        found.append((passages[place], signs))
    return found


def read_in_code(question: str, strips: Sequence[Strip], strictness: Strictness) -> ReadAnswer | None:
    """The likeliest code of graded strips as what a question is answered by; None where there is none."""
    found = [strip for strip in strips if is_code(strip["passage"]["text"])]
    if not found:
        return None
    best = max(found, key=lambda strip: strip["score"] or 0.0)
    probability, place = best["score"] or 0.0, cite(best)
    return ReadAnswer(
        question=question,
        kind=answer_kind(question),
        text=unfenced(best["text"]),
        probability=probability,
        needed=NEEDED[strictness],
        holds=probability >= NEEDED[strictness],
        span=place,
        sentence=place,
        also=[],
        unmet=[],
        runner_up=None,
        rival=None,
    )


def _is_opposed(question: str, text: str) -> bool:
    """Whether a text has the opposite of a keyword of the question instead of it."""
    held = set(words(text))
    missing = [word for word in keywords(question) if word not in held]
    return any(_undoes(word, other) for word in missing for other in held)


def _undoes(one: str, other: str) -> bool:
    """Whether one of two words is the other with `un` before it: what is done to software is in no dictionary."""
    return one == f"un{other}" or other == f"un{one}"


def _more(values: Sequence[float], place: int, others: Sequence[int]) -> float:
    """By how much a value is more than the largest at other places; 0 where there are none."""
    return values[place] - max((values[other] for other in others), default=values[place])


def _worded(question: str, text: str) -> float:
    """Share of a question's keywords that a text has, in whatever form."""
    asked, held = keywords(question), set(map(stem, words(text)))
    return sum(stem(word) in held for word in asked) / max(1, len(asked))
