"""What somebody said of an answer: right, not right, or what is right; and what they are told of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from veridic.errors import UsageError
from veridic.ports.shapes import Vote
from veridic.ports.shapes.learning import STATUSES, RecordStatus
from veridic.text.hidden import clean
from veridic.text.kinds import answer_kind

LONGEST_CORRECTION = 500
"""Characters: it is the right short answer, not an essay."""
Thumb = Literal["up", "down"]
THUMBS: tuple[Thumb, ...] = get_args(Thumb)

_MEANT: Mapping[Thumb, frozenset[str]] = {
    "up": frozenset(
        "good great fine perfect excellent ok okay right correct true yes yep yeah accurate helpful useful like agree "
        "+1 👍".split()
    )
    | {"thumbs up", "thumb up"},
    "down": frozenset(
        "bad poor terrible wrong incorrect false no nope inaccurate unhelpful useless dislike disagree -1 👎".split()
    )
    | {"thumbs down", "thumb down"},
}
"""Words that mean a thumb, and are no right answers. English."""
_AROUND = " .,;!\"'“”‘’`*"
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
NOT_TOLD = "The correction is not told as an answer: asked again, the same may be answered as before."


@dataclass(frozen=True)
class Opinion:
    """What one person said of one run."""

    run_id: str
    given_at: str
    """ISO 8601, UTC."""
    verdict: Vote
    correction: str
    """The right short answer; empty unless the verdict is a correction."""

    @property
    def right(self) -> bool:
        """Whether the answer was."""
        return self.verdict == "up"


def checked(verdict: str, correction: str = "") -> tuple[Vote, str]:
    """A verdict and the correction, cleaned; one with a correction is `correction`. Raises `UsageError`."""
    words = " ".join(clean(correction).split())
    if verdict not in get_args(Vote):
        raise UsageError(f"{verdict!r} is no verdict.", "Say up, down or correction.")
    if verdict == "up" and words:
        raise UsageError("An answer that was right needs no correction.", "Say down, or leave the correction out.")
    if verdict == "correction" or correction:
        if not any(character.isalnum() for character in words):
            raise UsageError("The correction is empty.", "Give the right short answer, or say down.")
        if len(words) > LONGEST_CORRECTION:
            raise UsageError(
                f"The correction has {len(words):,} characters; at most {LONGEST_CORRECTION} are kept.",
                "Give the right short answer alone.",
            )
        return "correction", words
    return ("up" if verdict == "up" else "down"), ""


def refuse_thumb(correction: str, question: str) -> None:
    """Raises `UsageError` where what is given as the right answer to a question only says whether it was right."""
    said = " ".join(clean(correction).split())
    if meant := thumb_meant(said, question):
        raise UsageError(
            f"{said!r} reads as {meant}, and is not kept as the right answer.",
            f"Did you mean {meant}? If it is the right answer itself, give it in more than one word.",
        )


def followed(verdict: Vote, correction: str, *, status: RecordStatus | None, lesson: str) -> list[str]:
    """What was said of a run, and what followed, a sentence each; `lesson` is that on its lesson, empty for none.

    `status` is that of the record of the run from then on.
    """
    said = SAID[verdict].format(correction=correction)
    record = f"The answer that was learned: {STATUSES[status]}." if status else "No answer was learned from this run."
    untold = NOT_TOLD if verdict == "correction" else ""
    return [one for one in (said, record, lesson, untold) if one]


def thumb_meant(said: str, question: str) -> Thumb | None:
    """The thumb that a text is in another word, in another case or but for one slip; None where it is none.

    Where yes or no is asked for, or one of two things, any other word may be the answer.
    """
    word = said.strip(_AROUND).lower()
    spelt = {word, word.replace("_", " ").replace("-", " ")}
    decides = answer_kind(question) in ("yes-no", "which of two")
    meant = None if decides else next((thumb for thumb in THUMBS if spelt & _MEANT[thumb]), None)
    return meant or _mistyped(said.strip())


def _mistyped(word: str) -> Thumb | None:
    from rapidfuzz.distance import OSA

    return next((one for one in THUMBS if word.lower() == one or OSA.distance(word, one) <= 1), None)
