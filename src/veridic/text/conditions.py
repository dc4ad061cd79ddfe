"""Follow-ups that only name a condition, under which the question before is asked again. English.

"And if it rains?" after "Does the concert take place?" asks whether it takes place if it rains.
"""

import re

_CONDITION = re.compile(
    r"^\W*(?:(?:and|but|or|so|also|then)\b,?\s*)*(?:(?:what|how) about\s+)?"
    r"(?P<condition>(?P<word>(?:even )?if|unless|while|as long as)(?: [^\s,;?]+){2,})\W*$",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\b(?:who|whom|whose|what|which|when|where|why|how)\b", re.IGNORECASE)


def condition_of(question: str) -> str:
    """The condition that is all of a question; empty where it asks something itself."""
    found = _CONDITION.match(question)
    return found["condition"] if found and not _ASKS.search(found["condition"]) else ""


def under(condition: str, asked: str) -> str:
    """A question under a condition, in the place of one that begins with the same word, else added."""
    word = condition.partition(" ")[0]
    if same := re.search(rf"\b{word}\b[^,;?]+", asked, re.IGNORECASE):
        put = f"{asked[: same.start()]}{condition}{asked[same.end() :]}"
        return f"{put[:1].upper()}{put[1:]}"
    return f"{asked.rstrip(' ?.')} {condition[:1].lower()}{condition[1:]}?"
