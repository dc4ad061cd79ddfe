"""An answer as it is told: what was read first, then the sentence that says it; or why there is none.

Pure functions over what the run knows; no judge is asked here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from veridic.shapes import Candidate, Citation, Conflict, Origin, ReadAnswer, Sentence
from veridic.text.answers import tokens
from veridic.text.facts import COMMON
from veridic.text.outgoing import for_markdown, link
from veridic.text.sentences import Span, unwrapped

LONGEST = 40
"""Words of one quoted sentence; of a longer one the part around the answer is shown."""
BRIEF = 400
"""Characters of what is named and not told: code and tables may have no words to cut at."""
WHOLE = 0.6
"""Share of a sentence's words from which a short answer is not told apart from it."""
UNSURE = 0.05
"""A reading less probable than this is not worth telling."""
AGREED = 3.0
"""How many times the odds of what was read rise when a draft says it too.

Of drafts as often true as false, those that said what was read were right 25 times as often as wrong at readings of
0.15 to 0.5; a writer that has the same passages in view tells less than one that was asked apart.
"""
HALFWAY = 0.5
"""Share of the confidence a short answer needs from which its sentence may be told; measured, see docs/decisions.md."""
OTHERWISE = "\n\nAnother document says otherwise: "
"""What stands before the other side of what documents disagree on."""
NAMED = 5
"""Places that are named."""
_CLAUSE = re.compile(r"[,;:—–]\s+|\s+(?=(?:and|but|which|who|where|when|while|after|before|because)\b)")
_CUT = "…"


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
        holds=False,
        objection=None,
        partial=False,
        missing=[],
        attribution=None,
    )


def composes(readings: Sequence[ReadAnswer]) -> bool:
    """Whether sentences are asked for, more than a span: why and how; or nothing could be read at all."""
    return not readings or any(reading["kind"] == "why-how" for reading in readings)


def held(readings: Sequence[ReadAnswer]) -> list[ReadAnswer]:
    """The parts of a question that were answered."""
    return [reading for reading in readings if reading["holds"]]


def quotable(readings: Sequence[ReadAnswer]) -> list[ReadAnswer]:
    """The parts whose sentences may be the answer: those answered; where none is, all, if each is half as sure."""
    near = all(nearly_holds(reading, HALFWAY) and reading["sentence"] for reading in readings)
    return held(readings) or (list(readings) if near else [])


def nearly_holds(reading: ReadAnswer, share: float) -> bool:
    """Whether a reading has this share of the confidence that it needs to stand alone; a decision never has."""
    return reading["kind"] != "yes-no" and not reading["unmet"] and reading["probability"] >= share * reading["needed"]


def lacking(readings: Sequence[ReadAnswer]) -> list[str]:
    """The parts of a question that were not answered while another was."""
    return [reading["question"] for reading in readings if not reading["holds"]] if held(readings) else []


def told_sentence(reading: ReadAnswer) -> str:
    """The sentence an answer stands in; of a long one the clauses around it, between ellipses."""
    sentence, span = reading["sentence"], reading["span"]
    if sentence is None or span is None:
        return ""
    told = shortened(sentence["quote"], span["start"] - sentence["start"], span["end"] - sentence["start"])
    return one_after_another([told, *(shortened(one["quote"]) for one in reading["also"])])


def one_after_another(told: Sequence[str]) -> str:
    """Sentences as one text, each once; one that was cut has no full stop, so that a blank line sets it apart."""
    return ("\n\n" if any(map(is_excerpt, told)) else " ").join(dict.fromkeys(told))


def shortened(sentence: str, start: int = 0, end: int = 1) -> str:
    """A sentence with at most 40 words: the clauses around the characters, with ellipses where something was cut."""
    place = excerpt(sentence, start, end)
    before = f"{_CUT} " if place.start > 0 else ""
    after = f" {_CUT}" if place.end < len(sentence) else ""
    return before + place.text + after


def excerpt(sentence: str, start: int, end: int, words: int = LONGEST) -> Span:
    """The longest run of clauses around the characters with at most `words` words; else the nearest words."""
    if len(sentence.split()) <= words:
        return Span(sentence, 0, len(sentence))
    cuts = [0, *(match.end() for match in _CLAUSE.finditer(sentence)), len(sentence)]
    runs = [
        (left, right)
        for left in cuts
        for right in cuts
        if left <= start and end <= right and len(sentence[left:right].split()) <= words
    ]
    left, right = max(runs, key=lambda run: run[1] - run[0]) if runs else _around(sentence, start, end, words)
    text = sentence[left:right].rstrip(" ,;:—–")
    return Span(text, left, left + len(text))


def _around(sentence: str, start: int, end: int, words: int) -> tuple[int, int]:
    found = list(re.finditer(r"\S+", sentence))
    inside = [at for at, word in enumerate(found) if word.end() > start and word.start() < end] or [0]
    spare = max(0, words - len(inside))
    first = max(0, inside[0] - spare // 2)
    last = min(len(found), first + words) - 1
    return found[first].start(), found[last].end()


def is_excerpt(text: str) -> bool:
    """Whether a quoted sentence was cut."""
    return text.startswith(_CUT) or text.endswith(_CUT)


def quoted(text: str) -> str:
    """What a cut sentence quotes."""
    return text.strip(f"{_CUT} ")


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
    own = set(said) - set(tokens(reading["question"])) - COMMON
    return bool(own) and own <= set(tokens(reading["text"]))


def read_alone(text: str, readings: Sequence[ReadAnswer]) -> ReadAnswer | None:
    """The reading whose short answer is all that a text says; a decision only where it is sure enough."""
    said = tokens(text)
    told = (one for one in readings if one["span"] and (one["kind"] != "yes-no" or one["holds"]))
    return next((one for one in told if tokens(one["text"]) == said), None)


def as_read(place: Span, reading: ReadAnswer) -> Sentence:
    """The verdict on a sentence that says what was read and nothing else: as sure as the reading."""
    return Sentence(
        text=place.text,
        start=place.start,
        end=place.end,
        verdict="supported",
        support=reading["probability"],
        contradiction=None,
        citations=[reading["span"]] if reading["span"] else [],
        claims=[],
    )


def short_answer(chosen: Candidate | None, readings: Sequence[ReadAnswer]) -> str:
    """What was read, a part each, where the chosen answer says it; empty where sentences are the answer."""
    return "; ".join(dict.fromkeys(" ".join(reading["text"].split()) for reading in _told(chosen, readings)))


def places_of(chosen: Candidate | None, readings: Sequence[ReadAnswer]) -> list[Citation]:
    """Where the parts of the short answer stand."""
    return [reading["span"] for reading in _told(chosen, readings) if reading["span"]]


def _told(chosen: Candidate | None, readings: Sequence[ReadAnswer]) -> list[ReadAnswer]:
    """What is told as a short answer; of why and how the sentences are the answer."""
    short = [reading for reading in held(readings) if reading["kind"] != "why-how"]
    return [reading for reading in short if chosen and _says(chosen, reading)]


def _says(chosen: Candidate, reading: ReadAnswer) -> bool:
    if chosen["origin"] == "read":
        return told_sentence(reading) in chosen["text"]
    return agrees(chosen["text"], reading)


def disputes(chosen: Candidate | None, readings: Sequence[ReadAnswer]) -> list[Conflict]:
    """Where another document answers otherwise than is told."""
    return [
        Conflict(claim=reading["text"], supporting=reading["sentence"], contradicting=reading["rival"]["sentence"])
        for reading in _told(chosen, readings)
        if reading["rival"] and reading["sentence"]
    ]


def with_other_side(answer: str, found: list[Sentence], disputed: Sequence[Conflict]) -> tuple[str, list[Sentence]]:
    """The answer with what other documents say instead, each sentence with its place."""
    parts = list(found)
    for one in disputed:
        text = unwrapped(one["contradicting"]["quote"])
        answer += OTHERWISE + text
        parts.append(
            Sentence(
                text=text,
                start=len(answer) - len(text),
                end=len(answer),
                verdict="supported",
                support=1.0,
                contradiction=None,
                citations=[one["contradicting"]],
                claims=[],
            )
        )
    return answer, parts


def confidence(chosen: Candidate | None, readings: Sequence[ReadAnswer]) -> float | None:
    """P(right) of the weakest part that is told; of composed sentences how useful they are; None of no answer.

    A draft that says what was read makes it surer. Of a sentence told because its short answer is too unsure it is the
    mean of both. Documents that disagree share it.
    """
    sure = _undisputed(chosen, readings)
    return None if sure is None else sure / (1 + len(disputes(chosen, readings)))


def _undisputed(chosen: Candidate | None, readings: Sequence[ReadAnswer]) -> float | None:
    if chosen is None:
        return max((reading["probability"] for reading in readings), default=None)
    if chosen["origin"] == "read" and not held(readings) and not composes(readings):
        return (min(reading["probability"] for reading in readings) + chosen["usefulness"]) / 2
    told = (one for one in held(readings) or readings if one["kind"] != "why-how" and _says(chosen, one))
    read = min((reading["probability"] for reading in told), default=None)
    if read is None:
        return chosen["usefulness"]
    return agreed(read) if chosen["origin"] == "chat" else read


def agreed(probability: float) -> float:
    """A probability whose odds rose `AGREED` times."""
    return AGREED * probability / (1 + (AGREED - 1) * probability)


def led(short: str, body: str, found: list[Sentence], places: Sequence[Citation]) -> tuple[str, list[Sentence]]:
    """The whole answer with its sentences: the short answer on a line of its own, unless it nearly is the sentence."""
    if not short or len(tokens(short)) >= WHOLE * len(tokens(body)) or body.startswith(short):
        return body, found
    head = Sentence(
        text=short,
        start=0,
        end=len(short),
        verdict="supported",
        support=min((sentence["support"] or 0.0 for sentence in found), default=0.0),
        contradiction=None,
        citations=list(places),
        claims=[],
    )
    skip = len(short) + 2
    moved = [Sentence(**{**one, "start": one["start"] + skip, "end": one["end"] + skip}) for one in found]
    return f"{short}\n\n{body}", [head, *moved]


def without_wraps(answer: str, found: Sequence[Sentence]) -> tuple[str, list[Sentence]]:
    """The answer and its sentences without the line breaks of their sources, which mean nothing here."""
    told, parts, at = "", list[Sentence](), 0
    for one in found:
        text = unwrapped(one["text"])
        told += answer[at : one["start"]]
        parts.append(Sentence(**{**one, "text": text, "start": len(told), "end": len(told) + len(text)}))
        told, at = told + text, one["end"]
    return told + answer[at:], parts


def nothing_at(places: Sequence[str]) -> str:
    """What is said where no document is held at the places that are asked."""
    return f"No document that may be asked is at {named(places)}. `veridic list` names those that are held."


def named(places: Sequence[str]) -> str:
    """Places in one line, of many the first."""
    lines = [" ".join(place.split()) for place in places]
    return ", ".join(lines[:NAMED]) + (f" and {len(lines) - NAMED:,} more" if len(lines) > NAMED else "") or "no place"


def missed(readings: Sequence[ReadAnswer]) -> str:
    """What was looked for, the nearest that was found, and why it does not count; empty where nothing was read."""
    near = max(readings, key=lambda reading: reading["probability"], default=None)
    if near is None or near["sentence"] is None:
        return ""
    nearest = f'The nearest that was found: "{_brief(told_sentence(near))}" ({_brief(near["sentence"]["title"])}).'
    return f"{_why(near)} {nearest}"


def _brief(text: str) -> str:
    """A text on one line; of a long one the beginning."""
    line = " ".join(text.split())
    return line if len(line) <= BRIEF else f"{line[:BRIEF].rstrip()} {_CUT}"


def _why(near: ReadAnswer) -> str:
    if near["kind"] == "yes-no":
        return "The sources do not decide."
    if near["unmet"]:
        return f"The sources do not say {', '.join(near['unmet'])}."
    if near["probability"] >= UNSURE:
        return f'It may be "{_brief(near["text"])}", but that is too unsure ({near["probability"]:.2f}).'
    return "Nothing in the sources answers it."


def numbered(markdown: str, found: Sequence[Sentence]) -> str:
    """An answer in Markdown with its sources beneath, numbered as chat front ends show them; they alone are links."""
    text, links = "", dict[int, str]()
    for number, one in enumerate(sources_of(found), start=1):
        named = [" ".join(one[part].split()) for part in ("title", "location", "url")]
        if told := link(named[-1]):
            named[-1] = ""
        text += f"\n[{number}] {' · '.join(filter(None, named))}"
        if told:
            links[len(text)] = f" · {told}"
        text += f": “{' '.join(one['quote'].split())}”"
    return f"{markdown}\n{for_markdown(text, links)}" if text else markdown


def cited_places(found: Sequence[Sentence]) -> list[str]:
    """A line for each document that is cited, in order: its number, where it can be opened, and the places in it."""
    places: dict[str, dict[str, None]] = {}
    for part in found:
        for one in part["citations"]:
            places.setdefault(one["url"] or one["title"], {})[one["location"]] = None
    told = ((where, ", ".join(filter(None, locations))) for where, locations in places.items())
    return [f"[{number}] {where}{f' ({at})' if at else ''}" for number, (where, at) in enumerate(told, start=1)]


def marked(answer: str, found: Sequence[Sentence]) -> str:
    """In Markdown, with the numbers that `numbered` gives the sources behind each sentence: `… in 1932. [1][2]`."""
    sources = sources_of(found)
    marks = dict[int, str]()
    for sentence in found:
        numbers = "".join(
            f"[{number}]"
            for number, source in enumerate(sources, start=1)
            if any(_where(one) == _where(source) or _within(one, source) for one in sentence["citations"])
        )
        if numbers:
            marks[sentence["end"]] = f" {numbers}"
    return for_markdown(answer, marks)


def sources_of(found: Sequence[Sentence]) -> list[Citation]:
    """What sentences rest on, each place once and none that lies within another, in the order of their first use."""
    cited = [one for part in found for one in part["citations"]]
    return list({_where(one): one for one in cited if not any(_within(one, other) for other in cited)}.values())


def _where(citation: Citation) -> tuple[str, int, int]:
    return citation["document_id"], citation["start"], citation["end"]


def _within(one: Citation, other: Citation) -> bool:
    """Whether a citation quotes a part of what another quotes."""
    document, start, end = _where(other)
    inside = one["document_id"] == document and start <= one["start"] and one["end"] <= end
    return inside and _where(one) != _where(other)
