"""What "it", "they", "he" and "she" stand for: what the question before is about, or was answered by. English.

Of the phrases that agree in number one behind no preposition is likelier (the ranking of centering, Grosz, Joshi and
Weinstein 1995).
"""

import re

from veridic.text.dates import PERIODS, SEASONS, WEEKDAYS
from veridic.text.phrases import Phrase, is_plural, phrases
from veridic.text.questions import names_in
from veridic.text.stop_words import ASKING, JOINING, is_auxiliary, is_closed

_PRONOUN = re.compile(
    r"\b(?!(?-i:IT [a-z]))(?:(?P<person>he|him|his|she|hers?)|(?P<several>they|them|theirs?)|its?|"
    r"(?P<place>there(?=\W*$)))\b",
    re.IGNORECASE,
)
_POINTING = re.compile(
    rf"\b(?:this|these|those(?! who))\b(?! (?:{'|'.join((*PERIODS, *SEASONS, *WEEKDAYS))})s?\b)|"
    r"\bthat(?=\W*$| (?:is|are|was|were|does|did)\b)",
    re.IGNORECASE,
)
"""What points to something; not to a time, as in "this summer"."""
_OWNING = frozenset(("his", "her", "its", "their"))
_WHAT_IS = re.compile(r"^\W*(?:(?P<what>what)|who)(?:['’]s| is| are| was| were) ", re.IGNORECASE)
_OF_NOTHING = re.compile(
    r"\bit (?:rain|snow|matter|take(?!s? place))s?\b|\b(?:(?:is|was) it|it (?:is|was)) \w+ (?:to|that|if|when)\b",
    re.IGNORECASE,
)
"""Where "it" stands for no thing: "is it allowed to", "how long does it take"."""


def points_back(question: str) -> bool:
    """Whether a pronoun of a question means what was spoken of before, as nothing in the question may be meant."""
    found = _free(question)
    return bool(found or _POINTING.search(question)) and not names_in(question)


def resolved(question: str, asked: str, name: str) -> str:
    """The question with what is meant in the place of its first pronoun; as it is where nothing fits.

    `asked` is the question before; `name` is the last that any was answered by, empty where none was.
    """
    found = _free(question)
    if found is None:
        return question
    named = [one for one in (name, *reversed(names_in(asked))) if one]
    if found["person"]:
        meant = next((one for one in named if not any(map(str.isdigit, one))), "")
    elif found["place"]:
        meant = f"in {named[0]}" if named else ""
    else:
        meant = _spoken_of(asked, name, several=bool(found["several"]))
    return f"{question[: found.start()]}{_owned(meant, found)}{question[found.end() :]}" if meant else question


def _free(question: str) -> re.Match[str] | None:
    """The first pronoun, where no phrase before it may be meant; "if guests are late, how do they pay" has none."""
    found = None if _OF_NOTHING.search(question) or _POINTING.search(question) else _PRONOUN.search(question)
    if found is None or found["place"]:
        return found
    before = [one for one in phrases(question) if one.end <= found.start()]
    return None if any(_may_be(one, found, question[one.end : found.start()]) for one in before) else found


def _may_be(phrase: Phrase, pronoun: re.Match[str], between: str) -> bool:
    """Whether a pronoun may mean a phrase of its own question: one of that number, in another clause or its owner."""
    several, said = bool(pronoun["several"]), between.lower().split()
    apart = "," in between or any(word in JOINING or word in ASKING for word in said)
    led = said[-1] if said else ""
    inside = _owns(pronoun) or (several and not is_auxiliary(led))
    return is_plural(phrase.text) is several and (apart or inside) and (several or not phrase.asked)


def _spoken_of(asked: str, name: str, *, several: bool) -> str:
    """What a question is about, with what it is of; the name it was answered by where it asks for that alone.

    After "What is the price of a ticket?" it is the ticket, and after "What is the capital of Peru?" that.
    """
    found = [one for one in phrases(asked) if one.text != name]
    if not found:
        return ""
    meant = min(found, key=lambda one: (is_plural(one.text) is not several, bool(one.preposition), one.asked))
    behind = next((one for one in found if one.preposition and one.opens == meant.end + 1), None)
    if meant.asked:
        return name or f"the {meant.text.split()[-1]}"
    lead = None if several else _WHAT_IS.match(asked)
    if lead and lead.end() == meant.start and behind and behind.preposition == "of":
        return (name if lead["what"] else "") or behind.text
    return asked[meant.start : behind.end if behind else meant.end]


def _owned(meant: str, pronoun: re.Match[str]) -> str:
    if not _owns(pronoun):
        return meant
    return f"{meant}'" if meant.endswith("s") and is_plural(meant) else f"{meant}'s"


def _owns(pronoun: re.Match[str]) -> bool:
    """Whether it says whose something is; "her" does where a word of meaning follows."""
    behind = re.match(r" (\w+)", pronoun.string[pronoun.end() :])
    return pronoun.group().lower() in _OWNING and behind is not None and not is_closed(behind[1].lower())
