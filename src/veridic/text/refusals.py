"""Texts that decline to answer."""

import re

_REFUSAL = re.compile(
    r"^\W*(?:i(?:['’]m| am)? (?:do not|don['’]t|cannot|can['’]t|not sure|sorry|unable)|i am sorry|sorry, |"
    r"(?:the )?(?:passages?|texts?|documents?|context|provided \w+) (?:do|does) not (?:\w+ ){0,3}(?:answer|mention|"
    r"contain|say|state|provide)|there is no (?:information|mention|answer)|(?:it is )?not (?:mentioned|stated|given))",
    re.IGNORECASE,
)


def refuses(answer: str) -> bool:
    """Whether a text declines to answer: it is empty, or begins by saying that it does not know."""
    return not answer.strip() or bool(_REFUSAL.match(answer))
