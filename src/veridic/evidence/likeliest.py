"""The likeliest answer to a question of what was read in its texts, and what another document answers instead.

Only what is of the same kind, and not both true, is a disagreement.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

from veridic.evidence.evidence import place_of
from veridic.evidence.reading import (
    Answer,
    Considered,
    Place,
    Text,
    cited,
    considered,
    in_prose,
    places_in,
    same_answer,
    sentence_around,
)
from veridic.evidence.relevance import Told, relevance
from veridic.ports.judgements import Reading
from veridic.ports.shapes import ReadAnswer, ReadPlace, Rival, RunnerUp
from veridic.runtime.run import Run
from veridic.text.facts import names, numbers
from veridic.text.kinds import AnswerKind, answer_kind
from veridic.text.questions import YEAR

UNDISPUTED: tuple[AnswerKind, ...] = ("which of two", "why-how")
"""Kinds of question on which documents may well say different things."""
UNDECIDED = "undecided"
"""The short answer to a yes or no question on which the sources speak and do not decide."""
RIVAL = 2.0
"""Margin from which another document's answer is one; fitted with the next on half of the questions, see
docs/decisions.md."""
RIVAL_RELEVANCE = 0.3
"""How relevant the text must be in which it is read."""
RIVAL_USEFULNESS = 0.5
"""P(the sentence around it answers the question), at least."""
RIVAL_DECISION = 0.85
"""The margin of a yes or no: a probability of 0.7."""
PLACES = 8
"""Sentences with what was read in them that are kept."""
WEIGHED = 3
"""Places of answers to a question that are weighed, the clearest."""


def answer_read(question: str, texts: Sequence[Text], said: Sequence[Reading], weighing: Weighing) -> ReadAnswer:
    """The likeliest answer of one question, in prose unless only code is sure enough."""
    prose, kind = in_prose(texts, said), answer_kind(question)
    found = _of_kind(question, kind, texts, prose, weighing)
    if prose == said or found["holds"]:
        return found
    code = _of_kind(question, kind, texts, said, weighing)
    return code if code["holds"] else found


def _of_kind(
    question: str, kind: AnswerKind, texts: Sequence[Text], said: Sequence[Reading], weighing: Weighing
) -> ReadAnswer:
    """The likeliest answer of this kind, and the other one of a document that disagrees."""
    found = considered(question, texts, said, kind)
    if not found:
        return _nothing(question, kind, weighing.run)
    best, reading = _clearest(question, kind, found, weighing)
    other = _other(question, kind, best, found, weighing) if reading["holds"] or kind != "yes-no" else None
    rival = Rival(text=other.text, sentence=sentence_around(other.best)) if other else None
    return {**reading, "places": places_read(places_in(texts, said)), "rival": rival}


def _clearest(
    question: str, kind: AnswerKind, found: Sequence[Considered], weighing: Weighing
) -> tuple[Answer, ReadAnswer]:
    """The likeliest of the answers, and what is known of it, whatever other documents say."""
    run = weighing.run
    sure = {one.answer.text: run.reader.confidence(kind, one.signs) for one in weighing.weighed(question, found)}
    best, *others = sorted((one.answer for one in found if one.answer.text in sure), key=lambda one: -sure[one.text])
    nothing = _nothing(question, kind, run)
    given = sure[best.text] >= nothing["needed"]
    around = sentence_around(best.best)
    return best, {
        **nothing,
        "text": best.text if given or kind != "yes-no" else UNDECIDED,
        "probability": sure[best.text],
        "holds": given,
        "span": around if kind == "yes-no" else cited(best.best),
        "sentence": around,
        "runner_up": RunnerUp(text=others[0].text, probability=sure[others[0].text]) if others else None,
    }


def places_read(places: Iterable[Place]) -> list[ReadPlace]:
    """The sentences around places, in their order, each once."""
    found: dict[tuple[str, int], ReadPlace] = {}
    for place in places:
        around = sentence_around(place)
        found.setdefault((around["document_id"], around["start"]), ReadPlace(sentence=around, margin=place.margin))
    return list(found.values())[:PLACES]


def _other(
    question: str, kind: AnswerKind, best: Answer, found: Sequence[Considered], weighing: Weighing
) -> Answer | None:
    """What another document answers instead, where not both may be right; its sentence answers the question, too."""
    if kind in UNDISPUTED:
        return None
    others = rivals_of(question, best, found, decided=kind == "yes-no")[:WEIGHED]
    useful = weighing.usefulness(question, [place for _, place in others])
    answering = (other for other, said in zip(others, useful, strict=True) if said >= RIVAL_USEFULNESS)
    return next((Answer(text, [place]) for text, place in answering), None)


def _nothing(question: str, kind: AnswerKind, run: Run) -> ReadAnswer:
    return ReadAnswer(
        question=question,
        kind=kind,
        text="",
        probability=0.0,
        needed=run.reader.needed(kind, run.context.strictness),
        holds=False,
        span=None,
        sentence=None,
        places=[],
        runner_up=None,
        rival=None,
    )


def rivals_of(
    question: str, answer: Answer, found: Sequence[Considered], *, decided: bool = False
) -> list[tuple[str, Place]]:
    """What relevant documents that do not give this answer answer instead, and where; the clearest first.

    One that speaks of another year than the question is none. Every document says yes and no with some probability:
    where it is `decided` it gives what is likeliest in it.
    """
    alike = [one.answer for one in found if same_answer(one.answer.text, answer.text)]
    own = {place.document for one in (answer, *alike) for place in one.places if place.first or not decided}
    least = RIVAL_DECISION if decided else RIVAL
    others = [
        (one.answer.text, place)
        for one in found
        if one.answer not in alike and (decided or differs(answer.text, one.answer.text))
        for place in one.answer.places
        if place.margin >= least and place.source.relevance >= RIVAL_RELEVANCE and place.document not in own
        if not _is_of_another_year(question, f"{place_of(place.source.passage)}\n{sentence_around(place)['quote']}")
    ]
    return sorted(others, key=lambda other: -other[1].margin)


def _is_of_another_year(question: str, said: str) -> bool:
    """Whether a text names years and none of the question's: minutes of 2024 where the question is after 2025."""
    asked, told = set(YEAR.findall(question)), set(YEAR.findall(said))
    return bool(asked and told) and not asked & told


def differs(one: str, other: str) -> bool:
    """Whether two answers of one question are of one kind, so that not both are right: numbers, or names without any.

    What is said in other words may well be true besides.
    """
    return _kind(one) == _kind(other) != "words"


def _kind(answer: str) -> Literal["number", "name", "words"]:
    if numbers(answer):
        return "number"
    return "name" if names(f"so {answer}") else "words"


@dataclass
class Weighing:
    """Asks of the sentence that an answer stands in whether it answers the question, of each once."""

    run: Run
    deadline: float
    pairs: int = 0
    """How many were judged."""
    _known: dict[tuple[str, str], float] = field(default_factory=dict)

    def weighed(self, question: str, found: Sequence[Considered]) -> list[Considered]:
        """The clearest of the answers, each with that word on its sentence. Raises `JudgeFailed`."""
        clearest = found[:WEIGHED]
        useful = self.usefulness(question, [one.answer.best for one in clearest])
        return [
            replace(one, signs=replace(one.signs, usefulness=said)) for one, said in zip(clearest, useful, strict=True)
        ]

    def usefulness(self, question: str, places: Sequence[Place]) -> list[float]:
        """P(the sentence around it answers the question) of each place. Raises `JudgeFailed`."""
        told = [Told(question, place.source.passage, sentence_around(place)["quote"]) for place in places]
        new = {one.pair: one for one in told if one.pair not in self._known}
        judge = partial(self.run.sifter.usefulness, deadline=self.deadline)
        found, pairs = relevance(list(new.values()), judge, least=self.run.thresholds().strip)
        self._known |= dict(zip(new, found, strict=True))
        self.pairs += pairs
        return [self._known[one.pair] for one in told]
