"""Small changes to a sentence after which it still says what its source says."""

from __future__ import annotations

import re

from veridic_lab.training.wording import Rng, names, pick, put

_FRONTED = re.compile(r"(?P<phrase>(?:In|On|During|At|By|Since|After|Before|Until) [^,;()]{3,40}), (?P<rest>[^;]+)\.$")
_SURE = re.compile(r"\b(is|are|was|were)\b(?! not)")
_UNSURE = {"is": "may be", "are": "may be", "was": "may have been", "were": "may have been"}


def dropped_clause(sentence: str, rng: Rng) -> str | None:
    """A bracket, an aside or a trailing clause is left out; what remains still follows."""
    options = [
        re.sub(r"\s*\([^()]*\)", "", sentence, count=1),
        re.sub(r", (?:which|who|where)\b[^,.;]*(?=[,.;])", "", sentence, count=1),
        re.sub(r"^(?:In|On|During|At|By|Since)\b[^,]{2,40}, (\w)", lambda m: m.group(1).upper(), sentence),
        re.sub(r"(?:;|, (?:and|but|while|although|where|which|after|making|including)\b)[^;]*\.$", ".", sentence),
    ]
    shorter = [o for o in options if o != sentence and len(o.split()) >= 4]
    return pick(rng, shorter) if shorter else None


def resolved_pronoun(sentence: str, title: str) -> str | None:
    """The pronoun that starts the sentence becomes the title; it follows where the title is in the premise."""
    match = re.match(
        r"(?:He|She|It)(?= (?:is|was|has|had|won|became|played|served|wrote|also|did|can|lies|stars)\b)", sentence
    )
    name = re.sub(r"\s*\(.*\)$", "", title)
    return put(sentence, match, name) if match and name else None


def moved_phrase(sentence: str, _rng: Rng) -> str | None:
    """A phrase that stands in front goes to the end."""
    match = _FRONTED.match(sentence)
    if not match:
        return None
    phrase = match["phrase"][0].lower() + match["phrase"][1:]
    return f"{match['rest'][0].upper()}{match['rest'][1:]} {phrase}."


def reordered_list(sentence: str, rng: Rng) -> str | None:
    """Two names joined by "and" change places."""
    found = [m for m in names(sentence) if m.group().count(" and ") == 1]
    if not found:
        return None
    match = pick(rng, found)
    first, second = match.group().split(" and ")
    return put(sentence, match, f"{second} and {first}")


def less_certain(sentence: str, rng: Rng) -> str | None:
    """What is said to be so may be so."""
    found = list(_SURE.finditer(sentence))
    if not found:
        return None
    match = pick(rng, found[:2])
    return put(sentence, match, _UNSURE[match.group()])


PARAPHRASES = {
    "clause": dropped_clause,
    "moved": moved_phrase,
    "list": reordered_list,
}
