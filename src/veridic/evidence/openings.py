"""What is told of a whole document, or of a subject: sentences as they stand, up to a hundred words."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from veridic.evidence.evidence import decompose, fitting, place_of
from veridic.ports.shapes import Passage, Strip
from veridic.text.facts import stem, words
from veridic.text.questions import keywords
from veridic.text.sentences import Span, is_prose, leans_back, sentences

WORDS = 100
"""Of the documents' own sentences, at most."""


@dataclass(frozen=True)
class Opening:
    """What was opened: the passages, their strips that fit the token budget, and what is told."""

    passages: list[Passage]
    strips: list[Strip]
    text: str


def leading(passages: Sequence[Passage], room: int) -> Opening:
    """The first sentence of every passage of a document, then the second ones, in document order; so its strips."""
    places = [(rank, strip) for passage in passages for rank, strip in enumerate(decompose(passage))]
    places.sort(key=lambda place: (place[0], place[1]["start"]))
    strips = [Strip(**{**strip, "kept": True}) for strip in fitting([strip for _, strip in places], room)]
    strips.sort(key=lambda strip: strip["start"])
    ranked = sorted(_ranked(strips), key=lambda place: (place[0], place[1].start))
    chosen = sorted(_first(place for _, place in ranked), key=lambda place: place.start)
    return Opening(list(passages), strips, " ".join(place.text for place in chosen))


def about(subject: str, passages: Sequence[Passage], room: int) -> Opening:
    """What stands under a heading that names a subject, then the sentences elsewhere that name it and stand alone."""
    documents = list(dict.fromkeys(one["document_id"] for one in passages))
    own = [one for one in passages if names(place_of(one), subject)]
    own.sort(key=lambda one: (documents.index(one["document_id"]), one["start"]))
    others = [one for one in passages if one not in own and names(one["text"], subject)]
    strips = [strip for passage in own for strip in decompose(passage)]
    strips += [strip for passage in others for strip in decompose(passage) if names(strip["text"], subject)]
    kept = [Strip(**{**strip, "kept": True}) for strip in fitting(strips, room)]
    told = (
        place
        for strip in kept
        for place in _prose(strip)
        if strip["passage"] in own or (names(place.text, subject) and not leans_back(place.text))
    )
    return Opening([*own, *others], kept, " ".join(dict.fromkeys(place.text for place in _first(told))))


def names(text: str, subject: str) -> bool:
    """Whether a text has every word of a subject in some form."""
    said = {stem(word) for word in words(text)}
    asked = keywords(subject)
    return bool(asked) and all(stem(word) in said for word in asked)


def _first(places: Iterable[Span]) -> list[Span]:
    """The first sentences, up to `WORDS` words; at least one."""
    chosen: list[Span] = []
    room = WORDS
    for place in places:
        room -= len(place.text.split())
        if room < 0 and chosen:
            break
        chosen.append(place)
    return chosen


def _ranked(strips: Sequence[Strip]) -> Iterator[tuple[int, Span]]:
    """The sentences of strips, each with its place in its passage and its offset in the document."""
    counted: dict[str, int] = {}
    for strip in strips:
        for place in _prose(strip):
            rank = counted.setdefault(strip["passage"]["id"], 0)
            counted[strip["passage"]["id"]] += 1
            yield rank, Span(place.text, strip["start"] + place.start, strip["start"] + place.end)


def _prose(strip: Strip) -> Iterator[Span]:
    """The whole sentences of prose."""
    return (one for one in sentences(strip["text"]) if is_prose(one.text) and one.text[-1:] in ".!?")
