"""What kind of answer a question asks for, by its form."""

import re
from typing import Literal, get_args

from veridic.text.choices import AUXILIARY, chooses, two_of

AnswerKind = Literal["who", "when", "where", "how many", "yes-no", "which of two", "what", "why-how"]
ANSWER_KINDS: tuple[AnswerKind, ...] = get_args(AnswerKind)

_LEAD_IN = r"^\W*(?:(?:and|but|so|then|well|okay|ok|please)\b\W+)*"
_ONLY_LEADS_IN = re.compile(_LEAD_IN, re.IGNORECASE)
_YES_NO = re.compile(rf"\W*{AUXILIARY}\b", re.IGNORECASE)
_REQUEST = re.compile(
    rf"{_LEAD_IN}"
    r"(?:(?:do|can|could|would|will) (?:you|anyone|somebody) (?:please )?|i(?: (?:want|need)|['’]d like) to )?"
    r"(?:know|say|wonder|identify|name|list|find out|i wonder|(?:tell|show|give|remind) (?:me|us)(?: about)?"
    r"(?= (?:the|if|whether|who|what|when|where|which|why|how)\b)|"
    r"(?=(?:explain|describe|summari[sz]e|compare|outline)\b))\b",
    re.IGNORECASE,
)
"""What asks politely for what follows: Can you tell me who opened it?"""
_WHETHER = re.compile(rf"{_REQUEST.pattern}\W+(?:if|whether)\b", re.IGNORECASE)
_AFTER_LEAD = re.compile(rf"[:;,.—–-]\s+(?=(?P<verb>{AUXILIARY})\s+[^?]*\?\W*$)", re.IGNORECASE)
"""Amblyopia: is visual loss permanent?"""
_OPEN_WORD = re.compile(r"\b(?:who|whom|whose|what|when|where|which|why|how)\b", re.IGNORECASE)
_OPENS = re.compile(
    rf"(?:(?:in|at|on|by|to|from|for|with|of|since|until|under|about|after|before) )?"
    rf"(?:(?:who|whom|whose|what|which|why|how)\b(?! about)|(?:when|where) {AUXILIARY}\b)",
    re.IGNORECASE,
)
_MEASURES = (
    "number price cost population height length percentage speed age rate temperature distance weight size".split()
)
_TIMES = "year years date day days month century centuries decade time era season".split()
_PLACES = (
    "city cities country countries state states place town county counties continent region location village province"
).split()
_PEOPLE = "person people man men woman women actor actress author player singer president king queen".split()
_NOT_BETWEEN = r"(?!(?:is|are|was|were|do|does|did|the|a|an|of|his|her|its|their|kind|sort|type)\b)"
"""What ends the words between "which" and its noun."""


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _which(nouns: list[str]) -> str:
    return rf"\b(?:what|which) (?:{_NOT_BETWEEN}[\w.'’-]+ ){{0,2}}(?:{'|'.join(nouns)})\b"


def _what_is_the(nouns: list[str]) -> str:
    return rf"\bwhat (?:is|was|are|were) the (?:\w+ )?(?:{'|'.join(nouns)})\b"


_FORMS: tuple[tuple[AnswerKind, re.Pattern[str]], ...] = (
    ("how many", _form(r"\bhow (?:many|much|long|far|old|tall|high|deep|wide|big|large|often|fast|heavy|hot|cold)\b")),
    ("how many", _form(_what_is_the(_MEASURES))),
    ("how many", _form(rf"\b(?:at|for|to|by|from) what (?:\w+ )?(?:{'|'.join(_MEASURES)})\b|\bwhat age\b")),
    ("how many", _form(r"\b(?:what|which) (?:percent(?:age)?|number|amount|fraction|share|proportion)\b")),
    ("when", _form(rf"\bwhen\b|{_which(_TIMES)}|{_what_is_the(_TIMES)}(?= (?:of|when|that|on|in|at)\b|\W*$)")),
    ("where", _form(rf"\bwhere\b|{_which(_PLACES)}")),
    ("who", _form(rf"\bwho(?:m|se)?\b|{_which(_PEOPLE)}")),
    ("why-how", _form(r"\bwhy\b|\bhow\b|\b(?:explain|describe|summari[sz]e|compare|outline)\b")),
    ("why-how", _form(r"\bwhat (?:is|are|was|were) the (?:reason|cause|difference|purpose)s?\b")),
)


def answer_kind(question: str) -> AnswerKind:
    """The kind of answer; `what` where no other form fits."""
    if asks_yes_or_no(question):
        return "yes-no"
    core = _core(question)
    if chooses(core):
        return "which of two"
    found = [(place.start(), kind) for kind, form in _FORMS if (place := form.search(core))]
    first = _OPEN_WORD.search(core)
    leading = [kind for start, kind in found if first is None or start <= first.start() + 1]
    return leading[0] if leading else "what"


def asks_yes_or_no(question: str) -> bool:
    """Whether yes or no answers it; "Is it red or blue?" asks for one of two, "Can you say who?" for a name."""
    if _WHETHER.match(question):
        return True
    core = _core(question)
    return bool(_YES_NO.match(core)) and not chooses(core)


def options_of(question: str) -> tuple[str, ...]:
    """The two things a question chooses between; empty where they cannot be told."""
    return two_of(_core(question))


def _core(question: str) -> str:
    """What is asked, without what leads up to it: a polite request, or "In 1932," before a yes or no question."""
    request = _REQUEST.match(question)
    asked = _ONLY_LEADS_IN.sub("", question[request.end() if request else 0 :])
    lead = None if _OPENS.match(asked) else _AFTER_LEAD.search(asked)
    return asked[lead.end() :] if lead and not _OPEN_WORD.search(asked, lead.end()) else asked
