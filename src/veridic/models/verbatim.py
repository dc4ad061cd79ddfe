"""Sentences that stand in a premise word for word, which need no model to be entailed."""

from __future__ import annotations

from veridic.text.sentences import sentences


def stated_at(premise: str, hypothesis: str) -> tuple[int, int] | None:
    """The characters of the premise that are the hypothesis, as whole sentences of one line; None when there are none.

    Words inside a longer sentence do not count: "it is safe" is not said by "nobody thinks it is safe".
    """
    words = hypothesis.strip().rstrip(".")
    if not words or words not in premise:
        return None
    start = 0
    for line in premise.split("\n"):
        spans = sentences(line) if words in line else []
        starts = {span.start for span in spans}
        ends = {end for span in spans for end in (span.end, span.start + len(span.text.rstrip(".")))}
        at = line.find(words)
        while at >= 0:
            if at in starts and at + len(words) in ends:
                return start + at, start + at + len(words)
            at = line.find(words, at + 1)
        start += len(line) + 1
    return None
