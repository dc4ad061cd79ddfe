"""What the answer is, of what was read and written, and how sure it is; or why there is none.

Pure functions over what the run knows; no judge is asked here.
"""

from __future__ import annotations

from collections.abc import Sequence

from veridic.evidence.evidence import sentence_at
from veridic.evidence.telling import told_sentence
from veridic.ports.shapes import Candidate, Citation, Conflict, Origin, ReadAnswer, Sentence
from veridic.text.answers import refuses, tokens
from veridic.text.sentences import Span, is_code
from veridic.text.stop_words import STOP_WORDS

QUOTING: tuple[Origin, ...] = ("read", "extractive")
"""Where candidates are from that stand in the evidence as they are."""
UNSURE = 0.2
"""A reading less probable than this is not worth telling: most are wrong."""
NEAREST = 3
"""Sentences that are told as the nearest, and those that may be told: the clearest."""
QUOTED = 0.1
"""P(right) from which the sentence of what was read is among those that may be told as they stand."""


def draft(text: str, origin: Origin) -> Candidate:
    """A candidate of the first attempt that nobody has judged."""
    return Candidate(
        attempt=0,
        origin=origin,
        text=text,
        sentences=[],
        support=0.0,
        usefulness=0.0,
        relevance=0.0,
        agreement=0.0,
        score=0.0,
        probability=None,
        answers=None,
        holds=False,
        objection=None,
        partial=False,
        missing=[],
        attribution=None,
    )


def declines(candidate: Candidate) -> bool:
    """Whether a chat model wrote that it does not know."""
    return candidate["origin"] == "chat" and refuses(candidate["text"])


def composes(readings: Sequence[ReadAnswer]) -> bool:
    """Whether sentences are asked for, more than a span: why and how; or nothing could be read at all."""
    return not readings or any(reading["kind"] == "why-how" for reading in readings)


def held(readings: Sequence[ReadAnswer]) -> list[ReadAnswer]:
    """The parts of a question that were answered."""
    return [reading for reading in readings if reading["holds"]]


def decides(readings: Sequence[ReadAnswer]) -> bool:
    """Whether a yes or no was read surely: it counts where its sentence answers, too, else that alone is told."""
    return any(reading["kind"] == "yes-no" for reading in held(readings))


def undecided_in(readings: Sequence[ReadAnswer]) -> bool:
    """Whether a yes or no is asked for that could not be read."""
    return any(reading["kind"] == "yes-no" and not reading["holds"] for reading in readings)


def quotable(readings: Sequence[ReadAnswer]) -> list[ReadAnswer]:
    """The parts whose sentences may be the answer: those answered; where none is, all, if each was read somehow."""
    near = all(one["sentence"] and one["probability"] >= QUOTED and not is_in_code(one) for one in readings)
    return held(readings) or (list(readings) if near and not undecided_in(readings) else [])


def clearest(reading: ReadAnswer) -> list[Citation]:
    """The sentences in which an answer was read most clearly, however unsurely."""
    return [one["sentence"] for one in reading["places"]][:NEAREST]


def lacking(readings: Sequence[ReadAnswer]) -> list[str]:
    """The parts of a question that were not answered while another was."""
    return [reading["question"] for reading in readings if not reading["holds"]] if held(readings) else []


def left_open(readings: Sequence[ReadAnswer]) -> str:
    """What is said of the parts that were not answered; of one that the sentence told may answer, that it is unsure."""
    told = [one["sentence"] for one in held(readings)]
    may = [one["question"] for one in readings if one["sentence"] in told and one["probability"] >= UNSURE]
    unsure = [part for part in lacking(readings) if part in may]
    missing = [part for part in lacking(readings) if part not in may]
    said = (("Not found", missing), ("Not sure that this says", unsure))
    return " ".join(f"{lead}: {' '.join(parts)}" for lead, parts in said if parts)


def agrees(text: str, reading: ReadAnswer) -> bool:
    """Whether a draft answers as was read.

    It says the short answer, or beside the question's words nothing but a part of it; of a decision not the other one.
    """
    said = tokens(text)
    if reading["kind"] == "yes-no":
        return not said or said[0] not in ("yes", "no") or said[0] == reading["text"].lower()
    wanted = [" ".join(tokens(item)) for item in reading["text"].split("; ")]
    if all(item and f" {item} " in f" {' '.join(said)} " for item in wanted):
        return True
    own = set(said) - set(tokens(reading["question"])) - STOP_WORDS
    return bool(own) and own <= set(tokens(reading["text"]))


def read_alone(text: str, readings: Sequence[ReadAnswer]) -> ReadAnswer | None:
    """The reading whose short answer is all that a text says; a decision only where it is sure enough."""
    said = tokens(text)
    told = (one for one in readings if one["span"] and (one["kind"] != "yes-no" or one["holds"]))
    return next((one for one in told if tokens(one["text"]) == said), None)


def as_read(place: Span, reading: ReadAnswer) -> Sentence:
    """The verdict on a sentence that says what was read and nothing else: as sure as the reading."""
    citations = [reading["span"]] if reading["span"] else []
    return sentence_at(place, "supported", reading["probability"], citations=citations)


def short_answer(chosen: Candidate | None, readings: Sequence[ReadAnswer]) -> str:
    """What was read, a part each, where the chosen answer says it; empty where sentences are the answer."""
    return "; ".join(dict.fromkeys(" ".join(reading["text"].split()) for reading in _told(chosen, readings)))


def places_of(chosen: Candidate | None, readings: Sequence[ReadAnswer]) -> list[Citation]:
    """Where the parts of the short answer stand."""
    return [reading["span"] for reading in _told(chosen, readings) if reading["span"]]


def _told(chosen: Candidate | None, readings: Sequence[ReadAnswer]) -> list[ReadAnswer]:
    """What is told as a short answer; of why and how the sentences are the answer, and so are lines of code."""
    short = [
        one for one in held(readings) if one["kind"] != "why-how" and not (is_in_code(one) and "\n" in one["text"])
    ]
    return [reading for reading in short if chosen and _says(chosen, reading)]


def is_in_code(reading: ReadAnswer) -> bool:
    """Whether an answer was read in code."""
    return reading["sentence"] is not None and is_code(reading["sentence"]["quote"])


def _says(chosen: Candidate, reading: ReadAnswer) -> bool:
    if chosen["origin"] == "read" or (chosen["origin"] == "extractive" and reading["kind"] == "yes-no"):
        return told_sentence(reading) in chosen["text"]
    return agrees(chosen["text"], reading)


def disputes(chosen: Candidate | None, readings: Sequence[ReadAnswer]) -> list[Conflict]:
    """Where another document answers otherwise than is told, surely or not."""
    return [one for reading in readings if chosen and (one := _dispute(chosen, reading))]


def _dispute(chosen: Candidate, reading: ReadAnswer) -> Conflict | None:
    """What is told against what another document answers: of what was read and its rival either may be told."""
    rival, sentence = reading["rival"], reading["sentence"]
    if rival is None or sentence is None:
        return None
    if _says(chosen, reading):
        return Conflict(claim=reading["text"], supporting=sentence, contradicting=rival["sentence"])
    if reading["kind"] != "yes-no" and agrees(chosen["text"], {**reading, "text": rival["text"]}):
        return Conflict(claim=rival["text"], supporting=rival["sentence"], contradicting=sentence)
    return None


def confidence(chosen: Candidate | None, readings: Sequence[ReadAnswer]) -> float | None:
    """P(the chosen answer is right), shared with documents that disagree.

    Without an answer it is that of the likeliest reading; None where nothing was judged.
    """
    if chosen is None:
        return max((reading["probability"] for reading in readings), default=None)
    sure = chosen["probability"]
    return None if sure is None else sure / (1 + len(disputes(chosen, readings)))
