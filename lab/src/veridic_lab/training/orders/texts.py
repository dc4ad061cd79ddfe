"""The texts that the detector of orders is fitted on, and those it is measured on: no document or family is in both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from random import Random

from veridic.text.sentences import is_prose, sentences, windows
from veridic_lab.training.orders.wordings import Wording, Wordings, made, parsed, placed
from veridic_lab.training.pairs import Row, find, fraction_of, held_out, read_rows

SHARED = ("mtrag", "stackexchange")
"""Manuals and forums: of each a share of the documents is measured on."""
OTHERS = ("nq_gold", "clapnq", "2wiki", "scifact", "pubmedqa", "ramdocs", "chunking_eval")
MEASURED, TUNED = 0.4, 0.5
"""Share of the documents of `SHARED` that is measured on; and up to which share the threshold is chosen on."""
HELD_FAMILIES = 0.5
"""Share of the families of attacks that nothing is fitted on."""
PER_SET = 400
SENTENCES = {"mtrag": 0.6, "stackexchange": 0.4}
"""Share of a set's harmless sentences that is fitted on."""
OF_OTHERS = 0.25
WINDOWS = 0.1
LONGEST = 1500
ATTACK = 900
"""Characters of an attack that is fitted on, at most: in a longer one most text is the page around it."""
PLACES = 6
TIMES = {"composed": 40, "mirrored": 40}
"""Texts that are made of a skeleton of these families; of any other, a dozen."""
OF_HERE = 3.0
"""What an attack by other hands counts, beside 1 of our own."""


@dataclass(frozen=True)
class Case:
    """A text and whether it orders about the machine that reads it."""

    text: str
    orders: bool
    source: str
    key: str
    """What is never split: a document or a family."""
    weight: float = 1.0


def cases(folder: Path) -> list[Case]:
    """What is fitted on, each text once."""
    harmless = list(_harmless(folder))
    ordinary = [one.text for one in harmless if 30 < len(one.text) < 220 and "\n" not in one.text]
    found = [*harmless, *_own(folder, ordinary), *_attacks(folder, ordinary)]
    return list({one.text: one for one in found}.values())


def family(category: str) -> str:
    """The family of an attack: its category without the way it is delivered."""
    return category.split("/")[0]


def is_held(category: str) -> bool:
    """Whether an attack's family is kept from the fit."""
    return held_out(f"orders:{family(category)}", HELD_FAMILIES)


def document_of(row: Row) -> str:
    """What a passage's neighbours are told by: its page, or its question."""
    if str(row["id"]).startswith("mtrag"):
        return str(row["id"]).rsplit("-", 2)[0]
    return f"{row['site']}{row['question_id']}" if "question_id" in row else str(row["title"] or row["id"])


def passages(folder: Path, name: str) -> Iterator[tuple[str, float, str]]:
    """Document, its place in [0, 1) and text of each passage of a corpus."""
    for row in read_rows(find(folder, f"{name}.corpus")):
        key = document_of(row)
        yield key, fraction_of(f"orders:{key}"), str(row["text"])


def _harmless(folder: Path) -> Iterator[Case]:
    """Sentences, and a few windows, of documents that nobody planted anything in."""
    for name in SHARED:
        kept = ((key, text) for key, place, text in passages(folder, name) if place >= TUNED)
        yield from _cut(name, kept, SENTENCES[name])
    for name in OTHERS:
        found = sorted((fraction_of(f"drawn:{text}"), key, text) for key, _, text in passages(folder, name))
        yield from _cut(name, ((key, text[: 10 * LONGEST]) for _, key, text in found[:PER_SET]), OF_OTHERS)


def _cut(source: str, found: Iterator[tuple[str, str]], share: float) -> Iterator[Case]:
    for key, text in found:
        drawn = [one.text for one in sentences(text) if held_out(f"drawn:{one.text}", share)]
        drawn += [one.text for one in windows(text) if held_out(f"drawn:{one.text}", share * WINDOWS)]
        yield from (Case(one[:LONGEST], orders=False, source=source, key=key) for one in drawn)


def _own(folder: Path, ordinary: Sequence[str]) -> Iterator[Case]:
    """Texts made from our skeletons; what they say and name is drawn from harmless documents."""
    wordings = parsed(files(__package__).joinpath("orders.txt").read_text(encoding="utf-8"))
    said = [one.rstrip(".") for one in ordinary if len(one) < 110 and one.endswith(".")]
    titles = {str(row["title"]) for name in ("nq_gold", "2wiki") for row in read_rows(find(folder, f"{name}.corpus"))}
    lot = Random(0)  # noqa: S311 - draws texts, no secret
    slots = {
        **wordings.slots,
        "said": lot.sample(said, min(1500, len(said))),
        "title": sorted(title for title in titles if 3 < len(title) < 30),
    }
    for seed, one in enumerate(wordings.skeletons):
        times = TIMES.get(one.family.split()[0], 12)
        for text in made(Wordings([one], slots), ordinary, times, seed):
            yield _case(text)


def _case(one: Wording) -> Case:
    return Case(one.text, orders=one.orders, source="own", key=one.family)


def _attacks(folder: Path, ordinary: Sequence[str]) -> Iterator[Case]:
    """Attacks by other hands, whole in several places and sentence by sentence; and what they call benign.

    A question gives no order, and where an attack is code the words around it do.
    """
    lot = Random(0)  # noqa: S311 - draws texts, no secret
    for row in read_rows(find(folder, "injections.adversarial")):
        text, key = str(row["text"]), family(row["category"])
        if row["label"] == "carrier" or is_held(row["category"]):
            continue
        orders = row["label"] == "malicious"
        parts = [one.text for one in sentences(text)] if not orders or len(text) < ATTACK else []
        if orders:
            parts = [one for one in parts if is_prose(one) and _commands(one) and _is_planted(row)]
            parts += [placed(text, ordinary, lot) for _ in range(PLACES) if len(text) < 400 and _commands(text)]
        yield from (Case(one[:LONGEST], orders, "attacks", key, OF_HERE) for one in parts)


def _commands(text: str) -> bool:
    return len(text) > 12 and not text.rstrip().endswith("?")


def _is_planted(row: Row) -> bool:
    """Whether an attack is the order alone; others come with the conversation or the page around them."""
    return str(row["origin"]).startswith(("BIPIA", "bastion"))
