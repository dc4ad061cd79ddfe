"""Which labelled pairs are learned from and which are held out, and the piece of a long text that is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from veridic.text.sentences import windows
from veridic_lab.drafts.examples import of_drafts
from veridic_lab.drafts.hands import documents
from veridic_lab.training.metrics import overlap
from veridic_lab.training.pairs import Pair, held_out, labelled_in
from veridic_lab.training.sets import labelled_files

TITLED = ("musique", "2wiki", "hotpotqa", "qed")
"""Sets that write "Title: text"; the graph writes the title on a line of its own."""
HALF = ("clapnq", "clapnq.grounded", "clapnq.qa", "contract_nli")
"""Half of these keys are held out: ClapNQ's since they also measure the whole graph."""
LONGEST = 150
"""Words of a premise or passage; of a longer one only the piece nearest to the other text is shown."""
Sets = dict[str, list[Pair]]


def is_standard(data: Path) -> bool:
    """Whether the folder holds the standard sets, known by one of them; else its pairs are anyone's."""
    return any(data.rglob("xquad_en.qa.jsonl*"))


def share_of(name: str) -> float:
    """Which share of a set's keys is held out."""
    return 0.5 if name in HALF else 0.1


def is_test(name: str, pair: Pair) -> bool:
    """Whether a row of a standard set is kept for measurement."""
    return (name == "scifact" and pair.split == "dev") or held_out(pair.key, share_of(name))


def held_out_of(data: Path) -> Sets:
    """The labelled pairs of the folder that are never trained on, by set; of the standard one drafts beside them."""
    if not is_standard(data):
        return by_source(pair for pair in labelled_in(data) if held_out(pair.key))
    found = {name: [pair for pair in own if is_test(name, pair)] for name, own in labelled_files(data).items()}
    for name in TITLED:
        found[name] = [_titled(pair) for pair in found[name]]
    drafts = [
        Pair("nli", one.premise, one.own, one.label, "drafts", one.key) for one in of_drafts(documents("develop"))
    ]
    return {**found, "drafts": drafts}


def by_source(pairs: Iterable[Pair]) -> Sets:
    """Sets named by their source and task."""
    found: Sets = {}
    for pair in pairs:
        found.setdefault(f"{pair.source} ({pair.task})", []).append(pair)
    return found


def focused(pair: Pair) -> Pair:
    """The pair with its long text cut to the piece that has most of the other's words."""
    long, short = (pair.second, pair.first) if pair.asks else (pair.first, pair.second)
    if len(long.split()) <= LONGEST:
        return pair
    piece = max((piece.text for piece in windows(long, most=50, words=LONGEST)), key=lambda text: overlap(short, text))
    return replace(pair, second=piece) if pair.asks else replace(pair, first=piece)


def _titled(pair: Pair) -> Pair:
    title, colon, text = pair.second.partition(": ")
    return replace(pair, second=f"{title}\n{text}") if colon else pair
