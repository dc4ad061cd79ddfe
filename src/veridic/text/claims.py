"""Atomic claims by written rules: one statement each, able to stand alone.

Conservative throughout: a sentence is cut only where both sides plainly have a subject and a verb, and never
under a word that reports, conditions or denies (`said`, `if`, `neither`). When unsure, it stays as it is.
"""

import re
from collections.abc import Callable, Iterator

from veridic.text.facts import words
from veridic.text.questions import keywords, proper_names
from veridic.text.stop_words import ARTICLES, is_closed

QUERY_NAMES, QUERY_WORDS = 8, 4
"""Words of names, and other words, in what is looked up."""

_BE = r"(?:is|are|was|were)"
_AUXILIARY = rf"(?:{_BE}|has|have|had|does|did|can|could|will|would|may|might|must|should)"
_VERB = (
    rf"(?:{_AUXILIARY}|became|began|built|contains|covers|designed|developed|died|discovered|ended|founded|holds|"
    r"includes|invented|led|lies|lived|made|opened|painted|played|produced|published|received|released|served|stands|"
    r"won|worked|wrote)"
)
_DETERMINER = r"(?:the|a|an|its|his|her|their|this|these|it|he|she|they)"
_NAME = r"(?:[Tt]he )?[A-Z][\w'’-]*(?: (?:(?:of|the|de|van|von) ){0,2}[A-Z][\w'’-]*)*"
_SUBJECT = rf"(?:(?i:{_DETERMINER})\b|[A-Z])[^\s,;]*(?: [^\s,;]+){{0,5}}?"
_CLAUSE = re.compile(rf"(?P<subject>{_SUBJECT}) (?P<verb>{_VERB})\b")
_SCOPE = re.compile(
    r"\b(?:if|whether|that|because|although|though|unless|while|when|whereas|since|until|neither|nor|either|or|both|"
    r"between|only|never|hardly|no|none|few|say|says|said|claim\w*|think\w*|thought|believe\w*|argue\w*|suggest\w*|report\w*|"
    r"allege\w*|assume\w*|supposed\w*|expect\w*|hope\w*|according)\b|[\"“”?]",
    re.IGNORECASE,
)
_RELATIVE_WORD = re.compile(r"\b(?:who|which|whose|whom|where)\b")
_AND = re.compile(r",? (?:and|but) ")
_PRONOUN = re.compile(r"(?P<personal>It|He|She|They)\b(?! \w+ \w+ (?:that|to)\b)|(?P<owned>Its|His|Her|Their)\b")
_THING = frozenset(("it", "its"))


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


def atomic(sentence: str) -> list[str]:
    """The claims of one sentence, in order, each a sentence; the sentence itself when it cannot safely be cut."""
    if _SCOPE.search(sentence):
        return [sentence]
    for rule in _RULES:
        parts = list(rule(sentence.rstrip(" .")))
        if len(parts) > 1:
            return [claim for part in parts for claim in atomic(_as_sentence(part))]
    return [sentence]


def _may_mean(pronoun: str, subject: str, sentence: str) -> bool:
    """Whether a lower-cased pronoun may mean the subject that opens the sentence before; no other name there fits."""
    others = [name for name in proper_names(sentence) if name.removeprefix("The ") not in subject]
    if not others:
        return True
    if pronoun in _THING:
        return subject.lower().startswith("the ")
    things = [name for name in others if re.search(rf"\bthe {re.escape(name)}", sentence)]
    is_person = not subject.lower().startswith("the ") and pronoun not in ("they", "their")
    return is_person and len(things) == len(others)


def query_for(claim: str) -> str:
    """What to look a claim up by: its names, then the few words that matter, lower-cased.

    Numbers are left out where there is a name: they are what is to be checked, and a wrong one finds nothing.
    """
    named = [word for name in proper_names(claim) for word in keywords(name)]
    others = [word for word in keywords(claim) if word not in named and not (named and word[0].isdigit())]
    return " ".join([*dict.fromkeys(named)][:QUERY_NAMES] + others[:QUERY_WORDS])


def _semicolons(sentence: str) -> Iterator[str]:
    """`A was x; B was y` where each part is a clause; a pronoun after the semicolon means A where that is safe."""
    parts = sentence.split("; ")
    before = ""
    if all(_CLAUSE.match(part) for part in parts):
        for part in parts:
            before = standing_alone(_capitalised(part), before, "")
            yield before


def _coordinated(sentence: str) -> Iterator[str]:
    """`A was x, and B was y`; `A was x and was y` with A put in again."""
    for joint in _AND.finditer(sentence):
        left, right = sentence[: joint.start()], sentence[joint.end() :]
        clause = _CLAUSE.match(left)
        if clause is None or _RELATIVE_WORD.search(sentence):
            continue
        if re.match(rf"{_AUXILIARY}\b", right):
            yield left
            yield f"{clause['subject']} {right}"
            return
        if _CLAUSE.match(right) and not re.match(_PRONOUN, _capitalised(right)):
            yield left
            yield right
            return


_RULES: tuple[Callable[[str], Iterator[str]], ...] = (_semicolons, _coordinated)


def _subject_before(before: str, pronoun: str) -> str:
    """The subject that opens a sentence, when it is the only name there that fits the pronoun; else empty."""
    clause = _CLAUSE.match(before)
    if clause is None or not re.fullmatch(_NAME, clause["subject"]) or not _is_subject(clause["subject"]):
        return ""
    return clause["subject"] if _may_mean(pronoun, clause["subject"], before) else ""


def _name_in(heading: str) -> str:
    """A heading that is one name and nothing else; else empty."""
    fits = re.fullmatch(_NAME, heading) and _is_subject(heading) and len(words(heading)) <= 5
    return heading if fits else ""


def _is_subject(name: str) -> bool:
    first = words(name)[0]
    return first in ARTICLES or not is_closed(first)


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def _as_sentence(part: str) -> str:
    return f"{_capitalised(part.strip(' ,'))}."
