"""What can be told from the words of a question alone, for models that follow no instructions."""

import re

from veridic.text.facts import COMMON, entities, plain_words, words
from veridic.text.phrases import PREPOSITIONS, is_named
from veridic.text.sentences import sentences

_TIME_SENSITIVE = re.compile(
    r"\b(?:today|tonight|yesterday|tomorrow|right now|currently|at the moment|this (?:week|month|year|morning)|"
    r"latest|most recent|newest|breaking|up[- ]to[- ]date|as of now|"
    r"current (?:price|president|version|status|score))\b",
    re.IGNORECASE,
)
_STOP = frozenset(
    "a an the of in on at by for from to with and or but is are was were be been being do does did has have had can "
    "could will would shall should may might must what who whom whose which when where why how that this these those "
    "it its he she they them his her their there i you we me my your our not no as if than then so such about into "
    "over under between during before after up down out off many much name called please tell give".split()
)
_TIME = (
    r"(?:(?:early|late|coming|past|last|whole) )?(?:morning|afternoon|evening|night|day|week|weekend|month|quarter|"
    r"term|season|spring|summer|autumn|fall|winter|year|century|time|christmas|easter|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
)
_PRONOUN = re.compile(
    rf"\b(?!(?-i:IT [a-z])|th(?:is|ese|at|ose) {_TIME}s?\b)(?:it|its|he|him|his|she|her|hers|they|them|their|theirs|"
    r"this|these|those|"
    r"that(?! (?:the|an?|it|he|she|they|there|this|these|those|my|your|his|her|its|our|their|we|i|you)\b)|"
    r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )there"
    r"(?! (?:is|are|was|were|has|have|had|should|will|would|may|might|can|could|must)\b))\b",
    re.IGNORECASE,
)
"""Words that stand for what was named; not "there" in "is there a toll", nor "that" in "I heard that it floods".

"This summer" names its time by itself.
"""
_POSSESSIVE = frozenset(("its", "his", "her", "hers", "their", "theirs"))
_HERS = re.compile(rf" (?!(?:{'|'.join(sorted(PREPOSITIONS))})\b)\w", re.IGNORECASE)
"""What follows "her" where something is hers."""
_ELLIPSIS = re.compile(r"^\W*(?:and|but|or|so|what about|how about|also|then)\b", re.IGNORECASE)
_QUESTION_WORD = r"(?:who|what|when|where|why|how|which|whose|is|are|was|were|does|did|do|has|have|can)"
_JOINED = re.compile(rf"\s*(?:\?\s*|,?\s+and\s+)(?={_QUESTION_WORD}\b)", re.IGNORECASE)
_ASKING = r"(?:who|whom|what|where|when|why|how|(?:what|which) \w+|how (?:many|much|long))"
ASIDE = rf"(?:when|where|why|how|(?:what|which) (?:year|day|month)|(?:by|with|for|to|from|in|at|on|of) {_ASKING})"
_VERB = r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|may|might|must)"
_LEADING = re.compile(rf"^\W*(?:{ASIDE} (?={_VERB}\b)|{_ASKING} (?=(?:do|does|did)\b))", re.IGNORECASE)
_WHO = re.compile(r"^\W*who (?=\w)", re.IGNORECASE)
_WHOLE = re.compile(rf"^\W*{_ASKING} {_VERB} ", re.IGNORECASE)
_TRAILING = re.compile(rf"^(?P<first>.+?)[,;?]? and (?P<phrase>{ASIDE})\W*$", re.IGNORECASE)
_ENDS_ASKING = re.compile(rf", {ASIDE}$", re.IGNORECASE)
_TWICE = re.compile(rf"^\W*(?P<one>{ASIDE}) and (?P<other>{ASIDE}) (?P<rest>{_VERB}\b.+)$", re.IGNORECASE)
_PROPER = re.compile(r"(?:[A-Z][\w'’.-]*)(?:\s+(?:of|the|de|van|von|and|in|for)\s+(?=[A-Z])|\s+(?=[A-Z])|[\w'’.-])*")


def is_time_sensitive(question: str) -> bool:
    """Whether the answer may have changed since the documents were written."""
    return bool(_TIME_SENSITIVE.search(question))


def keywords(question: str) -> list[str]:
    """The words that carry the question, in order, lower-cased, each once."""
    return list(dict.fromkeys(word for word in words(question) if word not in _STOP))


def keeps_entities(question: str, rewrite: str) -> bool:
    """Whether a rewrite still has every name and number of the question; case, accents and hyphens do not count."""
    return entities(question) <= plain_words(rewrite)


def sub_questions(question: str) -> list[str]:
    """The questions joined in one sentence, each whole; empty when there is only one.

    A later part without a subject of its own is left with the whole question instead.
    """
    parts = [part.strip(" ?") for part in _JOINED.split(question) if part.strip(" ?")]
    if len(parts) < 2 or not all(map(keywords, parts)):
        return []
    if len(keywords(parts[0])) < 2 and not all(map(_WHOLE.match, parts)):
        return []
    return [f"{resolve(part, parts[0])}?" for part in parts]


def parts_of(question: str) -> list[str]:
    """The questions that are asked in one, each able to stand alone; the question itself where it asks one thing.

    "When was it built, and by whom?" asks "When was it built?" and "By whom was it built?"; "Who built it and when?"
    asks "When was it that somebody built it?", too.
    """
    return [part for one in sub_questions(question) or [question] for part in _with_trailing(one)]


def _with_trailing(question: str) -> list[str]:
    """A question that asks twice about one sentence as two; whole where what it asks about cannot be told."""
    if twice := _TWICE.match(question):
        return [f"{_capital(twice[name])} {twice['rest']}" for name in ("one", "other")]
    found = _TRAILING.match(question)
    lead = (_LEADING.match(found["first"]) or _WHO.match(found["first"])) if found else None
    if not found or not lead or _ENDS_ASKING.search(found["first"]):
        return [question]
    rest = found["first"][lead.end() :]
    asked = f"was it that somebody {rest}" if lead.re is _WHO else rest
    return [f"{found['first']}?", f"{_capital(found['phrase'])} {asked}?"]


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def needs_context(question: str) -> bool:
    """Whether a question leans on what was said before it."""
    return bool(_ELLIPSIS.match(question)) or (bool(_PRONOUN.search(question)) and not _names_something(question))


def proper_names(text: str) -> list[str]:
    """The names of a text as they stand, of one word or several, in order; none runs over sentences."""
    found = (match.group().strip(" .'’-") for one in sentences(text) for match in _PROPER.finditer(one.text))
    return [name for name in found if name.split()[0].lower() not in _STOP | COMMON or len(name.split()) > 1]


def resolve(question: str, earlier: str) -> str:
    """Put the last thing that `earlier` names in the place of the question's first pronoun, or behind it."""
    known = [_without_lead(name) for name in proper_names(earlier)]
    known = [name for name in known if name and is_named(name)]
    if not known or _names_something(question):
        return question
    topic = known[-1]
    pronoun = _PRONOUN.search(question)
    if pronoun is None:
        return f"{question.rstrip(' ?')} ({topic})"
    word = pronoun.group().lower()
    owns = word in _POSSESSIVE and (word != "her" or _HERS.match(question, pronoun.end()))
    put = f"{topic}'s" if owns else f"in {topic}" if word == "there" else topic
    return question[: pronoun.start()] + put + question[pronoun.end() :]


def _names_something(question: str) -> bool:
    """Whether a name stands in a question; none is "Can I", and a day or month names nothing that is spoken of."""
    return any(is_named(_without_lead(name)) for name in proper_names(question))


def _without_lead(name: str) -> str:
    """A name without a question word in front: `When Marie Curie` is Marie Curie."""
    kept = name.split()
    while kept and kept[0].lower() in _STOP:
        kept = kept[1:]
    return " ".join(kept)
