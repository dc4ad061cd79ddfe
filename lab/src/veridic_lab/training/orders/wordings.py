"""Texts made from skeletons: those that order about the machine that reads them, and harmless ones beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

_SLOT = re.compile(r"\{(\w+)\}")
VOICES = ("as written", "as written", "as written", "capitals", "small letters", "please", "loud", "bare", "aside")
"""How a text is said; the one it was written in comes most often."""


@dataclass(frozen=True)
class Wording:
    """A skeleton: a text whose slots, as `{product}`, may be filled in many ways."""

    text: str
    orders: bool
    """Whether it orders about the machine that reads it."""
    family: str


@dataclass(frozen=True)
class Wordings:
    """Skeletons and the choices of their slots."""

    skeletons: list[Wording]
    slots: dict[str, list[str]]

    def filled(self, text: str, lot: Random) -> str:
        """A text with its slots filled by lot, and the slots of what fills them; an unknown slot stays as it is."""

        def choice(slot: re.Match[str]) -> str:
            choices = self.slots.get(slot[1])
            return self.filled(lot.choice(choices), lot) if choices else slot[0]

        return _SLOT.sub(choice, text)


def parsed(text: str) -> Wordings:
    """The wordings of a file: `@slot a | b`, `# family`, `+` before what orders a machine about, `-` before others."""
    found, slots, family = list[Wording](), dict[str, list[str]](), ""
    for line in text.splitlines():
        mark, _, said = line.partition(" ")
        if mark == "#":
            family = said
        elif mark.startswith("@"):
            slots[mark[1:]] = [choice.strip() for choice in said.split("|")]
        elif mark in ("+", "-"):
            found.append(Wording(said, orders=mark == "+", family=family))
    return Wordings(found, slots)


def voiced(text: str, voice: str) -> str:
    """A text in one of the `VOICES`."""
    match voice:
        case "capitals":
            return text.upper()
        case "small letters":
            return text.lower()
        case "please":
            return f"Please {text[:1].lower()}{text[1:]}"
        case "loud":
            return f"{text.rstrip('.')}!"
        case "bare":
            return text.rstrip(".")
        case "aside":
            return f"({text})"
        case _:
            return text


def placed(text: str, ordinary: Sequence[str], lot: Random) -> str:
    """A text alone, or after, before or between ordinary sentences, as it may stand in a document."""
    before, after = lot.choice(ordinary), lot.choice(ordinary)
    return lot.choice((text, text, text, f"{before} {text}", f"{text} {after}", f"{before} {text} {after}"))


def made(wordings: Wordings, ordinary: Sequence[str], times: int, seed: int = 0) -> Iterator[Wording]:
    """Every wording with slots `times` times, one without a third as often, each in a voice and a place of its own."""
    lot = Random(seed)  # noqa: S311 - draws texts, no secret
    for wording in wordings.skeletons:
        for _ in range(times if _SLOT.search(wording.text) else max(1, times // 3)):
            text = wordings.filled(wording.text, lot)
            text = placed(voiced(text[:1].upper() + text[1:], lot.choice(VOICES)), ordinary, lot)
            yield Wording(text, orders=wording.orders, family=wording.family)
