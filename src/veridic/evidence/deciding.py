"""What speaks for and against a draft that a chat model wrote, as signs of one decision."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from veridic.evidence.answering import agrees
from veridic.evidence.grounding import stands_in
from veridic.evidence.odds import log_odds
from veridic.ports.judgements import DraftSigns
from veridic.ports.shapes import Candidate, ReadAnswer, Strip

_odds = partial(log_odds, least=0.0025)
"""Log-odds, at most 6 from even."""


def draft_signs(candidate: Candidate, readings: Sequence[ReadAnswer], strips: Sequence[Strip]) -> DraftSigns:
    """The signs of a judged draft; the most probable reading is the one that it is held against."""
    found = candidate["sentences"]
    support = [one["support"] or 0.0 for one in found] or [0.0]
    read = max(readings, key=lambda one: one["probability"], default=None)
    said = read is not None and bool(read["text"])
    alike = said and read is not None and agrees(candidate["text"], read)
    sure = _odds(read["probability"]) if read and said else 0.0
    return DraftSigns(
        least=_odds(min(support)),
        mean=_odds(sum(support) / len(support)),
        denied=_odds(max((one["contradiction"] or 0.0 for one in found), default=0.0)),
        doubtful=_doubtful(candidate),
        useful=_odds(candidate["usefulness"]),
        relevant=_odds(max((strip["score"] or 0.0 for strip in strips), default=0.0)),
        read_alike=sure if alike else 0.0,
        read_otherwise=sure if said and not alike else 0.0,
        alike=float(alike) - float(said and not alike),
        unmet=float(bool(read and read["unmet"])),
        quoted=sum(stands_in(one["text"], strips) is not None for one in found) / max(1, len(found)),
    )


def _doubtful(candidate: Candidate) -> float:
    """The share of its characters that the critic marked."""
    marked = sum(end - start for one in candidate["sentences"] for start, end in one.get("doubtful", ()))
    return marked / max(1, sum(len(one["text"]) for one in candidate["sentences"]))
