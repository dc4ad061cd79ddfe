"""Questions about the knowledge base itself: which documents it holds. English."""

import re

_DOCUMENTS = r"(?:documents?|docs|files?|texts|papers|pdfs|sources)"
_HERE = r"(?:in (?:the|your|my|this) (?:knowledge base|index|corpus)|in your (?:collection|database|library))"
_HELD = rf"(?:there|available|indexed|loaded|stored|ingested|known|{_HERE}|(?:available|indexed|stored) {_HERE})"
_YOU_HAVE = (
    r"(?:do you (?:have|know|hold|use|see|search)|have you (?:got|read|indexed)|"
    r"can you (?:read|see|search|access)|did you (?:read|index)|can i ask(?: you)? about)(?: access to)?"
)
_LIST = r"(?:please )?(?:(?:can|could) you )?(?:please )?(?:list|show|name|give me|tell me)(?: me)?(?: a list of)?"
_WHICH = rf"(?:what|which|how many) (?:kinds? of )?{_DOCUMENTS} (?:{_YOU_HAVE}(?: {_HERE})?|(?:are|is) {_HELD})"
_NAMED = rf"{_LIST}(?: all)?(?: of)?(?: (?:the|your|my))?(?: indexed| available)?(?: titles of (?:the|your|my))?"
_THOSE = rf"(?:(?: that)? (?:you (?:have|know)|i (?:have|gave you))|(?: (?:that|which) are)? {_HELD})?"
_FORM = re.compile(
    rf"(?:{_LIST} )?{_WHICH}|{_NAMED} {_DOCUMENTS}{_THOSE}|(?:what|which {_DOCUMENTS})(?: is|'s| are) {_HERE}|"
    rf"what do you know(?: about)?|do you have (?:any|some) {_DOCUMENTS}"
)


def asks_for_documents(message: str) -> bool:
    """Whether all of a message asks which documents there are, or how many."""
    said = " ".join(message.lower().replace("’", "'").split()).strip(" ?.!")
    return bool(_FORM.fullmatch(said.removesuffix("please").rstrip(" ,")))
