"""What an assertion puts together must stand together in its evidence.

A small critic is sure of "The dredging will be done by Bosun Brothers" beside two passages, one of the dredging and one
of Bosun Brothers, and of "Isaac Bello skippers Tern" beside "Isaac Bello runs the courses, and Saskia Lund skippers
Tern".
"""

import re
from collections.abc import Sequence
from itertools import combinations

from veridic.evidence.clauses import stated_clauses
from veridic.evidence.evidence import consecutive
from veridic.ports.shapes import Strip
from veridic.text.duplicates import coverage
from veridic.text.facts import bare, bare_words, names, stem, words
from veridic.text.questions import keywords
from veridic.text.sentences import ends, sentences

WHOLE = 0.8
"""Share of an assertion's words from which one passage says it without the others."""
_PARAGRAPH = re.compile(r"\n\s*\n")
_SUBJECT = re.compile(r"^\W*(?:the |an? )?([^\W\d_][\w'’-]*)", re.IGNORECASE)
_DOER = re.compile(r"\bby (?:[a-z]+ ){0,2}([A-Z][\w'’-]*)")


def are_linked(assertion: str, strips: Sequence[Strip]) -> bool:
    """Whether strips that are read together speak of one thing.

    It is one strip or run of prose, one part says nearly all of it, or two that have all the names of the assertion
    share a name, one of those or another that is not merely what their documents are about.
    """
    if len(strips) < 2:
        return True
    parts = [part for run in consecutive(strips) for part in _parts(run)]
    said = _stems(assertion)
    if len(parts) < 2 or any(len(said & _stems(part)) >= WHOLE * len(said) for part in parts):
        return True
    named = names(assertion) & bare_words(" ".join(parts))
    about = names(" ".join(f". {strip['passage']['title']}" for strip in strips)) - named
    pairs = ((names(one), names(other)) for one, other in combinations(parts, 2))
    return any(named <= one | other and any(len(name) > 1 for name in one & other - about) for one, other in pairs)


def is_said_of_another(assertion: str, text: str) -> bool:
    """Whether the sentence with most of an assertion's words says in a clause of another what is asserted of one."""
    nearest = max(sentences(text), key=lambda one: coverage(assertion, one.text), default=None)
    return nearest is not None and _is_split(assertion, nearest.text)


def _is_split(assertion: str, sentence: str) -> bool:
    """Whether no clause has all that the assertion names, and one that another does, or undergoes, has its words."""
    clauses = stated_clauses(sentence)
    named = names(assertion)
    carried = _stems(assertion) - {stem(name) for name in named}
    held = named & bare_words(sentence)
    saying = [clause for clause in (*clauses, _rest(sentence, clauses)) if carried & _stems(clause)]
    if not clauses or not held or any(held <= bare_words(clause) for clause in saying):
        return False
    return any(_agents(clause) - named for clause in saying)


def _agents(clause: str) -> set[str]:
    """The name that a clause begins with, or has behind "by"."""
    found = {bare(match[1]) for pattern in (_SUBJECT, _DOER) if (match := pattern.search(clause))}
    return found & names(clause)


def _rest(sentence: str, clauses: Sequence[str]) -> str:
    """A sentence without its clauses; each begins with a capital and ends with a full stop of its own."""
    for clause in clauses:
        sentence = re.sub(re.escape(clause.rstrip(".")), " ", sentence, flags=re.IGNORECASE)
    return sentence


def _parts(run: Sequence[Strip]) -> list[str]:
    """The paragraphs of strips that follow each other, prose together and each line of a list by itself."""
    found = [""]
    for one in _PARAGRAPH.split("\n\n".join(strip["text"] for strip in run)):
        if ends(found[-1]) and ends(one):
            found[-1] += f" {one}"
        else:
            found.append(one)
    return [part for part in found if part.strip()]


def _stems(text: str) -> set[str]:
    return {stem(word) for word in keywords(text) or words(text)}
