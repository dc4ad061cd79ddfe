"""A statement made able to stand alone, and what it is looked up by. When unsure, it stays as it is."""

import re

from veridic.text.facts import words
from veridic.text.questions import keywords, proper_names
from veridic.text.stop_words import ARTICLES, AUXILIARIES, FUNCTION_WORDS

QUERY_NAMES, QUERY_WORDS = 8, 4
"""Words of names, and other words, in what is looked up."""

_NAME = r"(?:[Tt]he )?[A-Z][\w'’-]*(?: (?:(?:of|the|de|van|von) ){0,2}[A-Z][\w'’-]*)*"
_OPENING = re.compile(rf"(?P<subject>{_NAME}) (?P<verb>[a-z]+)\b")
_PRONOUN = re.compile(r"(?P<personal>It|He|She|They)\b(?! \w+ \w+ (?:that|to)\b)|(?P<owned>Its|His|Her|Their)\b")


def standing_alone(sentence: str, before: str, heading: str) -> str:
    """A sentence that opens with a pronoun, its subject put in: that of the sentence before, else the heading.

    `before` is the sentence before, standing alone itself; it is trusted when no other name in it fits the pronoun.
    The heading (of the evidence the sentence cites) is trusted when it is a name, which several are not. Otherwise
    nothing is changed.
    """
    pronoun = _PRONOUN.match(sentence)
    if pronoun is None:
        return sentence
    several = pronoun.group().lower() in ("they", "their")
    subject = _subject_before(before, pronoun.group().lower()) or ("" if several else _name_in(heading))
    if not subject:
        return sentence
    put = f"{subject}'s" if pronoun["owned"] else subject
    return put + sentence[pronoun.end() :]


def query_for(claim: str) -> str:
    """What to look a claim up by: its names, then the few words that matter, lower-cased.

    Numbers are left out where there is a name: they are what is to be checked, and a wrong one finds nothing.
    """
    named = [word for name in proper_names(claim) for word in keywords(name)]
    others = [word for word in keywords(claim) if word not in named and not (named and word[0].isdigit())]
    return " ".join([*dict.fromkeys(named)][:QUERY_NAMES] + others[:QUERY_WORDS])


def _subject_before(before: str, pronoun: str) -> str:
    """The name that opens a sentence before a verb, when no other name there fits the pronoun; else empty."""
    found = _OPENING.match(before)
    if found is None or not _is_subject(found["subject"]):
        return ""
    verb = found["verb"] in AUXILIARIES or found["verb"].endswith(("ed", "s"))
    return found["subject"] if verb and _may_mean(pronoun, found["subject"], before) else ""


def _may_mean(pronoun: str, subject: str, sentence: str) -> bool:
    """Whether a lower-cased pronoun may mean the subject that opens the sentence before; no other name there fits."""
    others = [name for name in proper_names(sentence) if name.removeprefix("The ") not in subject]
    if not others:
        return True
    if pronoun in ("it", "its"):
        return subject.lower().startswith("the ")
    things = [name for name in others if f" the {name}" in f" {sentence}"]
    is_person = not subject.lower().startswith("the ") and pronoun not in ("they", "their")
    return is_person and len(things) == len(others)


def _name_in(heading: str) -> str:
    """A heading that is one name and nothing else; else empty."""
    fits = re.fullmatch(_NAME, heading) and _is_subject(heading) and len(words(heading)) <= 5
    return heading if fits else ""


def _is_subject(name: str) -> bool:
    first, *rest = words(name)
    return first not in FUNCTION_WORDS or (first in ARTICLES and bool(rest))
