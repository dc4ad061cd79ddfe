"""What kind of message a person sent: most are questions for the documents, some are not. English."""

import re
from typing import Literal, cast

from veridic.text.arithmetic import is_sum
from veridic.text.language import is_foreign
from veridic.text.summaries import subject_of_request, to_summarise

Intent = Literal["question", "small talk", "arithmetic", "document list", "summary", "other language"]
SmallTalk = Literal["greeting", "thanks", "farewell", "assent", "about"]

FROM_DOCUMENTS: tuple[Intent, ...] = ("question", "summary")
"""What the documents are asked for."""
_FORMS: dict[SmallTalk, str] = {
    "about": r"who (?:are|made) you|what are you|what can you do(?: for me)?|what do you do|"
    r"what can i (?:ask|do)(?: you)?|what(?: is|'s) your name|how do you work|"
    r"how (?:can|do) (?:you help me|i use (?:you|this))|(?:can you )?help(?: me)?|"
    r"are you (?:an? )?(?:bot|robot|human|ai|there|real)|(?:introduce|tell me about) yourself",
    "greeting": r"(?:hi|hello|hey|hiya|howdy|greetings)(?: (?:there|all|everyone|everybody|folks|again|world))?|"
    r"good (?:morning|afternoon|evening|day)(?: (?:all|everyone|to you))?|nice to meet you|how(?: is|'s) it going|"
    r"how are you(?: doing)?(?: today)?|what(?: is|'s) up",
    "thanks": r"(?:many )?(?:thanks|thank you|thx)"
    r"(?: (?:a lot|a million|(?:so|very) much|again|for (?:your|the) (?:help|answer|info|information|explanation)))*|"
    r"cheers|much appreciated|that(?: was|'s| is) (?:very |really )?(?:helpful|useful|great|good|nice|perfect)",
    "farewell": r"bye(?: bye)?|goodbye|good night|see you(?: (?:later|soon|tomorrow))?|take care|"
    r"have a (?:nice|good|great) (?:day|evening|weekend)",
    "assent": r"ok(?:ay)?|all ?right|cool|great|nice|perfect|awesome|excellent|wonderful|got it|i see|understood|sure|"
    r"well done|good (?:job|work)",
}
_PART = re.compile("(?:" + "|".join(f"(?P<{kind}>{form})" for kind, form in _FORMS.items()) + r")(?: please)?(?: |$)")
_BETWEEN = re.compile(r"[^\w']+")
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
_LISTING = re.compile(
    rf"(?:{_LIST} )?{_WHICH}|{_NAMED} {_DOCUMENTS}{_THOSE}|(?:what|which {_DOCUMENTS})(?: is|'s| are) {_HERE}|"
    rf"what do you know(?: about)?|do you have (?:any|some) {_DOCUMENTS}"
)


def intent_of(message: str) -> Intent:
    """The kind of a message; a question wherever there is doubt."""
    if small_talk(message):
        return "small talk"
    if is_sum(message):
        return "arithmetic"
    if asks_for_documents(message):
        return "document list"
    if to_summarise(message) or subject_of_request(message):
        return "summary"
    return "other language" if is_foreign(message) else "question"


def small_talk(message: str) -> SmallTalk | None:
    """What a message says, when all of it is small talk; of several such phrases the last counts.

    "Sure?" is no assent: it asks.
    """
    rest, kind = _BETWEEN.sub(" ", message.lower().replace("’", "'")).strip(), None
    while rest:
        part = _PART.match(rest)
        if part is None:
            return None
        kind, rest = part.lastgroup, rest[part.end() :]
    return None if kind == "assent" and message.rstrip().endswith("?") else cast("SmallTalk | None", kind)


def asks_for_documents(message: str) -> bool:
    """Whether all of a message asks which documents there are, or how many."""
    said = " ".join(message.lower().replace("’", "'").split()).strip(" ?.!")
    return bool(_LISTING.fullmatch(said.removesuffix("please").rstrip(" ,")))
