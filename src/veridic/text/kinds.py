"""What kind of answer a question asks for, by its form."""

import re
from typing import Literal, get_args

from veridic.text.facts import words
from veridic.text.stop_words import AUXILIARIES

AnswerKind = Literal["who", "when", "where", "how many", "yes-no", "which of two", "what", "why-how"]
ANSWER_KINDS: tuple[AnswerKind, ...] = get_args(AnswerKind)

AUXILIARY = rf"(?:(?:{'|'.join(AUXILIARIES)})(?:n['’]?t)?)"
YES_NO = re.compile(rf"^\W*(?:(?:and|but|so) )?{AUXILIARY}\b", re.IGNORECASE)
_AFTER_LEAD = re.compile(rf"[:;,.—–-]\s+{AUXILIARY}\s+(?=[^?]*\?\W*$)", re.IGNORECASE)
"""Amblyopia: is visual loss permanent?"""
_REQUEST = re.compile(
    r"^\W*(?:(?:and|but|so|please) )*(?:(?:can|could|would|will|do) (?:you|anyone) (?:please )?|"
    r"i(?: (?:want|need|would like)|['’]d like) to )?(?:please )?"
    r"(?:(?:know|wonder|say|find out|(?:tell|show) (?:me|us))\b\s*|(?=(?:name|list|explain|describe|summari[sz]e)\b))",
    re.IGNORECASE,
)
"""What asks politely for what follows."""
_LED_UP = re.compile(
    rf"^\s*[:,;.—–-]+\s*(?=(?:(?:in|on|at|by|for|from|to|with) )?(?:who|whom|whose|what|when|where|which|why|how)\b|"
    rf"{AUXILIARY}\b)",
    re.IGNORECASE,
)
"""What parts such a request from a question that could stand alone."""
_OPEN_WORD = re.compile(r"\b(?:who|whom|whose|what|when|where|which|why|how)\b", re.IGNORECASE)
_OF_TWO = re.compile(
    r"^\W*(?:which|who|what|whose)\b.*?(?:,|:|\b(?:first|later|earlier|older|younger|(?:is|are|was|were) \w+er)\b)"
    r"[^?]*?\s(?P<left>\S[^,?]*?),?\s+or\s+(?P<right>[^?,]+)\?*\W*$",
    re.IGNORECASE,
)
_OR = re.compile(rf"^\W*(?:(?:and|but|so) )?{AUXILIARY}\b.*\bor\b(?!\s+(?:not|no|more|less|so)\b)", re.IGNORECASE)
_MEASURES = (
    "number price cost population height length percentage speed age rate temperature distance weight size".split()
)
_TIMES = "year date day month century decade time era season".split()
_PLACES = "city country state place town county continent region location village province".split()


def _form(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _which(nouns: list[str]) -> str:
    named = "|".join(f"{noun[:-1]}(?:y|ies)" if noun.endswith("y") else f"{noun}s?" for noun in nouns)
    return rf"\b(?:what|which) (?:[\w.]+ )?(?:{named})\b"


_FORMS: tuple[tuple[AnswerKind, re.Pattern[str]], ...] = (
    ("how many", _form(r"\bhow (?:many|much|long|far|old|tall|high|deep|wide|big|large|often|fast|heavy|hot|cold)\b")),
    ("how many", _form(rf"\bwhat (?:is|was|are|were) the (?:\w+ )?(?:{'|'.join(_MEASURES)})\b")),
    ("how many", _form(r"\b(?:what|which) (?:percent(?:age)?|number|amount|fraction|share|proportion)\b")),
    ("when", _form(rf"\bwhen\b|{_which(_TIMES)}")),
    ("where", _form(rf"\bwhere\b|{_which(_PLACES)}")),
    ("who", _form(r"\bwho(?:m|se)?\b")),
    ("why-how", _form(r"\bwhy\b|\bhow\b|\b(?:explain|describe|summari[sz]e|compare|outline)\b")),
    ("why-how", _form(r"\bwhat (?:is|are|was|were) the (?:reason|cause|difference|purpose)s?\b")),
    (
        "why-how",
        _form(r"^\W*(?:and |but |so )?what(?:['’]s| is| are| was| were) (?:an? )?(?!the\b)[^\s?]+(?: [^\s?]+)?\W*$"),
    ),
    ("why-how", _form(r"\bwhat (?:is|are|was|were) .+ used for\W*$|\bwhat (?:does|do|did) .+ do\W*$")),
)
_SHORT = frozenset(("name", "list", "give"))


def answer_kind(question: str) -> AnswerKind:
    """The kind of answer; `what` where no other form fits.

    Why and how are answered by sentences; so is what something is or does, and a message that only names a matter.
    """
    if asks_yes_or_no(question):
        return "yes-no"
    question = _REQUEST.sub("", question)
    if _OF_TWO.match(question) or _OR.match(question):
        return "which of two"
    found = [(place.start(), kind) for kind, form in _FORMS if (place := form.search(question))]
    first = _OPEN_WORD.search(question)
    leading = [kind for start, kind in found if first is None or start <= first.start() + 1]
    if leading or first:
        return leading[0] if leading else "what"
    return min(found)[1] if found else "what" if _SHORT & {*words(question)[:1]} else "why-how"


def without_request(question: str) -> str:
    """A question without the polite request that leads up to it: "Please tell me: who was it?" is "Who was it?".

    One that goes on from the request, "Tell me who it was", stays as it is.
    """
    asked = _REQUEST.sub("", question, count=1)
    led = _LED_UP.match(asked) if asked != question else None
    return f"{asked[led.end() :][:1].upper()}{asked[led.end() + 1 :]}" if led else question


def asks_yes_or_no(question: str) -> bool:
    """Whether yes or no answers it; "Is it red or blue?" asks for one of two, "Can you say who?" for a name."""
    asked = _REQUEST.sub("", question)
    if asked != question and words(asked)[:1] in (["if"], ["whether"]):
        return True
    if YES_NO.match(asked):
        return not _OR.match(asked)
    lead = _AFTER_LEAD.search(asked)
    return bool(lead) and not _OPEN_WORD.match(asked) and not _OPEN_WORD.search(asked, lead.end() if lead else 0)
