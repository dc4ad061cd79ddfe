"""What readings of several texts amount to: one answer, how much speaks for it, and where it stands.

The same answer read in several texts is one. How probable an answer with such signs is, the reader's calibration tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from veridic.evidence.evidence import cite_at, headed, strip_at
from veridic.ports.judgements import AnswerSigns, Reading, ReadSpan, log_odds
from veridic.ports.shapes import Citation, Passage, Strip
from veridic.text.answers import coverage, distinct_tokens, tokens
from veridic.text.facts import in_digits
from veridic.text.kinds import AnswerKind, answer_kind
from veridic.text.sentences import Span, asks, sentences, whole_of, without_code

PASSAGES = 5
"""Passages that are read whole, best first; strips say more clearly where, passages what it is about."""
MOST_LEAD = 10.0
FENCE_MARKS = "`~\n"
WORTH = 0.05
"""The least a text counts for when texts agree, however irrelevant."""


@dataclass(frozen=True)
class Text:
    """What is read: a strip, or a passage whole."""

    passage: Passage
    text: str
    start: int
    """Offset in the document's stored text."""
    relevance: float

    @property
    def shown(self) -> str:
        """As the reader is given it: under its heading, or an empty one where its first line would be taken for one."""
        told = headed(self.passage, self.text)
        return f"\n{told}" if told == self.text and "\n" in told else told

    @property
    def skip(self) -> int:
        """Characters that are shown before it."""
        return len(self.shown) - len(self.text)


@dataclass
class Answer:
    """One answer and the places it was read in, the best first."""

    text: str
    places: list[Place] = field(default_factory=list)

    @property
    def best(self) -> Place:
        """The place that says it most clearly."""
        return self.places[0]


@dataclass(frozen=True)
class Considered:
    """An answer with what speaks for it."""

    answer: Answer
    signs: AnswerSigns


@dataclass(frozen=True)
class Place:
    """Where an answer was read: characters of a text without its heading, and how clearly."""

    source: Text
    start: int
    end: int
    margin: float
    first: bool
    """Whether it is what this text says before all else."""
    seconded: float = 0.0
    """How clearly a second reader reads there."""

    @property
    def document(self) -> str:
        """The id of the document it stands in."""
        return self.source.passage["document_id"]


def texts_of(strips: Sequence[Strip], documents: Sequence[Passage]) -> list[Text]:
    """The best passages, then the kept strips, the best first."""
    best = sorted(documents, key=lambda document: -(document["score"] or 0.0))[:PASSAGES]
    whole = [Text(one, one["text"], one["start"], one["score"] or 0.0) for one in best]
    parts = [Text(strip["passage"], strip["text"], strip["start"], strip["score"] or 0.0) for strip in strips]
    return whole + sorted(parts, key=lambda text: -text.relevance)


def in_prose(texts: Sequence[Text], readings: Sequence[Reading]) -> list[Reading]:
    """The readings without the places that stand in code, which no judge here reads."""
    return [
        replace(reading, spans=[span for span in reading.spans if not _in_code(text, span)])
        for text, reading in zip(texts, readings, strict=True)
    ]


def considered(
    question: str, texts: Sequence[Text], readings: Sequence[Reading], kind: AnswerKind | None = None
) -> list[Considered]:
    """Every answer that was read with what speaks for it, the clearest first; `kind` is the question's unless given."""
    found = answers_in(question, texts, readings, kind)
    answers = sorted(found, key=lambda answer: -answer.best.margin)
    return [Considered(one, signs_of(one, answers, texts)) for one in answers]


def answers_in(
    question: str, texts: Sequence[Text], readings: Sequence[Reading], kind: AnswerKind | None = None
) -> list[Answer]:
    """Every answer that was read, places best first."""
    if (kind or answer_kind(question)) == "yes-no":
        return _decisions(question, texts, readings)
    found: dict[tuple[str, ...], Answer] = {}
    for place in places_in(texts, readings):
        if key := tuple(map(in_digits, tokens(_said(place)))):
            found.setdefault(key, Answer(_said(place))).places.append(place)
    return list(found.values())


def places_in(texts: Sequence[Text], readings: Sequence[Reading]) -> list[Place]:
    """Where something was read, the clearest first."""
    return sorted(_places(texts, readings), key=lambda place: -place.margin)


def signs_of(answer: Answer, others: Sequence[Answer], texts: Sequence[Text]) -> AnswerSigns:
    """What speaks for an answer among others."""
    rivals = [other.best.margin for other in others if other is not answer and not same_answer(other.text, answer.text)]
    alike = [other for other in others if same_answer(other.text, answer.text)]
    told = {place.source.passage["id"] for other in alike for place in other.places if place.first}
    ascending = sorted(texts, key=lambda text: text.relevance)
    # a strip and its passage speak with one voice
    weights = {text.passage["id"]: max(text.relevance, WORTH) for text in ascending}
    lead = answer.best.margin - max(rivals, default=answer.best.margin - MOST_LEAD)
    return AnswerSigns(
        margin=answer.best.margin,
        relevance=_relevance_of(answer.best.source),
        agreeing=sum(weights[one] for one in told) / sum(weights.values()),
        lead=max(-MOST_LEAD, min(MOST_LEAD, lead)),
        seconded=answer.best.seconded,
    )


def _relevance_of(text: Text) -> float:
    """That of its passage, which a better judge graded than its strips; of one that was not graded its own."""
    graded = text.passage["score"]
    return text.relevance if graded is None else graded


def cited(place: Place) -> Citation:
    """The place itself as a citation."""
    return cite_at(place.source.passage, place.source.start + place.start, place.source.text[place.start : place.end])


def sentence_around(place: Place) -> Citation:
    """The sentence that holds a place, or those, where it runs over several."""
    found = [one for one in sentences(place.source.text) if one.start < place.end and one.end > place.start]
    around = found or [whole_of(place.source.text)]
    start, end = around[0].start, around[-1].end
    return cite_at(place.source.passage, place.source.start + start, place.source.text[start:end])


def standing_in(sentence: Citation, text: Text) -> bool:
    """Whether a sentence stands in a text."""
    same = text.passage["document_id"] == sentence["document_id"]
    return same and text.start <= sentence["start"] and sentence["end"] <= text.start + len(text.text)


def strip_of(sentence: Citation, source: Text) -> Strip:
    """A sentence of a text as a kept strip."""
    return strip_at(source.passage, sentence["start"], sentence["quote"], source.relevance, kept=True)


def _places(texts: Sequence[Text], readings: Sequence[Reading]) -> Iterator[Place]:
    """Where something was read that may answer: not in the heading, and not in a question."""
    for text, reading in zip(texts, readings, strict=True):
        skip = text.skip
        for rank, span in enumerate(reading.spans):
            if span.start >= skip:
                start, end = span.start - skip, span.end - skip
                place = _inside_fence(Place(text, start, end, span.margin, rank == 0, span.seconded))
                if not asks(sentence_around(place)["quote"]):
                    yield place


def _inside_fence(place: Place) -> Place:
    """The place without what of a fence was read with code."""
    said = _said(place)
    start = place.start + len(said) - len(said.lstrip(FENCE_MARKS))
    return replace(place, start=start, end=max(start, place.end - len(said) + len(said.rstrip(FENCE_MARKS))))


def _in_code(text: Text, span: ReadSpan) -> bool:
    start, end = span.start - text.skip, span.end - text.skip
    return start >= 0 and not without_code(text.text)[start:end].strip()


def _decisions(question: str, texts: Sequence[Text], readings: Sequence[Reading]) -> list[Answer]:
    """Yes and no, each with the texts that decide so; the margin is log-odds against everything else."""
    found = {"Yes": Answer("Yes"), "No": Answer("No")}
    for text, reading in zip(texts, readings, strict=True):
        near = _nearest(question, text, reading.decided_in)
        likeliest = max(reading.yes, reading.no, reading.undecided)
        for name, sure in (("Yes", reading.yes), ("No", reading.no)):
            found[name].places.append(Place(text, near.start, near.end, log_odds(sure, 1e-6), sure == likeliest))
    for answer in found.values():
        answer.places.sort(key=lambda place: -place.margin)
    return [answer for answer in found.values() if answer.places]


def _nearest(question: str, text: Text, window: tuple[int, int]) -> Span:
    """Of the sentences in a window, counted in the text as shown, the one with most of the question's words."""
    start, end = (max(0, place - text.skip) for place in window)
    inside = [one for one in sentences(text.text) if one.start < end and one.end > start and not asks(one.text)]
    return max(inside, key=lambda one: coverage(question, one.text), default=whole_of(text.text))


def same_answer(one: str, other: str) -> bool:
    """Whether two answers are the same, or one says the other with more words."""
    left, right = distinct_tokens(one), distinct_tokens(other)
    return bool(left and right) and (left <= right or right <= left)


def _said(place: Place) -> str:
    return place.source.text[place.start : place.end]
