"""What evidence says of a sentence: which premises to ask about, and what their judgements amount to (ISSUP).

A true sentence may rest on two strips, so the nearest strips together are a premise beside
each one alone. Code is no premise. A premise that lacks a number or code of the sentence cannot support it, whatever
the critic says; a sentence that stands in a strip as it is needs no critic.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import cast

from veridic.evidence.evidence import cite, cite_at, departs, headed, joined, place_of
from veridic.evidence.statements import bare_decision, is_bare, says_twice, stated_answer
from veridic.ports.judgements import Entailment, Rank
from veridic.ports.shapes import Candidate, Citation, Passage, Sentence, Strip, Verdict
from veridic.text.duplicates import coverage, overlap
from veridic.text.facts import words
from veridic.text.questions import keywords
from veridic.text.sentences import Span, is_prose, sentences, unlisted, without_code

NEAREST = 4
"""Strips asked about for one sentence, those that share most words with it."""

TOGETHER = 120
"""Words of the strips that are read together: of a premise that the base judge learned from."""

CITED = 2
"""Citations of one sentence, at most, unless it rests on several strips together."""


@dataclass(frozen=True)
class Premise:
    """A text that may support a sentence, and the strips it is made of."""

    text: str
    strips: tuple[Strip, ...]


@dataclass(frozen=True)
class Weighed:
    """A premise with what the critic said; one that lacks a number of the assertion entails nothing."""

    premise: Premise
    entailment: float
    contradiction: float
    judged_by: Rank = "small"
    doubtful: tuple[tuple[int, int], ...] = ()
    """The characters of the assertion that it does not support."""


def asserted(sentence: str, question: str) -> str | None:
    """What a sentence says, a bare answer together with its question.

    None of a bare yes or no, which is read, and of one that gives itself as its reason, which says nothing.
    """
    if bare_decision(sentence) or says_twice(sentence):
        return None
    return stated_answer(question, sentence) if is_bare(sentence, question) else sentence


def premises_for(sentence: str, strips: Sequence[Strip]) -> list[Premise]:
    """Each of the nearest strips under its heading and alone, and `TOGETHER` words of them in reading order.

    Without what of them is code, which no judge here can read.
    """
    said = {id(strip): without_code(strip["text"]).strip() for strip in strips}
    worded = [strip for strip in strips if said[id(strip)]]
    ranked = sorted(worded, key=lambda strip: -overlap(sentence, headed(strip["passage"], said[id(strip)])))[:NEAREST]
    single = [
        Premise(text, (strip,))
        for strip in ranked
        for text in dict.fromkeys((headed(strip["passage"], said[id(strip)]), said[id(strip)]))
    ]
    if len(ranked) < 2:
        return single
    near = {id(strip) for strip in _together(ranked)}
    together = tuple(strip for strip in worded if id(strip) in near)
    return [*single, Premise(_read_together(together), together)] if len(together) > 1 else single


def _together(ranked: Sequence[Strip]) -> Iterator[Strip]:
    """The first strips of at most `TOGETHER` words; the first two however long they are."""
    room = TOGETHER
    for number, strip in enumerate(ranked):
        room -= len(strip["text"].split())
        if room < 0 and number > 1:
            return
        yield strip


def _read_together(strips: Sequence[Strip]) -> str:
    """Strips one below the other, the heading that neighbours share once."""
    places = groupby(strips, key=lambda strip: place_of(strip["passage"]))
    return "\n".join(
        "\n".join([*([head] if head else []), *(without_code(one["text"]).strip() for one in own)])
        for head, own in places
    )


def stands_in(sentence: str, strips: Sequence[Strip]) -> Strip | None:
    """The strip that holds a sentence word for word as a sentence (or run of sentences) of its own.

    The mark of a list before it there may be left out.
    """
    for strip in strips:
        own = [strip["text"], *(one.text for one in sentences(strip["text"]))]
        if sentence in own or sentence in map(unlisted, own):
            return strip
    return None


def weigh(assertion: str, premises: Sequence[Premise], said: Sequence[Entailment]) -> list[Weighed]:
    """The critic's judgements of what a sentence asserts, by premise.

    A premise that the assertion departs from cannot entail it.
    """
    return [
        Weighed(
            premise,
            0.0 if departs(assertion, premise.text) else one.entailment,
            one.contradiction,
            one.judged_by,
            one.doubtful,
        )
        for premise, one in zip(premises, said, strict=True)
    ]


def settle(
    place: Span, weighed: Sequence[Weighed], *, assertion: str | None, support: float, contradiction: float
) -> Sentence:
    """The verdict on a sentence: supported from `support` on, else contradicted from `contradiction` on, else not.

    One that asserts something in code or a table is unverified.
    """
    nearest = max(weighed, key=lambda one: one.entailment, default=None)
    best = nearest.entailment if nearest else 0.0
    against = max((one.contradiction for one in weighed), default=0.0)
    verdict: Verdict = "unsupported"
    if not is_prose(assertion or place.text):
        verdict = "unverified"
    elif best >= support:
        verdict = "supported"
    elif against >= contradiction:
        verdict = "contradicted"
    sentence = Sentence(
        text=place.text,
        start=place.start,
        end=place.end,
        verdict=verdict,
        support=best,
        contradiction=against,
        citations=citations(assertion or place.text, weighed, support) if verdict == "supported" else [],
        claims=[],
    )
    return {**sentence, **_judgement(nearest, whole=assertion == place.text)} if nearest else sentence


def _judgement(nearest: Weighed, *, whole: bool) -> Sentence:
    """Who judged by the nearest premise and which words it leaves open, where the sentence was asked as it stands."""
    told: dict[str, object] = {"judged_by": nearest.judged_by}
    if whole and nearest.doubtful:
        told["doubtful"] = [list(place) for place in nearest.doubtful]
    return cast(Sentence, told)


def verbatim(place: Span, strip: Strip, quote: str) -> Sentence:
    """The verdict on a sentence that quotes what a strip holds as it is."""
    return Sentence(
        text=place.text,
        start=place.start,
        end=place.end,
        verdict="supported",
        support=1.0,
        contradiction=0.0,
        citations=[cite(strip, quote)],
        claims=[],
    )


def repeated(found: Sequence[Sentence], documents: Sequence[Passage]) -> list[Sentence]:
    """The sentences; one that quotes a document cites one more, no record of ours, that says it in the same words."""
    return [
        {**one, "citations": [*one["citations"], *islice(_repetitions(one, documents), CITED - 1)]} for one in found
    ]


def _repetitions(sentence: Sentence, documents: Sequence[Passage]) -> Iterator[Citation]:
    """Where other documents say a sentence that quotes the only place it cites, once for each."""
    cited = sentence["citations"]
    said = unlisted(sentence["text"]).split()
    if len(cited) != 1 or unlisted(cited[0]["quote"]).split() != said:
        return
    known = {cited[0]["document_id"]}
    for document in documents:
        if document["document_id"] in known or document["kind"] == "generated":
            continue
        if place := next((one for one in sentences(document["text"]) if unlisted(one.text).split() == said), None):
            known.add(document["document_id"])
            yield cite_at(document, document["start"] + place.start, place.text)


def unverified(sentence: Sentence) -> Sentence:
    """A sentence on which nothing can be said."""
    return {**sentence, "verdict": "unverified", "support": None, "contradiction": None, "citations": [], "claims": []}


def standing(found: Sequence[Sentence]) -> list[Sentence]:
    """What of some sentences is supported: those that are, and the supported claims of those partly so.

    One that ends with a colon says nothing without what it announces, and goes with it.
    """
    each = [_supported(sentence) for sentence in found]
    announced = [*each[1:], []]
    whole = (parts for parts, below in zip(each, announced, strict=True) if below or not _announces(parts))
    return [part for parts in whole for part in parts]


def _announces(parts: Sequence[Sentence]) -> bool:
    return bool(parts) and parts[-1]["text"].endswith(":")


def _supported(sentence: Sentence) -> list[Sentence]:
    if sentence["verdict"] == "supported":
        return [sentence]
    return [
        Sentence(
            text=claim["text"],
            start=0,
            end=len(claim["text"]),
            verdict="supported",
            support=claim["support"],
            contradiction=None,
            citations=claim["citations"],
            claims=[],
        )
        for claim in sentence["claims"]
        if claim["supported"]
    ]


def missing(found: Sequence[Sentence]) -> list[str]:
    """What sentences say and the evidence does not, each once: whole ones, and claims of those partly supported."""
    said = [
        text
        for sentence in found
        if sentence["verdict"] != "supported"
        for text in ([one["text"] for one in sentence["claims"] if not one["supported"]] or [sentence["text"]])
    ]
    return list(dict.fromkeys(said))


def trimmed(candidate: Candidate) -> Candidate | None:
    """What is left of a candidate without what is not supported; None when nothing is to be dropped, or all."""
    good, dropped = standing(candidate["sentences"]), missing(candidate["sentences"])
    if not good or not dropped:
        return None
    text, moved = joined(good)
    support = sum(sentence["support"] or 0.0 for sentence in good) / len(good)
    return {**candidate, "text": text, "sentences": moved, "support": support, "partial": True, "missing": dropped}


def citations(assertion: str, weighed: Sequence[Weighed], support: float) -> list[Citation]:
    """The strips that support an assertion alone, strongest first; of those that do so only together those needed.

    A critic is sure of many a strip that shares a word: a further one is cited where it holds as many of the
    assertion's words as the strongest, and a table, which no judge here reads, where no prose carries.
    """
    carrying = sorted((one for one in weighed if one.entailment >= support), key=lambda one: -one.entailment)
    alone = [one for one in carrying if len(one.premise.strips) == 1]
    if not alone:
        return [cite(strip) for strip in _needed(assertion, carrying[0].premise.strips)] if carrying else []
    read = [one for one in alone if is_prose(one.premise.strips[0]["text"])] or alone
    held = [coverage(assertion, one.premise.text) for one in read]
    as_near = [cite(one.premise.strips[0]) for one, share in zip(read, held, strict=True) if share >= held[0]]
    return list({(one["document_id"], one["start"]): one for one in as_near}.values())[:CITED]


def _needed(assertion: str, strips: Sequence[Strip]) -> list[Strip]:
    """Of strips that were read together those with words of the assertion that no fuller one has; one at least."""
    said = set(keywords(assertion))
    held = [said & set(words(headed(strip["passage"], strip["text"]))) for strip in strips]
    needed, known = set[int](), set[str]()
    for at in sorted(range(len(strips)), key=lambda at: -len(held[at])):
        if not needed or held[at] - known:
            needed.add(at)
            known |= held[at]
    return [strip for at, strip in enumerate(strips) if at in needed]


def disagreement(
    weighed: Sequence[Weighed], *, support: float, contradiction: float
) -> tuple[Citation, Citation] | None:
    """A strip that supports a sentence and one from another source that contradicts it; None when all agree."""
    single = [one for one in weighed if len(one.premise.strips) == 1]
    best = max(single, key=lambda one: one.entailment, default=None)
    worst = max(single, key=lambda one: one.contradiction, default=None)
    if best is None or worst is None or best.entailment < support or worst.contradiction < contradiction:
        return None
    supporting, contradicting = best.premise.strips[0], worst.premise.strips[0]
    if supporting["passage"]["source"] == contradicting["passage"]["source"]:
        return None
    return cite(supporting), cite(contradicting)
