"""What a sentence tells as the number that was before: "The fee was raised from 4.00 to 4.50".

A small reader is as sure of the one as of the other. In the reading sets by other hands, 8 questions about what is are
answered by the later number in such a sentence, and none by the former.
"""

import re

from veridic.evidence.forms import form_of
from veridic.text.dates import YEAR

_CHANGED = re.compile(
    r"\b(?:(?:rais|ris|increas|reduc|decreas|declin|chang|mov)(?:e[sdn]?|ing)"
    r"|(?:lower|drop|shift|extend|shorten|grow|fall|cut)(?:s|n|en|p?ed|[pt]?ing)?|rose|grew|fell|went|goes|gone|going)\b"
    r".{0,80}?\bfrom (?:[\w-]+ ){0,4}\W?$",
    re.IGNORECASE,
)
_NOW = re.compile(r"^(?:[ ][\w-]+){0,6}? to (?P<now>[^,;]{1,40})")
_LOOKS_BACK = re.compile(
    r"\b(?:was|were|did|had|been|before|until|from|used|once|first|original\w*|former\w*|previous\w*|earlier|old|start\w*)\b",
    re.IGNORECASE,
)
"""A word with which a question may ask for what was."""


def is_former(question: str, sentence: str, start: int, end: int) -> bool:
    """Whether the number at these characters of a sentence is what was before, and the question asks for what is."""
    said = sentence[start:end]
    now = _NOW.match(sentence[end:])
    if not now or not any(map(str.isdigit, said)) or YEAR.fullmatch(said) or _LOOKS_BACK.search(question):
        return False
    return form_of(said) == form_of(now["now"]) and bool(_CHANGED.search(sentence[:start]))
