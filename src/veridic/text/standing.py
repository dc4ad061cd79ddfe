"""Whether a question can be asked again by itself, apart from the conversation it was asked in. English."""

import re

from veridic.text.followups import leans_on_earlier
from veridic.text.phrases import is_whole, phrases
from veridic.text.questions import keywords

FEWEST = 2
"""Words that carry a question of a conversation which stands alone: "what's the budget?" is of what was spoken of."""
_POINTS_BACK = re.compile(
    r"\b(?:(?:the )?(?:last|next|first|second|other) (?:time|one|ones)|(?:the|that|this) (?:same|latter|former)|"
    r"(?:else|too|as well|instead|then|otherwise|afterwards|again)\W*$)",
    re.IGNORECASE,
)
"""Words that point to something which was spoken of, without standing for it."""
_LED = re.compile(r"^\W*(?:(?:and|but|so|also|then)\b,?\s*)+", re.IGNORECASE)
_IS = re.compile(r"(?<=\w)['’]s\b")
_OF_NOTHING = re.compile(
    r"\bit (?=(?:takes?|costs?|gets?)\b[^?]* (?:to|until|till|before|for|in|on|at|if|when)\b)|\bthose (?=who\b)",
    re.IGNORECASE,
)
"""What stands for nothing that was named, where nothing was: "how long does it take to", "those who"."""
_THAT = re.compile(r"\bthat\b", re.IGNORECASE)


def stands_alone(question: str, *, follows: bool) -> bool:
    """Whether a question says all that it asks; `follows` tells that others were asked before it.

    What nobody asked before cannot be pointed to: of a first question only a pronoun without its noun is missed.
    """
    own = _without_relatives(_without_lead(question))
    own = own if follows else _OF_NOTHING.sub("", own)
    if leans_on_earlier(own) and (follows or not _names_first(own)):
        return False
    return not follows or not (_POINTS_BACK.search(question) or len(keywords(_IS.sub(" is", own))) < FEWEST)


def _without_lead(question: str) -> str:
    """A whole question without the "And" that joins it to the one before."""
    rest = _LED.sub("", question)
    return rest if is_whole(_IS.sub(" is", rest)) else question


def _without_relatives(question: str) -> str:
    """The question without the "that" which goes on from a noun: "the dogs that bite"."""
    ends = {one.end + 1 for one in phrases(question)}
    return _THAT.sub(lambda found: "" if found.start() in ends else found.group(), question)


def _names_first(question: str) -> bool:
    """Whether a thing is named before all pronouns, and may be what they mean: "the alarm when it rings"."""
    found = [one for one in phrases(question) if not one.asked]
    return bool(found) and not leans_on_earlier(question[: found[0].end])
