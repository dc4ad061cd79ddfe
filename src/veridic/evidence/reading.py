"""What readings of several texts amount to: one answer, how much speaks for it, and where it stands.

The same answer read in several texts is one; what the question fixes (a year, a number, a name) must be said by its
evidence. How probable an answer with such signs is, the reader's calibration tells.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from veridic.evidence.details import missing_names, missing_numbers
from veridic.evidence.evidence import cite_at, headed, place_of
from veridic.evidence.namesakes import is_of_a_twin, is_of_another_code, is_of_another_name, is_of_another_number
from veridic.ports.judgements import AnswerSigns, Reading, ReadSpan
from veridic.ports.shapes import Citation, Passage, Strip
from veridic.text.answers import distinct_tokens, tokens
from veridic.text.duplicates import coverage
from veridic.text.facts import in_digits, names, numbers
from veridic.text.kinds import AnswerKind, answer_kind, asks_several, may_be_decided, options_of
from veridic.text.referents import is_pronoun, person_before
from veridic.text.sentences import Span, asks, sentences, without_code

PASSAGES = 5
"""Passages that are read whole, best first; strips say more clearly where, passages what it is about."""
MOST_LEAD = 10.0
LISTED = 3.0
"""Log-odds that the items of a list may lie below the clearest one."""
MOST_LISTED = 8
NAMESAKE = 1.0
"""Margin by which what is given of a longer or shorter name must be clearer than what is given of none such."""
NAME_GOES_ON = re.compile(r"(?: [A-Z][\w'’-]*)+")
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
    pronoun: int | None = None
    """Where the pronoun stands that was read, and means this."""

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
    """Every answer that was read with what speaks for it, the clearest first; `kind` is the question's unless given.

    One that is given of another thing is none, and speaks against the others; of what is asked for in the plural those
    that are told together do not speak against each other.
    """
    kind = kind or answer_kind(question)
    found = answers_in(question, texts, readings, kind)
    answers, of_others = (found, []) if kind == "yes-no" else _apart(question, found)
    answers = sorted(answers, key=lambda answer: -answer.best.margin)
    together = listed(answers) if answers and asks_list(question, kind) else []
    apart = [one for one in answers if one not in together]
    return [
        Considered(one, signs_of(one, [*(apart if one in together else answers), *of_others, one], question, texts))
        for one in answers
    ]


def answers_in(
    question: str, texts: Sequence[Text], readings: Sequence[Reading], kind: AnswerKind | None = None
) -> list[Answer]:
    """Every answer that was read, places best first; for a choice between two only those two."""
    kind = kind or answer_kind(question)
    if kind == "yes-no":
        return _decisions(question, texts, readings)
    options = options_of(question) if kind == "which of two" else ()
    found: dict[tuple[str, ...], Answer] = {}
    for place in sorted(_places(texts, readings), key=lambda place: -place.margin):
        said = _said(place)
        answer = _option(said, options, question) if options else said
        if answer and (key := tuple(map(in_digits, tokens(answer)))):
            found.setdefault(key, Answer(answer)).places.append(place)
    return list(found.values())


def signs_of(answer: Answer, others: Sequence[Answer], question: str, texts: Sequence[Text]) -> AnswerSigns:
    """What speaks for an answer among others."""
    rivals = [other.best.margin for other in others if other is not answer and not same_answer(other.text, answer.text)]
    alike = [other for other in others if same_answer(other.text, answer.text)]
    told = {_at(place.source) for other in alike for place in other.places if place.first}
    weights = {_at(text): max(text.relevance, WORTH) for text in sorted(texts, key=lambda text: text.relevance)}
    lead = answer.best.margin - max(rivals, default=answer.best.margin - MOST_LEAD)
    return AnswerSigns(
        margin=answer.best.margin,
        relevance=answer.best.source.relevance,
        agreeing=sum(weights[one] for one in told) / sum(weights.values()),
        lead=max(-MOST_LEAD, min(MOST_LEAD, lead)),
        unmet=_share(len(unmet(question, answer.best.source.shown)), question),
        displaced=_share(len(displaced(question, answer)), question),
    )


def _apart(question: str, answers: Sequence[Answer]) -> tuple[list[Answer], list[Answer]]:
    """The answers that may be what is asked for, and those given of another thing that has a part of its name.

    A longer or shorter name may well be the thing's own: what is given of it counts unless an answer as clear has the
    name as it was asked, or none of it. Beside such a one an answer of another thing does not even speak against it.
    """
    own = [Answer(one.text, places) for one in answers if (places := list(_own_places(question, one)))]
    least = max((one.best.margin for one in own), default=-math.inf) + NAMESAKE
    others = [one for one in answers if one.best.margin > least and not list(_own_places(question, one))]
    refused = [one for one in others if _is_of_another_thing(question, one.best)]
    return own + [one for one in others if one not in refused], refused


def _own_places(question: str, answer: Answer) -> Iterator[Place]:
    """The places whose sentence is about nothing that has only a part of a name in the question."""
    for place in answer.places:
        name = sentence_around(place)["quote"]
        if not _is_of_another_thing(question, place) and not is_of_another_name(question, name):
            yield place


def _is_of_another_thing(question: str, place: Place) -> bool:
    """Whether a place is about a thing with another number or code than the question's, or about its twin."""
    sentence = sentence_around(place)["quote"]
    return (
        is_of_another_number(question, said_around(place))
        or is_of_another_code(question, sentence)
        or is_of_a_twin(question, sentence, place.source.shown)
    )


def said_around(place: Place) -> str:
    """The sentence that holds a place, under its title and heading."""
    return f"{place_of(place.source.passage)}\n{sentence_around(place)['quote']}"


def asks_list(question: str, kind: AnswerKind) -> bool:
    """Whether all that is read nearly as clearly as the best is asked for."""
    return asks_several(question) and kind not in ("yes-no", "which of two")


def listed(answers: Sequence[Answer]) -> list[Answer]:
    """Of the answers to a question that asks for several those that are read nearly as clearly as the first, the best.

    None that says another one with more words.
    """
    best = answers[0]
    items = [best]
    for one in answers[1:]:
        clear = one.best.margin >= max(0.0, best.best.margin - LISTED)
        if clear and not any(same_answer(one.text, item.text) for item in items):
            items.append(one)
    return items[:MOST_LISTED]


def unmet(question: str, evidence: str) -> list[str]:
    """The years, numbers and names of a question that its evidence does not say."""
    return sorted(missing_numbers(question, evidence) | missing_names(question, evidence))


def displaced(question: str, answer: Answer) -> list[str]:
    """What the question fixes and the answer's own sentence lacks, while it has another number or name instead.

    "In 2015 it was worth 12,000 crowns" answers nothing about 2019, whatever stands elsewhere in the passage.
    """
    place = answer.best
    sentence, said = sentence_around(place)["quote"], said_around(place)
    known = f"{question}\n{answer.text}"
    others = numbers(sentence) - numbers(known), names(sentence) - names(known)
    lacking = missing_numbers(question, said), missing_names(question, said)
    return sorted(one for missing, instead in zip(lacking, others, strict=True) if instead for one in missing)


def cited(place: Place) -> Citation:
    """The place itself as a citation."""
    return cite_at(place.source.passage, place.source.start + place.start, place.source.text[place.start : place.end])


def sentence_around(place: Place) -> Citation:
    """The sentence that holds a place, or those, where it runs over several."""
    found = [one for one in sentences(place.source.text) if one.start < place.end and one.end > place.start]
    around = found or [Span(place.source.text, 0, len(place.source.text))]
    start, end = around[0].start, around[-1].end
    return cite_at(place.source.passage, place.source.start + start, place.source.text[start:end])


def sentence_of_pronoun(place: Place) -> Citation | None:
    """The sentence that says of a pronoun what is answered; None where none was read."""
    at = place.pronoun
    return None if at is None else sentence_around(replace(place, start=at, end=at + 1))


def standing_in(sentence: Citation, text: Text) -> bool:
    """Whether a sentence stands in a text."""
    same = text.passage["document_id"] == sentence["document_id"]
    return same and text.start <= sentence["start"] and sentence["end"] <= text.start + len(text.text)


def strip_of(sentence: Citation, source: Text) -> Strip:
    """A sentence of a text as a kept strip."""
    return Strip(
        passage=source.passage,
        text=sentence["quote"],
        start=sentence["start"],
        end=sentence["end"],
        score=source.relevance,
        kept=True,
    )


def _places(texts: Sequence[Text], readings: Sequence[Reading]) -> Iterator[Place]:
    """Where something was read that may answer: not in the heading, and not in a question."""
    for text, reading in zip(texts, readings, strict=True):
        skip = len(text.shown) - len(text.text)
        for rank, span in enumerate(reading.spans):
            if span.start >= skip:
                end = _end_of_name(text.shown, span) - skip
                place = _inside_fence(Place(text, span.start - skip, end, span.margin, rank == 0))
                if not asks(sentence_around(place)["quote"]):
                    yield from (place,) if not is_pronoun(_said(place)) else _meant_by(place)


def _end_of_name(text: str, span: ReadSpan) -> int:
    """Where a span ends; a name of which it has the first word goes on to its last."""
    named = text[span.start : span.end].rpartition(" ")[2][:1].isupper()
    more = NAME_GOES_ON.match(text, span.end) if named else None
    return more.end() if more else span.end


def _inside_fence(place: Place) -> Place:
    """The place without what of a fence was read with code."""
    said = _said(place)
    start = place.start + len(said) - len(said.lstrip(FENCE_MARKS))
    return replace(place, start=start, end=max(start, place.end - len(said) + len(said.rstrip(FENCE_MARKS))))


def _meant_by(place: Place) -> Iterator[Place]:
    """Whom a pronoun means, where that can be told; else it answers nothing."""
    if person := person_before(place.source.text, place.start):
        yield replace(place, start=person.start, end=person.end, pronoun=place.start)


def _in_code(text: Text, span: ReadSpan) -> bool:
    skip = len(text.shown) - len(text.text)
    return span.start >= skip and not without_code(text.text)[span.start - skip : span.end - skip].strip()


def _decisions(question: str, texts: Sequence[Text], readings: Sequence[Reading]) -> list[Answer]:
    """Yes and no, each with the texts that decide so; the margin is log-odds against everything else."""
    found = {"Yes": Answer("Yes"), "No": Answer("No")}
    for text, reading in zip(texts, readings, strict=True):
        near = _nearest(question, text, reading.decided_in)
        likeliest = max(reading.yes, reading.no, reading.undecided)
        for name, sure in (("Yes", reading.yes), ("No", reading.no)):
            found[name].places.append(Place(text, near.start, near.end, _log_odds(sure), sure == likeliest))
    for answer in found.values():
        answer.places.sort(key=lambda place: -place.margin)
    return [answer for answer in found.values() if answer.places]


def _nearest(question: str, text: Text, window: tuple[int, int]) -> Span:
    """Of the sentences in a window, counted in the text as shown, the one with most of the question's words."""
    skip = len(text.shown) - len(text.text)
    start, end = (max(0, place - skip) for place in window)
    inside = [one for one in sentences(text.text) if one.start < end and one.end > start and not asks(one.text)]
    whole = Span(text.text, 0, len(text.text))
    return max(inside, key=lambda one: coverage(question, one.text), default=whole)


def _log_odds(probability: float) -> float:
    bounded = min(max(probability, 1e-6), 1 - 1e-6)
    return math.log(bounded / (1 - bounded))


def _option(said: str, options: Sequence[str], question: str) -> str:
    """The option that a span names, when it names one of them alone.

    Behind a verb ("Did Bach or Handel die first?") an option is cut roughly: there a span that is a part of it is told
    as it stands.
    """
    exact = [option for option in options if tokens(said) == tokens(option)]
    named = exact or [option for option in options if same_answer(said, option)]
    if len(named) != 1:
        return ""
    return said if may_be_decided(question) and set(tokens(said)) < set(tokens(named[0])) else named[0]


def same_answer(one: str, other: str) -> bool:
    """Whether two answers are the same, or one says the other with more words."""
    left, right = distinct_tokens(one), distinct_tokens(other)
    return bool(left and right) and (left <= right or right <= left)


def _said(place: Place) -> str:
    return place.source.text[place.start : place.end]


def _at(text: Text) -> str:
    """What tells texts of different passages apart; a strip and its passage speak with one voice."""
    return text.passage["id"]


def _share(missing: int, question: str) -> float:
    fixed = len(numbers(question) | names(question))
    return min(1.0, missing / fixed) if fixed else 0.0
