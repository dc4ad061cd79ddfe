"""Messages that are for no document: greetings, thanks, questions about the agent itself. English."""

import re
from typing import Literal, cast

SmallTalk = Literal["greeting", "thanks", "farewell", "assent", "about"]

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
