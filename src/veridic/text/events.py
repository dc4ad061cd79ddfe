"""What happened as the "it" of a follow-up, where a verb named it in the question before. English.

"Who leads it?" after "When does the Porto warehouse move?" asks about the move, "How big is it?" about the warehouse:
what is said of "it" tells which, by examples of what is said of events and of things.
"""

import re

from veridic.text.likeness import Near, is_event, is_said_of_events
from veridic.text.phrases import ARTICLES, PREPOSITIONS, is_plural, phrases

_CLAUSE = re.compile(r"^\W*(?:when|where|why|how) (?:(?P<does>do|does|did|will)|(?:is|are|was|were)) ", re.IGNORECASE)
_ABOUT_EVENTS = frozenset("start begin end finish last happen occur continue stop resume take".split())
"""Verbs whose subject is what happens: none of them names it."""
_NOUNS = (
    (re.compile(r"ate$"), "ation"),
    (re.compile(r"(i[sz])e$"), r"\1ation"),
    (re.compile(r"ify$"), "ification"),
    (re.compile(r"([io])de$"), r"\1sion"),
    (re.compile(r"(upt|ct)$"), r"\1ion"),
    (re.compile(r"en$"), "ening"),
)
"""Endings that make verbs, with those of the nouns for what they name; of other verbs the noun is the same word."""
_PARTICIPLE = re.compile(r"(?P<stem>\w{2,})ed")


def event_of(asked: str, question: str, near: Near) -> str:
    """What the verb of `asked` names, if the "it" of `question` speaks of that; empty where it does not."""
    clause = _CLAUSE.match(asked)
    found = phrases(asked)
    subject = next((one for one in found if clause and one.start == clause.end()), None)
    if clause is None or subject is None or is_event(subject.text, near):
        return ""
    end = next((one.end for one in found if one.preposition == "of" and one.opens == subject.end + 1), subject.end)
    what = asked[subject.start : end]
    verb, *rest = asked[end:].strip(" ?.!").split() or [""]
    if verb in _ABOUT_EVENTS or (rest and rest[0] not in PREPOSITIONS):
        return ""
    noun = _noun(verb) if clause["does"] else _of_participle(verb)
    if not noun or not is_said_of_events(question, noun, subject.text, near):
        return ""
    of_it = f"{_owned(what)} {noun}" if noun == verb else f"the {noun} of {what}"
    return " ".join([of_it, *rest])


def _noun(verb: str) -> str:
    """What a verb in its base form names: "relocation", "move"."""
    return next((ending.sub(noun, verb) for ending, noun in _NOUNS if ending.search(verb)), verb)


def _of_participle(verb: str) -> str:
    """What a regular participle names: "renovation", "closing"; empty for other words."""
    found = _PARTICIPLE.fullmatch(verb)
    if not found:
        return ""
    stem = found["stem"]
    made = next((noun for base in (stem, f"{stem}e") if (noun := _noun(base)) != base), "")
    return made or f"{stem}ing"


def _owned(subject: str) -> str:
    """A subject as it stands before a noun: "the Porto warehouse", "the students'", "Marie Curie's"."""
    if is_plural(subject):
        return f"{subject}'" if subject.endswith("s") else f"{subject}'s"
    return subject if subject.split()[0].lower() in ARTICLES else f"{subject}'s"
