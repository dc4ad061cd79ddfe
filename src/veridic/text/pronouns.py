"""What "it" and "they" mean in a follow-up: a noun phrase of the question before. English.

Of the phrases that agree in number the subject is likelier than an object, and that than what stands behind a
preposition (the ranking of centering, Grosz, Joshi and Weinstein 1995); what was asked for is told, and so less likely
than what it is of. A person is no "it".
"""

import re

from veridic.text.events import event_of
from veridic.text.likeness import Near, is_detail, is_person
from veridic.text.phrases import Phrase, has_auxiliary, is_auxiliary, phrases
from veridic.text.sentences import sentences

_ONE = re.compile(r"\b(?:it|its)\b", re.IGNORECASE)
_EITHER = re.compile(r"\b(?!(?-i:IT [a-z]))(?:its?|they|them|theirs?)\b", re.IGNORECASE)
"""The IT department is no "it"."""
_OWN = frozenset(("its", "their", "theirs"))
_INDEFINITE = frozenset("any no every each its their his".split())
"""What leads a phrase that says nothing by itself."""
_OF_NOTHING = re.compile(
    r"\bit (?:(?:rain|snow|matter|happen|seem)s?\b|makes? sense\b|means? (?:that|i|we|you)\b|takes?(?! place\b)|"
    r"costs? (?:(?:me|us|you) )?to \w+ \w)|\b(?:to|i|we|you|one) do it\b|\bgot it\b|"
    r"\b(?:(?:is|was|be) it|it (?:is|was|be)) (?:\w+ ){1,2}"
    r"(?:to\b(?!\W*$| (?:the|an?|my|your|our|which|what|whom)\b)|(?:that|when|if|whether)\b)",
    re.IGNORECASE,
)
"""Where "it" stands for no thing: "is it allowed to", "how long does it take"."""
_BREAK = re.compile(
    r"[,.!?;:]|\b(?:if|when|while|because|after|before|until|once|and|but|that|which|who)\b", re.IGNORECASE
)
_WHAT_IS = re.compile(r"^\W*(?P<word>what|who)(?:['’]s| is| are| was| were) ", re.IGNORECASE)
_PROCEDURE = re.compile(
    r"^\W*how (?:do|can|could|should|must|would) (?:i|we|you|one) (?P<what>[^?]+?)\W*$", re.IGNORECASE
)
_HOW_LONG = re.compile(r"\btakes?\W*$", re.IGNORECASE)


def speaks_of(question: str) -> bool:
    """Whether "it" or "they" stands in a question."""
    return bool(_EITHER.search(question))


def resolved(question: str, asked: str, person: str, near: Near) -> str:
    """The question with what `asked` spoke of in the place of its first "it" or "they"; as it is where none fits.

    `person` is somebody that was named as such before.
    """
    pronoun = _EITHER.search(question, *(one.start for one in sentences(question)[-1:]))
    if not pronoun or _is_bound(question, pronoun) or _is_open(asked):
        return question
    if _OF_NOTHING.search(question):
        return _of_procedure(question, asked)
    word = pronoun.group().lower()
    if word == "it" and (event := event_of(asked, question, near)):
        return question[: pronoun.start()] + event + question[pronoun.end() :]
    several = not _ONE.fullmatch(word)
    found = sorted(_ranked(asked), key=lambda one: (one.plural is not several, _is_told(one, asked, near)))
    fitting = (one for one in found if one.text != person and _fits(one, asked, near, pronoun=word))
    meant = next(fitting, None)
    if meant is None:
        return question
    text = _whole(meant, asked)
    owned = f"{text}'" if text.endswith("s") else f"{text}'s"
    put = owned if word in _OWN else text
    return question[: pronoun.start()] + put + question[pronoun.end() :]


def subject_of(asked: str) -> str:
    """The likeliest phrase that a question is about, with what it is of; empty where it has none."""
    return next((_whole(one, asked) for one in _ranked(asked)), "")


def _is_bound(question: str, pronoun: re.Match[str]) -> bool:
    """Whether a phrase before it in its own question is meant.

    So it is where it owns, "do visitors leave their coats", in another clause, and in "the money they use".
    """
    several = not _ONE.fullmatch(pronoun.group())
    before = [one for one in phrases(question) if one.end <= pronoun.start() and one.plural is several]
    leader = "".join(question[: pronoun.start()].lower().split()[-1:])
    inside = pronoun.group().lower() in _OWN or (pronoun.group().lower() == "they" and not is_auxiliary(leader))
    return any(inside or _BREAK.search(question, one.end, pronoun.start()) for one in before)


def _is_open(asked: str) -> bool:
    """Whether the question before has a pronoun itself of which nobody knows what it means."""
    pronoun = _EITHER.search(asked)
    return pronoun is not None and not _OF_NOTHING.search(asked) and not _is_bound(asked, pronoun)


def _of_procedure(question: str, asked: str) -> str:
    """How long "it" takes is how long it takes to do what was asked how to do."""
    done = _PROCEDURE.match(asked)
    if not done or not _HOW_LONG.search(question):
        return question
    return f"{question.rstrip(' ?')} to {done['what']}?"


def _ranked(asked: str) -> list[Phrase]:
    """The phrases of a question, likeliest first: what is asked for leads where it is the subject."""
    found, inverted = phrases(asked), has_auxiliary(asked)
    return sorted(found, key=lambda one: (one.asked is inverted, one.preposition == "of", bool(one.preposition)))


def _fits(phrase: Phrase, asked: str, near: Near, *, pronoun: str) -> bool:
    """Whether a pronoun may stand for a phrase; a name tells nothing of its number."""
    several = not _ONE.fullmatch(pronoun)
    if phrase.text.lower().split()[0] in _INDEFINITE:
        return False
    if several and (phrase.plural or pronoun == "them"):
        return phrase.plural
    somebody = _asks_for(phrase, asked) == "who" or is_person(phrase.text, near)
    return (phrase.named or (phrase.plural is several and _is_thing(phrase))) and not somebody


def _is_thing(phrase: Phrase) -> bool:
    """Whether a phrase has what leads a noun in the singular; "more | different" has not."""
    return phrase.text != phrase.bare or bool(phrase.preposition) or is_auxiliary(phrase.led_by)


def _asks_for(phrase: Phrase, asked: str) -> str:
    """The word that asks what or who a phrase is; empty where another is asked for."""
    lead = _WHAT_IS.match(asked)
    return lead["word"].lower() if lead and lead.end() == phrase.start else ""


def _is_told(phrase: Phrase, asked: str, near: Near) -> bool:
    """Whether a phrase is the detail that was asked for: the price in "What is the price of the ticket?"."""
    return _asks_for(phrase, asked) == "what" and _has(phrase, asked) and is_detail(phrase.text, near)


def _whole(phrase: Phrase, asked: str) -> str:
    """A phrase with what it is of: "the size of an attachment"."""
    return f"{f'the {phrase.bare}' if phrase.asked else phrase.text}{_of(phrase, asked)}"


def _has(phrase: Phrase, asked: str) -> bool:
    """Whether it is told of or for what the phrase is."""
    return any(one.preposition in ("of", "for") and one.opens == phrase.end + 1 for one in phrases(asked))


def _of(phrase: Phrase, asked: str) -> str:
    found = (one for one in phrases(asked) if one.preposition == "of" and one.opens == phrase.end + 1)
    return next((asked[phrase.end : one.end] for one in found), "")
