"""What can be told from the words of a question alone, and what a claim is looked up by."""

import re

from veridic.text.facts import entities, plain_words, words
from veridic.text.sentences import sentences
from veridic.text.stop_words import STOP_WORDS

YEAR = re.compile(r"(?<![^\W_]|[.,$£€])(?<![A-Z]-)(?:1\d{3}|20\d\d)(?=s?(?![^\W_]))(?![.,]\d|-\d{3})")
"""A year; no amount, and no part of a code."""
_TIME_SENSITIVE = re.compile(
    r"\b(?:today|tonight|yesterday|tomorrow|right now|currently|at the moment|this (?:week|month|year|morning)|"
    r"latest|most recent|newest|breaking|up[- ]to[- ]date|as of now|"
    r"current (?:price|president|version|status|score))\b",
    re.IGNORECASE,
)
QUERY_NAMES, QUERY_WORDS = 8, 4
"""Words of names, and other words, by which a claim is looked up."""
_PROPER = re.compile(r"(?:[A-Z][\w'’.-]*)(?:\s+(?:of|the|de|van|von|and|in|for)\s+(?=[A-Z])|\s+(?=[A-Z])|[\w'’.-])*")


def years_in(question: str) -> list[str]:
    """The years that a question names, each once, in order."""
    return list(dict.fromkeys(YEAR.findall(question)))


def is_time_sensitive(question: str) -> bool:
    """Whether the answer may have changed since the documents were written."""
    return bool(_TIME_SENSITIVE.search(question))


def keywords(question: str) -> list[str]:
    """The words that carry the question, in order, lower-cased, each once."""
    return list(dict.fromkeys(word for word in words(question) if word not in STOP_WORDS))


def keeps_entities(question: str, rewrite: str) -> bool:
    """Whether a rewrite still has every name and number of the question; case, accents and hyphens do not count."""
    return entities(question) <= plain_words(rewrite)


def by_rules(question: str, *, bare: bool) -> list[str]:
    """Queries made from the question's words: its keywords, its names first, the question itself.

    `bare` puts the keywords first, as search engines want them.
    """
    carried = keywords(question)
    named = [name.lower() for name in proper_names(question)]
    rest = [word for word in carried if not any(word in name.split() for name in named)]
    phrases = [" ".join(carried), " ".join([*named, *rest]), " ".join([*rest, *named])]
    alone = " ".join(sorted(entities(question)) or carried[:3])
    return [*(phrases if bare else phrases[1:]), question, *phrases, alone]


def query_for(claim: str, about: str = "") -> str:
    """What to look a claim up by: its names, else those of what it is said `about`, then the few words that matter.

    Numbers are left out where there is a name: they are what is to be checked, and a wrong one finds nothing.
    """
    own = proper_names(claim)
    named = [word for name in own or proper_names(about) for word in keywords(name)]
    others = [word for word in keywords(claim) if word not in named and not (named and word[0].isdigit())]
    return " ".join([*dict.fromkeys(named)][:QUERY_NAMES] + others[:QUERY_WORDS])


def proper_names(text: str) -> list[str]:
    """The names of a text as they stand, of one word or several, in order; none runs over sentences."""
    found = (match.group().strip(" .'’-") for one in sentences(text) for match in _PROPER.finditer(one.text))
    return [name for name in found if name.split()[0].lower() not in STOP_WORDS or len(name.split()) > 1]
