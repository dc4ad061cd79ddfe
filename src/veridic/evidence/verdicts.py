"""ISSUP for written text: what the critic says of each sentence.

What stands in the evidence as it is, or was read there, needs no critic. Everything else goes to the critic in one
batch.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from veridic.evidence.answering import as_read, read_alone
from veridic.evidence.evidence import decompose, position
from veridic.evidence.factuality import nearest
from veridic.evidence.grounding import (
    Weighed,
    asserted,
    disagreement,
    settle,
    stands_in,
    unverified,
    verbatim,
    weigh,
)
from veridic.evidence.premises import premises_for
from veridic.evidence.relevance import Told, probabilities, relevance
from veridic.evidence.telling import is_excerpt, quoted
from veridic.ports.judging import Critic
from veridic.ports.shapes import Conflict, LookedUp, ReadAnswer, Sentence, Strip
from veridic.runtime.run import Run
from veridic.text.language import is_foreign
from veridic.text.sentences import Span, is_code, sentences


@dataclass(frozen=True)
class Written:
    """A text and the evidence it is held against."""

    text: str
    strips: Sequence[Strip]
    quotes: bool = False
    """Whether it may be cut from a strip, between ellipses."""


@dataclass(frozen=True)
class Judged:
    """The sentences of each text with their verdicts, and where the evidence disagrees with itself."""

    sentences: list[list[Sentence]]
    conflicts: list[Conflict]
    pairs: int
    """How many pairs the critic was asked."""


@dataclass(frozen=True)
class Asserted:
    """What a sentence asserts, with the evidence it is asked of."""

    text: str
    strips: Sequence[Strip]
    about: str = ""
    """What it is part of, and the question; empty: it stands alone."""


def verdicts_on(
    written: Sequence[Written], question: str, readings: Sequence[ReadAnswer], run: Run, *, deadline: float
) -> Judged:
    """Judge every sentence, in one batch. Raises what `Critic.judge` raises."""
    own = [sentences(one.text) for one in written]
    places = [(one, place) for one, found in zip(written, own, strict=True) for place in found]
    known = [_known(one, place, question, readings) for one, place in places]
    told = [
        None if sure else asserted(place.text, question, heard=run.critic_hears)
        for sure, (_, place) in zip(known, places, strict=True)
    ]
    asked = [
        Asserted(text, one.strips, f"{one.text} {question}")
        for text, (one, _) in zip(told, places, strict=True)
        if text
    ]
    weighed, pairs = weighed_on(asked, run.critic_of(question), deadline)
    thresholds = run.thresholds()
    support, contradiction = thresholds.support, thresholds.contradiction
    said = iter(weighed)
    found = iter(
        sure or settle(place, next(said) if text else (), assertion=text, support=support, contradiction=contradiction)
        for sure, text, (_, place) in zip(known, told, places, strict=True)
    )
    return Judged(
        sentences=[[next(found) for _ in each] for each in own],
        conflicts=[
            Conflict(claim=one.text, supporting=sides[0], contradicting=sides[1])
            for one, own in zip(asked, weighed, strict=True)
            if (sides := disagreement(one.text, own, support=support, contradiction=contradiction))
        ],
        pairs=pairs,
    )


def _known(one: Written, place: Span, question: str, readings: Sequence[ReadAnswer]) -> Sentence | None:
    """The verdict on what is quoted or was read; None where the critic has to say."""
    if one.quotes and is_excerpt(place.text):
        quote = quoted(place.text)
        strip = next((strip for strip in one.strips if quote in strip["text"]), None)
        if strip:
            return _readable(verbatim(place, strip, quote), quote)
    if asserted(place.text, question) and (strip := stands_in(place.text, one.strips)):
        return _readable(verbatim(place, strip, place.text), place.text)
    read = read_alone(place.text, readings)
    if read is None:
        return None
    return _readable(as_read(place, read), read["sentence"]["quote"] if read["sentence"] else place.text)


def _readable(sentence: Sentence, source: str) -> Sentence:
    """The verdict; nothing is said of what rests on a sentence in another language, which no judge here reads."""
    return unverified(sentence) if is_foreign(source) and not is_code(source) else sentence


def weighed_on(asked: Sequence[Asserted], critic: Critic, deadline: float) -> tuple[list[list[Weighed]], int]:
    """Each assertion weighed against its premises, and how many pairs were judged; in one batch, no pair twice.

    Raises what `Critic.judge` raises.
    """
    near = {(one.about or one.text, id(one.strips)): one for one in asked}
    known = {place: premises_for(place[0], one.strips) for place, one in near.items()}
    premises = [known[one.about or one.text, id(one.strips)] for one in asked]
    pairs = [(premise.text, one.text) for one, own in zip(asked, premises, strict=True) for premise in own]
    batch = list(dict.fromkeys(pairs))
    said = dict(zip(batch, critic.judge(batch, deadline=deadline) if batch else [], strict=True))
    weighed = [
        weigh(own, [said[premise.text, one.text] for premise in own]) for one, own in zip(asked, premises, strict=True)
    ]
    return weighed, len(batch)


def graded_windows(
    looked_up: Sequence[LookedUp], question: str, run: Run, *, deadline: float
) -> tuple[list[Strip], int]:
    """Of what was looked up the windows nearest to the claims, each once, graded for the question; and pairs judged.

    Those that pass are marked kept. Raises what `RetrievalEvaluator.score` raises.
    """
    windows = {
        position(strip): strip
        for one in looked_up
        for strip in nearest(one["claim"], [strip for passage in one["passages"] for strip in decompose(passage)])
    }
    threshold = run.thresholds().strip
    told = [Told(question, strip["passage"], strip["text"]) for strip in windows.values()]
    scores, pairs = relevance(told, probabilities(run.sifter, deadline), least=threshold)
    evidence = [
        Strip(**{**strip, "score": score, "kept": score >= threshold})
        for strip, score in zip(windows.values(), scores, strict=True)
    ]
    return evidence, pairs
