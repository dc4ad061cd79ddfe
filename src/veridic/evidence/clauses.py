"""The clauses of a sentence that it states by themselves: "the shed is locked, and nobody has a key" states both.

A clause states nothing by itself under what reports, conditions or denies it, nor behind what says when or where all
of it holds. When unsure, the sentence stays whole.
"""

import re
from collections.abc import Iterator

from veridic.evidence.veridicality import is_qualified
from veridic.text.claims import atomic, is_scoped
from veridic.text.facts import words
from veridic.text.stop_words import PREPOSITIONS, is_closed

_JOINT = re.compile(r"(?P<adding>; |, (?:and|so) )|, (?:but|yet|whereas|though|although) ")
_INNER = re.compile(r"(?P<adding>; |,? and )|,? but ")
"""Where the rules for claims cut."""
_OPENING = frozenset("a an the my your our his her its their i you he she it we they there here".split())
"""Words of a closed class with which a subject may begin; "every" may begin a time: every summer."""
_RESTRICTING = re.compile(
    r"\b(?:when|whenever|where|wherever|while|until|till|once|provided|providing|except|excepting|otherwise|assuming)\b"
    r"|\b(?:so|as) long as\b",
    re.IGNORECASE,
)
_FRONTED = frozenset("perhaps maybe last next".split())
_DOUBTFUL = re.compile(r"[,()\[\]]")
"""With a comma or half a bracket it may be a piece of a list."""
_TAKING_BACK = frozenset("not only never except this that these those which who what neither nor".split())
"""Words with which something begins that speaks of the clause before it."""


def stated_clauses(sentence: str) -> list[str]:
    """The clauses that a sentence states, without those that are all of it."""
    found = dict.fromkeys(part for clause in _joined(sentence) for part in (clause, *_parts(clause)))
    return [clause for clause in found if clause.rstrip(" .") != sentence.rstrip(" .")]


def _joined(sentence: str) -> Iterator[str]:
    """The sentence itself, and what of it stands between two joints."""
    yield sentence
    joints = list(_JOINT.finditer(sentence))
    starts, ends = [0, *(one.end() for one in joints)], [*(one.start() for one in joints), len(sentence)]
    for at, (start, end) in enumerate(zip(starts, ends, strict=True) if joints else ()):
        clause, before = sentence[start:end], sentence[: ends[at - 1] if at else 0]
        whole = clause and _leaves_free(clause) and not _DOUBTFUL.search(clause)
        if whole and _leaves_free(before) and all(_adds(sentence, joint) for joint in joints[at:]):
            yield f"{clause[:1].upper()}{clause[1:].rstrip(' .')}."


def _parts(clause: str) -> list[str]:
    """The claims of a clause, where nothing says when or where all of it holds, nor takes it back."""
    joints = list(_INNER.finditer(clause))
    free = _leaves_free(clause) and all(_adds(clause, joint) for joint in joints)
    return atomic(clause) if free else []


def _leaves_free(before: str) -> bool:
    """Whether a clause says nothing of what it holds or what follows: no report, no condition, no time or place."""
    said = words(before)
    if not said:
        return True
    opens = (is_closed(said[0]) and said[0] not in _OPENING) or said[0] in _FRONTED or said[0].endswith("ly")
    scoped = is_scoped(before) or is_qualified(said) or bool(_RESTRICTING.search(before))
    return not (opens or scoped or ":" in before)


def _adds(sentence: str, joint: re.Match[str]) -> bool:
    """Whether what stands behind a clause only adds to it: no condition, doubt or exception, nor ", he said".

    What is behind a contrast may be about all of the clause: "but it was never shown".
    """
    after = sentence[joint.end() :]
    first = (words(after) or [""])[0]
    excepts = not joint["adding"] and (first in PREPOSITIONS or first == "it")
    aside = "," in _JOINT.sub(" ", after)
    takes_back = first in _TAKING_BACK or is_qualified(words(after)) or bool(_RESTRICTING.search(after))
    return not (excepts or aside or takes_back)
