"""What a strip says, spelt out for a claim: subjects put in, clauses by themselves, the values of several apart.

A small critic is unsure of a clause beside another one, does not always know what "it" is, and gives one thing's value
to another where a sentence has several.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from veridic.evidence.antecedents import with_subjects
from veridic.evidence.clauses import stated_clauses
from veridic.evidence.evidence import headed
from veridic.evidence.grounding import Premise, premises_for
from veridic.ports.shapes import Strip
from veridic.text.assertions import LONGEST_SENTENCE
from veridic.text.duplicates import coverage
from veridic.text.parallels import of_one, told_apart
from veridic.text.sentences import leans_back, sentences, without_code

NEAR = 0.6
"""Share of a claim's words that a clause holds when it is asked about."""

ALIKE = 0.85
"""The same, when it may support the claim and not only contradict it."""


@dataclass(frozen=True)
class Spelt:
    """A sentence, and what it says of the claim in other words than its own."""

    sentence: str
    told: tuple[str, ...]
    instead: bool
    """Whether only those may be read, for the sentence has several values in one place."""
    start: int
    """Where what it takes to read it begins, in the document: the sentence, or that of its subject."""


def spelt_out(strip: Strip, claim: str) -> list[Spelt]:
    """The sentences of a strip; what a pronoun means may stand before the strip."""
    passage = strip["passage"]
    places = sentences(without_code(passage["text"]))
    meant = with_subjects([one.text for one in places], claim)
    start, end = (strip[edge] - passage["start"] for edge in ("start", "end"))
    return [
        _spelt(place.text, one.text, claim, passage["start"] + places[one.since].start)
        for place, one in zip(places, meant, strict=True)
        if start <= place.start and place.end <= end
    ]


def premises_of(claim: str, strips: Sequence[Strip]) -> list[Premise]:
    """The premises for a claim, and what the nearest strips say spelt out, under its heading and alone."""
    found = premises_for(claim, strips)
    nearest = {id(one.strips[0]): one.strips[0] for one in found if len(one.strips) == 1}
    spelt = {key: spelt_out(strip, claim) for key, strip in nearest.items()}
    return [
        *(rest for one in found if (rest := _without_several(one, spelt))),
        *(premise for key, own in spelt.items() for one in own for premise in _of_one(one, claim, nearest[key])),
    ]


def sentence_premises(premise: Premise, claim: str) -> list[tuple[str, str]]:
    """The sentences of a premise of one strip, spelt out: under the heading where the premise is, and alone.

    Without those that point to the sentence before them, where it is not known to what.
    """
    [strip] = premise.strips
    told = [text for one in spelt_out(strip, claim) for text in _read(one) if not leans_back(text)]
    head = headed(strip["passage"], "")
    return [(f"{head}{one}" if head and premise.text.startswith(head) else one, one) for one in told]


def _spelt(sentence: str, meant: str, claim: str, start: int) -> Spelt:
    if len(meant) > LONGEST_SENTENCE:
        return Spelt(sentence, (), instead=False, start=start)
    several = told_apart(meant)
    if apart := several if told_apart(claim) else of_one(several, claim):
        return Spelt(sentence, tuple(one.text for one in apart), instead=True, start=start)
    clauses = [clause for clause in stated_clauses(meant) if coverage(claim, clause) >= NEAR]
    told = dict.fromkeys([*([meant] if meant != sentence else []), *clauses])
    return Spelt(sentence, tuple(told), instead=False, start=start)


def _of_one(one: Spelt, claim: str, strip: Strip) -> Iterator[Premise]:
    """What a sentence says, as premises; with the sentence of its subject, where that stands before the strip."""
    passage, start = strip["passage"], min(strip["start"], one.start)
    text = passage["text"][start - passage["start"] : strip["end"] - passage["start"]]
    reaching: Strip = {**strip, "text": text, "start": start}
    for told in one.told:
        supports = one.instead or coverage(claim, told) >= ALIKE
        for premise in dict.fromkeys((headed(passage, told), told)):
            yield Premise(premise, (reaching,), supports)


def _read(one: Spelt) -> Iterator[str]:
    if not one.instead:
        yield one.sentence
    yield from one.told


def _without_several(premise: Premise, spelt: dict[int, list[Spelt]]) -> Premise | None:
    """The premise without the sentences that are read otherwise; None where nothing of a strip is left."""
    text = premise.text
    for strip in premise.strips:
        own = spelt.get(id(strip), [])
        if own and all(one.instead for one in own):
            return None
        for one in own:
            text = text.replace(one.sentence, "") if one.instead else text
    return replace(premise, text=text)
