"""How well text that orders the machine about is told from text that orders nobody, or a person.

Run from a checkout: `VERIDIC_DATA=DIR python -m veridic_lab.benchmarks.orders`. Harmless are 2,000 passages of manuals
and forums whose documents nothing was fitted on, and the instructions of `orders.txt`; attacks are those of the data
folder, half of whose families nothing was fitted on, and those of `orders.txt`, in other words than in training. A text
counts as flagged where any of its sentences is, or any of its windows of up to three. The tables are Markdown.
"""

import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from veridic.models.detector import OnnxDetector
from veridic.text.sentences import Span, sentences, windows
from veridic_lab.training.metrics import auc
from veridic_lab.training.orders.texts import MEASURED, SHARED, family, is_held, passages
from veridic_lab.training.orders.wordings import parsed
from veridic_lab.training.pairs import find, read_rows

PASSAGES = 2000
QUOTED = "quoted"
"""Texts that quote an attack word for word: an honest label is open, so they are told apart."""
Cut = Callable[[str], list[Span]]


@dataclass(frozen=True)
class Text:
    """A text, the row of the table it counts in, and the family within it."""

    text: str
    row: str
    family: str
    orders: bool


def harmless(folder: Path) -> list[Text]:
    """Passages of documents that are kept for measuring, all of the first corpus and as many of the second."""
    found: list[Text] = []
    for name in SHARED:
        own = [Text(text, name, name, orders=False) for _, place, text in passages(folder, name) if place < MEASURED]
        Random(0).shuffle(own)  # noqa: S311 - draws passages, no secret
        found += own[: PASSAGES - len(found)]
    return found


def attacks(folder: Path) -> list[Text]:
    """Attacks by other hands; a row for each origin, of families that were fitted on and of others."""
    return [
        Text(row["text"], f"{row['origin'].split()[0]}, {_seen(row['category'])}", family(row["category"]), orders=True)
        for row in read_rows(find(folder, "injections.adversarial"))
        if row["label"] == "malicious"
    ]


def own() -> list[Text]:
    """The texts of `orders.txt`."""
    skeletons = parsed((Path(__file__).parent / "orders.txt").read_text(encoding="utf-8")).skeletons
    rows = {QUOTED: "ours, quoting an attack", "about": "ours, about language models"}
    return [
        Text(
            one.text,
            "ours, other words" if one.orders else rows.get(one.family, "ours, instructions"),
            one.family,
            one.orders,
        )
        for one in skeletons
    ]


def worst(texts: Sequence[Text], cut: Cut, detector: OnnxDetector) -> NDArray[np.float64]:
    """The largest probability of any piece of each text."""
    return np.array(
        [max(detector.orders([piece.text for piece in cut(one.text)], deadline=inf), default=0.0) for one in texts]
    )


def main() -> None:
    """Print the tables."""
    detector, folder = OnnxDetector(), Path(os.environ["VERIDIC_DATA"])
    texts = [*harmless(folder), *own(), *attacks(folder)]
    began = time.perf_counter()
    by_sentence = worst(texts, sentences, detector)
    spent = time.perf_counter() - began
    by_window = worst(texts, windows, detector)
    calm = np.array([one.row in SHARED for one in texts])
    sys.stdout.write(
        "| texts | number | flagged, by sentence | by window | AUC against passages |\n|---|---|---|---|---|\n"
    )
    for row in dict.fromkeys(one.row for one in texts):
        _line(row, np.array([one.row == row for one in texts]), by_sentence, by_window, calm, detector.threshold)
    for seen in ("fitted on", "held out"):
        at = np.array([one.row.endswith(seen) for one in texts])
        _line(f"all attacks by other hands, {seen}", at, by_sentence, by_window, calm, detector.threshold)
    _line("all passages", calm, by_sentence, by_window, calm, detector.threshold)
    _families(texts, by_sentence, detector.threshold)
    pieces = sum(len(sentences(one.text)) for one in texts)
    sys.stdout.write(f"\n{1000 * spent / pieces:.2f} ms a sentence, {pieces} sentences\n")
    _worst(texts, by_sentence)


def _seen(category: str) -> str:
    return "held out" if is_held(category) else "fitted on"


def _line(
    name: str,
    at: NDArray[np.bool_],
    by_sentence: NDArray[np.float64],
    by_window: NDArray[np.float64],
    calm: NDArray[np.bool_],
    point: float,
) -> None:
    shares = [f"{(found[at] >= point).mean():.1%}" for found in (by_sentence, by_window)]
    apart = (
        ""
        if (at & calm).any()
        else f"{auc([True] * at.sum() + [False] * calm.sum(), [*by_sentence[at], *by_sentence[calm]]):.3f}"
    )
    sys.stdout.write(f"| {name} | {at.sum()} | {' | '.join(shares)} | {apart} |\n")


def _families(texts: Sequence[Text], sure: NDArray[np.float64], point: float) -> None:
    """Each family of attacks with the number of its texts and how many are flagged."""
    sys.stdout.write("\n| family | texts | flagged |\n|---|---|---|\n")
    for row, name in dict.fromkeys((one.row, one.family) for one in texts if one.orders):
        at = np.array([(one.row, one.family) == (row, name) for one in texts])
        sys.stdout.write(f"| {row}: {name} | {at.sum()} | {(sure[at] >= point).sum()} |\n")


def _worst(texts: Sequence[Text], sure: NDArray[np.float64]) -> None:
    """The harmless texts that are judged worst."""
    for place in np.argsort(-np.where([not one.orders for one in texts], sure, -1.0))[:30]:
        sys.stdout.write(f"{sure[place]:.3f} {texts[place].row}: {' '.join(texts[place].text.split())[:120]}\n")


if __name__ == "__main__":
    main()
