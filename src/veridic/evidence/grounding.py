"""What evidence says of a sentence: what the judgements of its premises amount to (ISSUP).

A sentence that stands in a strip as it is needs no critic.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from veridic.evidence.evidence import cite, cite_at, headed, joined, sentence_at
from veridic.evidence.premises import Premise
from veridic.ports.judgements import Entailment, Rank
from veridic.ports.shapes import Candidate, Citation, Passage, Segment, Sentence, Strip, Verdict
from veridic.text.facts import words
from veridic.text.kinds import YES_NO
from veridic.text.questions import keywords
from veridic.text.sentences import Span, is_prose, sentences, unlisted

CITED = 2
"""Citations of one sentence, at most."""
PARTLY = 0.5
"""Share of a sentence that may be doubtful where the rest is called supported."""
MARKED = 0.2
"""Share of its words that are marked, at most. Of drafts of a hand kept for development a wrong word is among them in
.78, among all doubtful ones, .37 of the words, in .84."""
BARE = 8
"""Words of a bare answer, at most."""
_WORD = re.compile(r"\w(?:\S*\w)?")
_DECISIONS = (["yes"], ["no"], ["maybe"], ["perhaps"])


@dataclass(frozen=True)
class Weighed:
    """A premise with what the critic said."""

    premise: Premise
    entailment: float
    contradiction: float
    judged_by: Rank = "small"
    doubtful: tuple[tuple[int, int], ...] = ()
    """The characters of the assertion that it does not support, the most doubtful first."""
    weight: float = 0.0
    """Of a chat model's word on it; 0 where it was not asked."""


def asserted(sentence: str, question: str, *, heard: bool = False) -> str | None:
    """What a sentence says, a bare answer together with its question unless that is heard; None of a bare yes or no.

    A bare yes or no is read.
    """
    if bare_decision(sentence):
        return None
    return stated_answer(question, sentence) if is_bare(sentence, question) and not heard else sentence


def stands_in(sentence: str, strips: Sequence[Strip]) -> Strip | None:
    """The strip that holds a sentence word for word as a sentence (or run of sentences) of its own.

    The mark of a list before it there may be left out.
    """
    for strip in strips:
        own = [strip["text"], *(one.text for one in sentences(strip["text"]))]
        if sentence in own or sentence in map(unlisted, own):
            return strip
    return None


def weigh(premises: Sequence[Premise], said: Sequence[Entailment]) -> list[Weighed]:
    """The critic's judgements of what a sentence asserts, by premise."""
    return [
        Weighed(premise, one.entailment, one.contradiction, one.judged_by, one.doubtful, one.weight)
        for premise, one in zip(premises, said, strict=True)
    ]


def settle(
    place: Span, weighed: Sequence[Weighed], *, assertion: str | None, support: float, contradiction: float
) -> Sentence:
    """The verdict on a sentence: supported from `support` on, else contradicted from `contradiction` on, else not.

    Partly where the critic marks only some of its words; one that asserts something in code or a table is unverified.
    """
    nearest = next(iter(weighed), None)
    doubtful = nearest.doubtful if nearest and assertion == place.text else ()
    best = entailment(weighed)
    against = max((one.contradiction for one in weighed), default=0.0)
    verdict: Verdict = "unsupported"
    if not is_prose(assertion or place.text):
        verdict = "unverified"
    elif best >= support:
        verdict = "supported"
    elif against >= contradiction:
        verdict = "contradicted"
    elif marks_a_part(doubtful, place.text):
        verdict = "partly"
    cited = citations(assertion or place.text, weighed, support) if verdict == "supported" else []
    sentence = sentence_at(place, verdict, best, contradiction=against, citations=cited)
    if nearest:
        sentence["judged_by"] = nearest.judged_by
        if nearest.weight:
            sentence["weight"] = nearest.weight
    if marked := most_doubtful(doubtful, place.text):
        sentence["doubtful"] = marked
    return sentence


def most_doubtful(doubtful: Sequence[tuple[int, int]], text: str) -> list[list[int]]:
    """Of doubtful places, the most doubtful first, the words of a text that are marked, in order; one at least."""
    found: list[list[int]] = []
    for start, end in sorted(_words_in(doubtful, text)[: max(1, int(MARKED * len(text.split())))]):
        if found and start - found[-1][1] <= 1:
            found[-1][1] = end
        else:
            found.append([start, end])
    return found


def marks_a_part(doubtful: Sequence[tuple[int, int]], text: str) -> bool:
    """Whether some words of a text are doubtful, and no more than half of them."""
    return 0 < len(_words_in(doubtful, text)) <= PARTLY * len(text.split())


def _words_in(places: Sequence[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """The words of a text that places touch, in the order of the places."""
    words = [match.span() for match in _WORD.finditer(text)]
    return list(dict.fromkeys(word for start, end in places for word in words if word[0] < end and start < word[1]))


def verbatim(place: Span, strip: Strip, quote: str) -> Sentence:
    """The verdict on a sentence that quotes what a strip holds as it is."""
    found = sentence_at(place, "supported", 1.0, contradiction=0.0, citations=[cite(strip, quote)])
    return {**found, "quoted": True}


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
    return {**sentence, "verdict": "unverified", "support": None, "contradiction": None, "citations": []}


def standing(found: Sequence[Sentence]) -> list[Sentence]:
    """Those of some sentences that are supported.

    One that ends with a colon says nothing without what it announces, and goes with it.
    """
    good = [sentence["verdict"] == "supported" for sentence in found]
    announced = [*good[1:], False]
    return [
        sentence
        for sentence, own, below in zip(found, good, announced, strict=True)
        if own and (below or not sentence["text"].endswith(":"))
    ]


def is_supported(one: Candidate | Segment) -> bool:
    """Whether it has sentences, and all of them are supported."""
    return bool(one["sentences"]) and all(sentence["verdict"] == "supported" for sentence in one["sentences"])


def missing(found: Sequence[Sentence]) -> list[str]:
    """The sentences that the evidence does not support, each once."""
    return list(dict.fromkeys(one["text"] for one in found if one["verdict"] != "supported"))


def trimmed(candidate: Candidate) -> Candidate | None:
    """What is left of a candidate without what is not supported; None when nothing is to be dropped, or all."""
    good, dropped = standing(candidate["sentences"]), missing(candidate["sentences"])
    if not good or not dropped:
        return None
    text, moved = joined(good)
    support = sum(sentence["support"] or 0.0 for sentence in good) / len(good)
    return {**candidate, "text": text, "sentences": moved, "support": support, "partial": True, "missing": dropped}


def entailment(weighed: Sequence[Weighed]) -> float:
    """P(an assertion is entailed), by the first of its premises: it sees the exception that another document makes."""
    return weighed[0].entailment if weighed else 0.0


def citations(assertion: str, weighed: Sequence[Weighed], support: float) -> list[Citation]:
    """The sentences that an assertion rests on; none where it is not supported."""
    return (
        [cite(strip) for strip in needed(assertion, weighed[0].premise.strips)]
        if entailment(weighed) >= support
        else []
    )


def needed(assertion: str, strips: Sequence[Strip]) -> list[Strip]:
    """Of strips that were read together those with words of the assertion that no fuller one has, at most `CITED`."""
    said = set(keywords(assertion))
    held = [said & set(words(headed(strip["passage"], strip["text"]))) for strip in strips]
    chosen, known = set[int](), set[str]()
    for at in sorted(range(len(strips)), key=lambda at: -len(held[at])):
        if not chosen or (held[at] - known and len(chosen) < CITED):
            chosen.add(at)
            known |= held[at]
    return [strip for at, strip in enumerate(strips) if at in chosen]


def nearest_to(assertion: str, one: Weighed) -> Strip:
    """The sentence of a premise that says most of an assertion."""
    return max(one.premise.strips, key=lambda strip: len(set(keywords(assertion)) & set(words(strip["text"]))))


def disagreement(
    assertion: str, weighed: Sequence[Weighed], *, support: float, contradiction: float
) -> tuple[Citation, Citation] | None:
    """A sentence that supports an assertion and one from another source that contradicts it; None when all agree."""
    alone = [one for one in weighed if one.premise.document]
    best = max(alone, key=lambda one: one.entailment, default=None)
    worst = max(alone, key=lambda one: one.contradiction, default=None)
    if best is None or worst is None or best.entailment < support or worst.contradiction < contradiction:
        return None
    supporting, contradicting = (nearest_to(assertion, one) for one in (best, worst))
    if supporting["passage"]["source"] == contradicting["passage"]["source"]:
        return None
    return cite(supporting), cite(contradicting)


def bare_decision(text: str) -> str | None:
    """The yes, no, maybe or perhaps that is all a text says, lower-cased; None for any other text."""
    said = words(text)
    return said[0] if said in _DECISIONS else None


def is_bare(text: str, question: str) -> bool:
    """Whether a text only fills the place that an open question leaves: few words, none of the question's."""
    said = words(text)
    open_question = bool(keywords(question)) and not YES_NO.match(question) and "?" not in text
    return open_question and 0 < len(said) <= BARE and not set(keywords(question)) & set(said)


def stated_answer(question: str, answer: str) -> str:
    """What a bare answer says: it behind its question, as the critic learned to read it."""
    return f"{question.rstrip(' ?')}? {answer.rstrip(' .')}."
