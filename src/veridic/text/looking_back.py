"""Follow-ups that name nothing of their own: they doubt an answer, ask where it is from, or for more. English."""

import re

_LEAD = r"^\W*(?:(?:and|but|so|hm+|ok|really|no|sorry|please)\b[,.]? )*"
_YOU = r"(?:(?:can|could|will|would|do) you )?(?:please )?"
_END = r"\W*(?:please\W*)?$"
_THAT = r"(?:that|this|so)"
_SURE = r"(?:sure|certain|positive|right|true|correct|so)"
_ITSELF = r"(?: (?:of|about))?(?: (?:that|this|it))?"
_DOUBT = re.compile(
    rf"{_LEAD}(?:really|seriously|{_SURE}|says who|who says {_THAT}|"
    rf"(?:are )?(?:you|u) (?:\w+ly |quite |so )*{_SURE}{_ITSELF}|(?:is|was) (?:that|this|it) (?:\w+ly )*{_SURE}|"
    rf"(?:how (?:do|can|could|did)|what makes) you (?:know|tell|say|think|(?:be )?(?:so )?sure)(?: {_THAT})?|"
    rf"{_YOU}(?:check|look|verify)(?: (?:that|this|it))?(?: (?:up|again|once more))*){_END}",
    re.IGNORECASE,
)
_PLACE = r"(?:sources?|references?|citations?|evidence|proof)"
_DOCUMENT = r"(?:documents?|files?|texts?|pages?|sections?|sources?)"
_FROM = re.compile(
    rf"{_LEAD}(?:(?:your |the |any )?{_PLACE}(?: (?:for|of) {_THAT})?|"
    rf"what(?:['’]s| is| are| was| were) (?:your|the) {_PLACE}(?: (?:for|of) {_THAT})?|"
    rf"{_YOU}(?:show|give|tell|name) (?:me )?(?:the|your) {_PLACE}(?: (?:for|of) {_THAT})?|"
    rf"(?:do you have|have you|is there|are there) (?:an?|any) {_PLACE}(?: for {_THAT})?|"
    rf"(?:where|(?:(?:in|on) )?(?:which|what) {_DOCUMENT}) "
    rf"(?:does it say|did you (?:read|find|see|get)|do you (?:have|get)|(?:is|was)|says|does) {_THAT}"
    rf"(?: (?:from|written|said|stated|come from))?|according to (?:whom|what)){_END}",
    re.IGNORECASE,
)
_DETAILS = r"(?:details?|information|info)"
_MORE = re.compile(
    rf"{_LEAD}(?:{_YOU}(?:tell|give|show) me (?:a (?:bit|little) |some )?more(?: {_DETAILS})?"
    rf"(?: (?:about|on) {_THAT})?|(?:any |some )?(?:more|further) {_DETAILS}(?: (?:about|on) {_THAT})?|"
    rf"{_YOU}(?:elaborate|go on|explain (?:that|this))(?: (?:on|about) {_THAT})?|(?:what|anything) else){_END}",
    re.IGNORECASE,
)

_WHO = re.compile(rf"{_LEAD}who(?:['’]s| is| was) (?:that|this)(?: (?:person|man|woman))?{_END}", re.IGNORECASE)


def asks_again(question: str) -> bool:
    """Whether all of a question doubts the answer before, or asks what it rests on."""
    return bool(_DOUBT.match(question) or _FROM.match(question))


def asks_for_more(question: str) -> bool:
    """Whether all of a question asks to be told more of the same."""
    return bool(_MORE.match(question))


def asks_who_that_is(question: str) -> bool:
    """Whether all of a question asks who the answer before is."""
    return bool(_WHO.match(question))
