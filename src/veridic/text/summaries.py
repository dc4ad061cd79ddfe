"""Requests to summarise one document, by its name or by what it is about, or to be told about a subject. English."""

import re
from dataclasses import dataclass

from veridic.text.facts import words
from veridic.text.stop_words import ASKING

_PLEASE = r"(?:please\s+)?(?:(?:can|could)\s+you\s+)?(?:please\s+)?"
_NOUN = r"(?:an?|the)\s+(?:\w+\s+)?(?:summary|outline|overview)\s+of"
_ASKED = (
    rf"{_PLEASE}(?:summari[sz]e|sum\s+up|outline|(?:give|write|show)\s+(?:me\s+)?{_NOUN}|"
    rf"(?:what(?:['’]s|\s+is)\s+)?{_NOUN}|summary\s+of|tl;?dr(?:\s+of)?:?)"
)
_MANNER = r"(?:[\s,]+(?:for\s+me|please|briefly|in\s+(?:short|brief|one|two|three|four|five|a\s+few|\d+)(?:\s+\w+)?))*"
_REQUEST = re.compile(rf"{_ASKED}\s+(?P<what>.+?){_MANNER}\W*", re.IGNORECASE)
_CONTENT = re.compile(r"what(?:['’]s|\s+is)\s+(?P<what>.+?)\s+about\W*", re.IGNORECASE)
_DOCUMENT = r"(?:document|file|text|page|article|paper|report|pdf)"
_ARTICLES = ("the", "that", "my", "your", "this")
_THE = f"(?:{'|'.join(_ARTICLES)})"
_SAID_TO_BE_ONE = (
    re.compile(rf"{_THE}\s+{_DOCUMENT}\s+(?:(?:about|on|called|named|titled|entitled)\s+)?(.+)", re.IGNORECASE),
    re.compile(rf"{_THE}\s+(.+?)\s+{_DOCUMENT}", re.IGNORECASE),
    re.compile(
        r"(?:the\s+file\s+)?[\"'“‘`]?([\w./-]*[\w-]\.(?:md|markdown|txt|pdf|docx?|html?|rst))[\"'”’`]?", re.IGNORECASE
    ),
)
_AMOUNT = (
    r"(?:(?:a\s+(?:bit|little)|some|any|all|everything|something|anything)\s+)?"
    r"(?:(?:you\s+(?:know|have)|more|there\s+is)\s+)?"
)
_DETAILS = r"(?:(?:more|further|some|any|all|the)\s+)*(?:details?|information|info|anything|something)"
_HOLDING = r"(?:you|(?:the|my|your|these|our)\s+(?:documents?|docs|files?|texts?|sources|notes|handbook|manual))"
_SUBJECT = re.compile(
    rf"{_PLEASE}(?:(?:tell|give|show)\s+(?:me|us)\s+{_AMOUNT}(?:{_DETAILS}\s+)?(?:about|on)|describe|"
    rf"what\s+(?:else\s+)?(?:do|does|can|could)\s+{_HOLDING}\s+(?:know|have|say|tell\s+(?:me|us))\s+(?:about|on)|"
    rf"what\s+(?:is|was)\s+(?:known|said|written)\s+(?:about|on)|{_DETAILS}\s+(?:about|on))\s+(?P<what>.+?){_MANNER}\W*",
    re.IGNORECASE,
)
_ASKING = frozenset((*ASKING, *"if whether that this it them him her these those".split()))
"""What opens a question of its own, or names nothing."""


@dataclass(frozen=True)
class Wanted:
    """What is to be summarised."""

    name: str
    """What the document is called, or what it is about."""
    is_document: bool
    """Whether the request says that it is a document; else it may be anything."""


def to_summarise(message: str) -> Wanted | None:
    """What a message asks to summarise; None when it asks something else."""
    text = " ".join(message.split())
    request = _REQUEST.fullmatch(text)
    content = None if request else _CONTENT.fullmatch(text)
    found = request or content
    if found is None:
        return None
    what = found["what"].strip()
    named = next((match[1] for form in _SAID_TO_BE_ONE if (match := form.fullmatch(what))), None)
    if named:
        return Wanted(named.strip(" \"'“”‘’`"), True)
    return None if content else Wanted(_bare(what), False)


def subject_of_request(message: str) -> str | None:
    """What a message asks to be told about, as in "Tell me more about the dome"; None when it asks something else."""
    found = _SUBJECT.fullmatch(" ".join(message.split()))
    what = found["what"] if found else ""
    return None if _ASKING & set(words(what)[:1]) else _bare(what) or None


def _bare(what: str) -> str:
    first, _, rest = what.strip().partition(" ")
    return (rest if rest and first.lower() in _ARTICLES else what).strip(" \"'“”‘’`")
