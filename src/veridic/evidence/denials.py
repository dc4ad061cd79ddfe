"""What a sentence says of a claim under a negation only: "never with a phone" does not say that a phone may come in."""

import re

from veridic.text.facts import stem, words
from veridic.text.questions import keywords
from veridic.text.sentences import sentences

_NEGATION = re.compile(r"\b(?:not|never|cannot|neither|nor|no)\b(?! (?:only|just|merely))|n['’]t\b", re.IGNORECASE)
_END_OF_SCOPE = re.compile(r"[;:.!?()]|\b(?:but|because|unless|except|although|though)\b", re.IGNORECASE)


def denies(premise: str, claim: str) -> bool:
    """Whether all that a premise says of a claim, which negates nothing, stands in sentences that negate a part of it.

    Only sentences with every word that carries the claim are looked at: in others it may be worded anew.
    """
    if _NEGATION.search(claim):
        return False
    carrying = {stem(word) for word in keywords(claim)}
    saying = [one.text for one in sentences(premise) if carrying <= set(map(stem, words(one.text)))]
    return bool(saying) and all(carrying & _negated(sentence) for sentence in saying)


def _negated(sentence: str) -> set[str]:
    """The words in the scope of a negation: what stands behind it in its clause."""
    found: set[str] = set()
    for negation in _NEGATION.finditer(sentence):
        end = _END_OF_SCOPE.search(sentence, negation.end())
        found |= set(map(stem, words(sentence[negation.end() : end.start() if end else len(sentence)])))
    return found
