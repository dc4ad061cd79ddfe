"""Several values of one kind in one text, and questions after each: whose value it is decides, not which comes first.

"Frames are covered by a ten-year warranty, batteries by a two-year one." A reader that learned from the usual sets
gives the first value whatever it is asked. Texts are made of the frames in `contrasts.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import groupby

from veridic.text.sentences import sentences
from veridic_lab.training.reading.rows import Reading
from veridic_lab.training.wording import Rng, pick

FILE = "contrasts.txt"
EACH = 40
"""Texts that are made of one frame."""
UNANSWERED = 0.6
"""Share of the texts that are asked after a thing of which they say nothing."""
MISSED = 0.6
"""Share of those that are asked something near of which they say nothing either."""
AMONG = 0.4
"""Share of the texts that stand among sentences of other texts."""
SAME_UNIT = 0.7
"""Share of the texts whose values all have the unit of the first."""
PART = "contrast"

_SLOT = re.compile(r"\{([a-cA-Cx-z])\}")
_UNIT = re.compile(r"(?<=\d[ -])[a-zA-Z/]+$|(?<=[a-z][ -])(?:minute|hour|day|week|month|year)s?$")
_MONTHS = ("January February March April May June July August September October November December").split()
_WORDS = "two three four five six seven eight nine ten twelve fifteen twenty thirty".split()
_GIVEN = "Anna Ben Clara David Elena Farid Grace Hugo Ines Jonas Karin Lars Maria Nadia Oskar Priya Ruth Samuel".split()
_FAMILY = "Hansen Okafor Lindqvist Moreau Weber Castillo Ivanova Tanaka Brandt Dahl Ferrari Novak Petrov Quist".split()
_PLACES = "Leeds Bergen Glasgow Turin Lyon Utrecht Krakow Porto Ghent Graz Odessa Denver Osaka Nairobi Lima".split()
Values = Callable[[Rng], str]


def _number(rng: Rng, most: int) -> str:
    return str(1 + int(rng.integers(most)))


def _duration(rng: Rng) -> str:
    number = pick(rng, _WORDS) if rng.random() < 0.5 else str(2 + int(rng.integers(88)))
    return f"{number} {pick(rng, ('minutes', 'hours', 'days', 'weeks', 'months', 'years'))}"


def _amount(rng: Rng) -> str:
    number = f"{int(rng.integers(1, 900)) * int(pick(rng, (1, 10, 100))):,}"
    return pick(rng, (f"{number} euros", f"${number}", f"{number} crowns", f"{_number(rng, 40)}.50 euros"))


VALUES: Mapping[str, Values] = {
    "duration": _duration,
    "adjective_duration": lambda rng: f"{pick(rng, _WORDS)}-{pick(rng, ('year', 'month', 'week', 'day'))}",
    "year": lambda rng: str(1780 + int(rng.integers(245))),
    "date": lambda rng: f"{_number(rng, 28)} {pick(rng, _MONTHS)} {1900 + int(rng.integers(125))}",
    "clock": lambda rng: f"{6 + int(rng.integers(17))}:{pick(rng, ('00', '15', '30', '45'))}",
    "count": lambda rng: f"{int(rng.integers(3, 400)) * int(pick(rng, (1, 1, 1, 10, 100))):,}",
    "amount": _amount,
    "percent": lambda rng: f"{_number(rng, 96)}{pick(rng, ('%', ' percent', '.5%'))}",
    "person": lambda rng: f"{pick(rng, ('Mr', 'Mrs', 'Dr', *_GIVEN * 3))} {pick(rng, _FAMILY)}",
    "place": lambda rng: pick(rng, _PLACES),
    "version": lambda rng: f"{_number(rng, 5)}.{int(rng.integers(20))}",
    "port": lambda rng: str(80 + int(rng.integers(9900))),
    "weight": lambda rng: f"{_number(rng, 95)} {pick(rng, ('kg', 'kilograms', 'tonnes', 'grams'))}",
    "length": lambda rng: f"{_number(rng, 950)} {pick(rng, ('metres', 'km', 'cm', 'miles'))}",
    "temperature": lambda rng: f"{_number(rng, 95)} {pick(rng, ('degrees', 'degrees Celsius'))}",
    "speed": lambda rng: f"{_number(rng, 190)} {pick(rng, ('km/h', 'knots', 'mph'))}",
    "volume": lambda rng: f"{_number(rng, 900)} {pick(rng, ('litres', 'ml', 'cubic metres', 'gallons'))}",
    "rate": lambda rng: f"every {int(rng.integers(2, 59))} {pick(rng, ('minutes', 'hours', 'days'))}",
}  # fmt: skip
"""What values of a kind look like."""


@dataclass(frozen=True)
class Frame:
    """Things of one kind, values of one kind, texts that give each thing a value, and questions after one."""

    things: tuple[tuple[str, ...], ...]
    """Each with its names: texts call it by the first, questions by any."""
    values: str
    """A name in `VALUES`, or values between bars."""
    texts: tuple[str, ...]
    questions: tuple[str, ...]
    misses: tuple[str, ...] = ()
    """Questions for which a value would do, and which no text answers."""

    def drawn(self, rng: Rng, number: int) -> list[str]:
        """So many values, each another."""
        if self.values not in VALUES:
            own = [value.strip() for value in self.values.split("|")]
            return [own[int(place)] for place in rng.permutation(len(own))[:number]]
        draw = VALUES[self.values]
        found = {draw(rng): None}
        unit = _UNIT.findall(next(iter(found))) if rng.random() < SAME_UNIT else []
        while len(found) < number:
            if _UNIT.findall(value := draw(rng)) == unit or not unit:
                found[value] = None
        return list(found)


@cache
def frames() -> tuple[Frame, ...]:
    """The frames that ship."""
    lines = files(__package__).joinpath(FILE).read_text(encoding="utf-8").splitlines()
    blocks = [list(block) for filled, block in groupby(lines, key=lambda line: bool(line.strip())) if filled]
    return tuple(_frame(block) for block in blocks)


def framed(rng: Rng, each: int = EACH) -> Iterator[Reading]:
    """Rows of every frame: each thing of a text is asked after, now and then one of which it says nothing."""
    for number, frame in enumerate(frames()):
        for _ in range(each):
            yield from _rows(frame, f"contrast:{number}", rng)


def among(row: Reading, others: Sequence[Reading], rng: Rng) -> Reading:
    """The row with a sentence of another text before or behind its own, or as it is."""
    if rng.random() >= AMONG:
        return row
    found = pick(rng, sentences(pick(rng, others).text)).text
    if len(found.split()) > 40 or any(answer.lower() in found.lower() for answer in row.answers):
        return row
    if rng.random() < 0.5:
        return replace(row, text=f"{row.text} {found}")
    step = len(found) + 1
    places = tuple((start + step, end + step) for start, end in row.places)
    return replace(row, text=f"{found} {row.text}", places=places)


def _frame(lines: Sequence[str]) -> Frame:
    told = dict(line.split(": ", 1) for line in lines if line.startswith(("things: ", "values: ")))
    marked = [tuple(line[2:] for line in lines if line.startswith(f"{mark} ")) for mark in ">?!"]
    things = (thing.split("=") for thing in told["things"].split("|"))
    named = tuple(tuple(name.strip() for name in names) for names in things)
    return Frame(named, told["values"].strip(), *marked)


def _rows(frame: Frame, key: str, rng: Rng) -> Iterator[Reading]:
    """The rows of one text that is made of a frame."""
    things = [frame.things[int(i)] for i in rng.permutation(len(frame.things))]
    written = pick(rng, frame.texts)
    values = frame.drawn(rng, 3)
    called = {slot: names[0] for slot, names in zip("abc", things, strict=False)}
    text, places = _filled(written, called, dict(zip("xyz", values, strict=True)))
    for thing, slot in zip(things, "xyz", strict=False):
        if slot in places:
            yield _asked(pick(rng, frame.questions), thing, text, (places[slot],), key, rng)
    if rng.random() < UNANSWERED:
        yield _asked(pick(rng, frame.questions), things[3], text, (), key, rng)
    if frame.misses and rng.random() < MISSED:
        yield _asked(pick(rng, frame.misses), pick(rng, things[:2]), text, (), key, rng)


def _asked(
    question: str, thing: Sequence[str], text: str, places: tuple[tuple[int, int], ...], key: str, rng: Rng
) -> Reading:
    """A question after a thing, by one of its names; without places the text does not answer it."""
    asked = question.replace("{a}", pick(rng, thing))
    return Reading(asked, "", text, places, "span" if places else "none", "contrast", key, PART)


def _filled(
    written: str, things: Mapping[str, str], values: Mapping[str, str]
) -> tuple[str, dict[str, tuple[int, int]]]:
    """A text of a frame, and where in it each value stands."""
    text, places, at = "", dict[str, tuple[int, int]](), 0
    for slot in _SLOT.finditer(written):
        name = slot.group(1)
        text += written[at : slot.start()]
        said = values.get(name) or _cased(name, things[name.lower()])
        places |= {name: (len(text), len(text) + len(said))} if name in values else {}
        text, at = text + said, slot.end()
    return text + written[at:], places


def _cased(name: str, thing: str) -> str:
    return thing[:1].upper() + thing[1:] if name.isupper() else thing
