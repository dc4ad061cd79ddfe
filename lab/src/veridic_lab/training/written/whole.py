"""Questions beside whole documents, as these are stored once they are read: what confidence is fitted on."""

from __future__ import annotations

from collections.abc import Iterator

from veridic.knowledge.readers.markdown import read_markdown
from veridic_lab.training.pairs import held_out
from veridic_lab.training.reading.rows import Reading
from veridic_lab.training.wording import seeded
from veridic_lab.training.written.documents import SOURCE, Written, written_documents
from veridic_lab.training.written.found import answering, places_of

COMPOSED = "why"
"""`Reading.part` of a question that sentences answer, and no short answer."""
KINDS_WITH_PLACES = ("span", "composed")
HELD_OUT = 260
"""Questions on documents that nothing is learned from."""


def is_held_out(document: Written) -> bool:
    """Whether nothing is learned from a document."""
    return held_out(document.group)


def held_out_readings() -> list[Reading]:
    """Some questions on documents that nothing is learned from."""
    rows = [row for one in written_documents() if is_held_out(one) for row in whole_readings(one, SOURCE)]
    return [rows[int(i)] for i in seeded(6).permutation(len(rows))[:HELD_OUT]]


def whole_readings(document: Written, source: str) -> Iterator[Reading]:
    """Every question of a document but those whose answer is told otherwise once it is read, as in some tables."""
    text = read_markdown(document.text.encode()).text
    for asked in document.asked:
        evidence = answering(text, asked)
        places = evidence if asked.kind == "composed" else places_of(text, asked, evidence)
        if bool(evidence) == bool(asked.place) and bool(places) == (asked.kind in KINDS_WITH_PLACES):
            yield Reading(
                question=asked.question,
                title="",
                text=text,
                places=places,
                kind="span" if asked.kind == "composed" else asked.kind,
                source=source,
                key=document.group,
                part=COMPOSED if asked.kind == "composed" else "",
                evidence=evidence,
            )
