"""Sentences that may be told as they stand where no short answer is sure, and what speaks for each.

A small reader finds the right sentence more often than it is sure of the right words in it: the evaluator's word on
the sentence and the question's own words stand beside what is read in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridic.evidence.evidence import BLANKS, asked_above, holds
from veridic.evidence.telling import shortened
from veridic.ports.judgements import UNREAD, SentenceSigns, log_odds
from veridic.ports.shapes import Citation, Passage, ReadAnswer, ReadPlace, Strip
from veridic.text.answers import tokens
from veridic.text.facts import stem, words
from veridic.text.questions import keywords
from veridic.text.sentences import asks, ends, leans_back, sentences

STRIPS = 3
"""Strips whose sentences are considered, the best."""


def quotations(strips: Sequence[Strip], read: Sequence[Citation]) -> list[str]:
    """The best strip and those with what was read, then whole sentences; long ones cut, none that ends with a question.

    The sentences are those of the best strips, and what was read. What leans on the sentence before it is told behind
    that, where it stands in the same strip, or not at all.
    """
    best = sorted(strips, key=lambda strip: -(strip["score"] or 0.0))[:STRIPS]
    told = [one for strip in best for one in _sentences_of(strip)]
    shown = [*best[:1], *(strip for sentence in read for strip in strips if holds(strip, sentence))]
    whole = [with_announced(strip, strips) for strip in shown if not leans_back(strip["text"])]
    return list(dict.fromkeys([*whole, *told, *(shortened(sentence["quote"]) for sentence in read)]))


def sentence_signs(
    question: str,
    passage: Passage,
    text: str,
    readings: Sequence[ReadAnswer],
    *,
    usefulness: float,
    others: Sequence[float],
    company: int,
) -> SentenceSigns:
    """What speaks for a text that is told as it stands; `usefulness` is the evaluator's word on it.

    `others` is its word on the other texts that might be told, `company` how many passages were searched. An answer has
    the words of the question above it, too.
    """
    asked = {stem(word) for word in keywords(question)}
    said = {stem(word) for word in words(f"{asked_above(passage)} {text}")}
    return SentenceSigns(
        usefulness=usefulness,
        worded=len(asked & said) / len(asked) if asked else 0.0,
        margin=margin_in(text, [place for reading in readings for place in reading["places"]]),
        relevance=passage["score"] or 0.0,
        read=max((reading["probability"] for reading in readings), default=0.5),
        company=company,
        length=len(text.split()),
        lead=log_odds(usefulness) - log_odds(max(others)) if others else 0.0,
    )


def margin_in(text: str, places: Sequence[ReadPlace]) -> float:
    """The margin of the clearest answer that was read in a text; `-UNREAD` where none was."""
    return max((one["margin"] for one in places if stands_in(one["sentence"]["quote"], text)), default=-UNREAD)


def stands_in(said: str, text: str) -> bool:
    """Whether the words of one of two texts stand in a row in the other."""
    one, other = (f" {' '.join(tokens(part))} " for part in (said, text))
    return bool(one.strip() and other.strip()) and (one in other or other in one)


def _sentences_of(strip: Strip) -> Iterator[str]:
    before = ""
    for place in sentences(strip["text"]):
        if ends(place.text) and not asks(place.text):
            if not leans_back(place.text):
                yield shortened(place.text)
            elif before:
                yield f"{shortened(before)} {shortened(place.text)}"
        before = place.text if ends(place.text) and not asks(place.text) else ""


def with_announced(strip: Strip, strips: Sequence[Strip]) -> str:
    """What a strip says; one that ends with a colon says nothing without the strip that it announces."""
    if not strip["text"].endswith(":"):
        return shortened(_to_the_last_statement(strip["text"]))
    own = [other for other in strips if other["passage"]["document_id"] == strip["passage"]["document_id"]]
    following = (other["text"] for other in own if 0 <= other["start"] - strip["end"] <= BLANKS)
    return "\n\n".join((shortened(strip["text"]), text)) if (text := next(following, "")) else ""


def _to_the_last_statement(text: str) -> str:
    """A text without the questions at its end, which nothing in it answers."""
    return text[: max((place.end for place in sentences(text) if not asks(place.text)), default=0)]
