"""What is told to somebody who said of a run whether its answer was right."""

from collections.abc import Mapping

from veridic.evidence.wording import STATUSES
from veridic.ports.shapes import Vote
from veridic.ports.shapes.learning import RecordStatus

SAID: Mapping[Vote, str] = {
    "up": "Kept: you said that the answer is right.",
    "down": "Kept: you said that the answer is wrong.",
    "correction": "Kept: you said what is right, “{correction}”.",
}
RANKED: Mapping[Vote, str] = {
    "up": "When the same is asked again, what it cites is known to have carried a right answer.",
    "down": "When the same is asked again, what it cites loses rank.",
    "correction": "When the same is asked again, what it cites loses rank.",
}
"""What the lesson of a run says from then on of what its answer cites."""
ONLY_READ_WRONGLY = "What it cites holds the right answer, and loses no rank by this."
TEACHES: Mapping[Vote, str] = {
    "up": "Once somebody has read it, `veridic log export --reviewed` lets it teach the judges.",
    "down": "Once somebody has read it, `veridic log export --reviewed` lets it teach the judges.",
    "correction": "It teaches the judges when they are trained: `veridic log export`, then `veridic train`.",
}
"""How what was said can teach more than the next run."""
NOT_TOLD = "The correction is not told as an answer: asked again, the same may be answered as before."
"""Of every correction, whether it teaches or not."""


def followed(verdict: Vote, correction: str, *, status: RecordStatus | None, lesson: str, teaches: bool) -> list[str]:
    """What was said of a run, and what followed, a sentence each; `lesson` is that on its lesson, empty for none.

    `status` is that of the record of the run from then on.
    """
    said = SAID[verdict].format(correction=correction)
    record = f"The answer that was learned: {STATUSES[status]}." if status else "No answer was learned from this run."
    untold = NOT_TOLD if verdict == "correction" else ""
    return [one for one in (said, record, lesson, untold, TEACHES[verdict] if teaches else "") if one]
