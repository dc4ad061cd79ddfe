"""What "it" and "they" mean in the evidence, by the claim that is held against it.

Where a claim and the sentence before the pronoun begin with the same words, these are what both are about: nobody has
to know where a noun phrase ends.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from veridic.text.claims import may_mean
from veridic.text.questions import keywords
from veridic.text.stop_words import is_auxiliary

_PRONOUN = re.compile(r"(?:It|He|She|They)\b(?= \w)")
_VERBAL = re.compile(r"[a-z]{2,}(?:s|ed)")


@dataclass(frozen=True)
class Meant:
    """A sentence with what its pronoun means."""

    text: str
    since: int
    """Which of the sentences names the subject; the sentence itself, where nothing was put in."""


def with_subjects(told: Sequence[str], claim: str) -> list[Meant]:
    """The sentences in order, each that opens with a pronoun with what the claim says that it means."""
    found: list[Meant] = []
    for at, sentence in enumerate(told):
        text = _with_subject(sentence, found[-1].text if found else "", claim)
        found.append(Meant(text, found[-1].since if found and text != sentence else at))
    return found


def _with_subject(sentence: str, before: str, claim: str) -> str:
    pronoun = _PRONOUN.match(sentence)
    if pronoun is None:
        return sentence
    following = set(sentence.split()[1:])
    subject = next((one for one in _shared(before, claim) if _goes_on(claim, one, following)), "")
    fits = subject and may_mean(pronoun.group().lower(), subject, before)
    return f"{subject}{sentence[pronoun.end() :]}" if fits else sentence


def _shared(before: str, claim: str) -> Iterator[str]:
    """The beginnings that both have and that may be a subject, longest first: a verb follows them in the first."""
    own = before.split()
    pairs = zip(own, claim.split(), strict=False)
    same = [one for one, _ in takewhile(lambda pair: pair[0].lower() == pair[1].lower(), pairs)]
    same = list(takewhile(lambda word: not is_auxiliary(word.lower()) and word[-1] not in ",;:.", same))
    for length in range(min(len(same), len(own) - 1), 0, -1):
        verb, behind = own[length].lower(), own[length + 1 : length + 2]
        is_verb = is_auxiliary(verb) or (_VERBAL.fullmatch(verb) and not any(map(is_auxiliary, behind)))
        if is_verb and keywords(" ".join(same[:length])):
            yield " ".join(same[:length])


def _goes_on(claim: str, subject: str, following: set[str]) -> bool:
    """Whether in the claim a verb follows the subject: an auxiliary, or a word of what is said with the pronoun."""
    rest = claim[len(subject) :].split()
    return bool(rest) and (is_auxiliary(rest[0].lower()) or rest[0] in following)
