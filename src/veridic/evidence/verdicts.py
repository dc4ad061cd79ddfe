"""ISSUP for written text: what the critic says of each sentence, and of the claims of one that is not supported whole.

What stands in the evidence as it is, or was read there, needs no critic; code counts where the question asks for it.
Everything else goes to the critic in one batch; the claims of what it leaves open in a second one, so that a sentence
may be partly supported (Self-RAG).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from veridic.evidence.answering import as_read, read_alone
from veridic.evidence.evidence import decompose, position
from veridic.evidence.factuality import nearest
from veridic.evidence.grounding import (
    Weighed,
    asserted,
    citations,
    disagreement,
    entailment,
    settle,
    stands_in,
    unverified,
    verbatim,
    weigh,
)
from veridic.evidence.premises import premises_for
from veridic.evidence.relevance import Told, probabilities, relevance
from veridic.evidence.telling import is_excerpt, quoted
from veridic.ports.judgements import Thresholds
from veridic.ports.judging import Critic
from veridic.ports.shapes import Conflict, JudgedClaim, LookedUp, ReadAnswer, Sentence, Strip
from veridic.runtime.run import Run
from veridic.text.claims import atomic
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


@dataclass(frozen=True)
class _Known:
    """A verdict that needs no critic, and the sentence of the evidence that it rests on."""

    sentence: Sentence
    source: str


def verdicts_on(
    written: Sequence[Written], question: str, readings: Sequence[ReadAnswer], run: Run, *, deadline: float
) -> Judged:
    """Judge every sentence, in at most two batches. Raises what `Critic.judge` raises."""
    places = [(one, place) for one in written for place in sentences(one.text)]
    known = [_verdict(_known(one, place, question, readings)) for one, place in places]
    told = [
        None if sure else asserted(place.text, question, heard=run.critic_hears)
        for sure, (_, place) in zip(known, places, strict=True)
    ]
    asked = [
        Asserted(text, one.strips, f"{one.text} {question}")
        for text, (one, _) in zip(told, places, strict=True)
        if text
    ]
    critic = run.critic_of(question)
    weighed, pairs = weighed_on(asked, critic, deadline)
    thresholds = run.thresholds()
    said = iter(weighed)
    found = [
        sure or _settled(place, text, next(said) if text else (), thresholds)
        for sure, text, (_, place) in zip(known, told, places, strict=True)
    ]
    whole, more = _with_claims(found, told, [one for one, _ in places], critic, thresholds.support, deadline)
    each = iter(whole)
    return Judged(
        sentences=[[next(each) for _ in sentences(one.text)] for one in written],
        conflicts=_conflicts(asked, weighed, thresholds),
        pairs=pairs + more,
    )


def _known(one: Written, place: Span, question: str, readings: Sequence[ReadAnswer]) -> _Known | None:
    """The verdict on what is quoted or was read; None where the critic has to say."""
    if one.quotes and is_excerpt(place.text):
        quote = quoted(place.text)
        strip = next((strip for strip in one.strips if quote in strip["text"]), None)
        if strip:
            return _Known(verbatim(place, strip, quote), quote)
    if asserted(place.text, question) and (strip := stands_in(place.text, one.strips)):
        return _Known(verbatim(place, strip, place.text), place.text)
    read = read_alone(place.text, readings)
    return _Known(as_read(place, read), read["sentence"]["quote"] if read["sentence"] else place.text) if read else None


def _verdict(one: _Known | None) -> Sentence | None:
    """The verdict; nothing is said of what rests on a sentence in another language, which no judge here reads."""
    if one is None:
        return None
    return unverified(one.sentence) if is_foreign(one.source) and not is_code(one.source) else one.sentence


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


def _settled(place: Span, assertion: str | None, weighed: Sequence[Weighed], thresholds: Thresholds) -> Sentence:
    support, contradiction = thresholds.support, thresholds.contradiction
    return settle(place, weighed, assertion=assertion, support=support, contradiction=contradiction)


def _with_claims(
    found: list[Sentence],
    told: Sequence[str | None],
    written: Sequence[Written],
    critic: Critic,
    support: float,
    deadline: float,
) -> tuple[list[Sentence], int]:
    """The sentences, those partly supported with their claims; a bare answer has none of its own."""
    claims = [
        atomic(one["text"]) if one["verdict"] == "unsupported" and one["text"] == text else []
        for one, text in zip(found, told, strict=True)
    ]
    several = [own if len(own) > 1 else [] for own in claims]
    asked = [Asserted(claim, one.strips) for own, one in zip(several, written, strict=True) for claim in own]
    weighed, pairs = weighed_on(asked, critic, deadline)
    said = iter(weighed)
    judged_claims = [[_claim(claim, next(said), support) for claim in own] for own in several]
    return [_partly(one, own) for one, own in zip(found, judged_claims, strict=True)], pairs


def _claim(text: str, weighed: Sequence[Weighed], support: float) -> JudgedClaim:
    best = entailment(weighed)
    supported = best >= support
    return JudgedClaim(
        text=text, supported=supported, support=best, citations=citations(text, weighed, support) if supported else []
    )


def _partly(sentence: Sentence, claims: list[JudgedClaim]) -> Sentence:
    """Partly supported where some claims are and some are not; else as it was.

    All claims supported one by one is not the sentence supported: what joins them may be wrong.
    """
    supported = [claim["supported"] for claim in claims]
    if not any(supported) or all(supported):
        return sentence
    cited = [citation for claim in claims for citation in claim["citations"]]
    return {**sentence, "verdict": "partly", "claims": claims, "citations": cited}


def _conflicts(
    asked: Sequence[Asserted], weighed: Sequence[Sequence[Weighed]], thresholds: Thresholds
) -> list[Conflict]:
    support, contradiction = thresholds.support, thresholds.contradiction
    return [
        Conflict(claim=one.text, supporting=sides[0], contradicting=sides[1])
        for one, found in zip(asked, weighed, strict=True)
        if (sides := disagreement(one.text, found, support=support, contradiction=contradiction))
    ]


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
