"""What only a machine sees of a text, or takes for more than text: told by its form, whatever it says."""

import re

_HIDDEN = (
    re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL),
    re.compile(r"[\U000E0000-\U000E007F]+"),
)
"""Comments of HTML, and characters that have no shape."""
_TURN = (
    re.compile(r"<\|[\w-]{1,32}\|>[^\n]*"),
    re.compile(r"(?:\[/?INST\]|<</?SYS>>)[^\n]*"),
    re.compile(r"^#{1,6}[ \t]*(?:system|assistant|user)\b[^\n:]{0,20}:[^\n]*", re.MULTILINE | re.IGNORECASE),
)
"""What opens or closes the turn of a chat, to the end of its line."""
_CARRIER = re.compile(r"!\[[^\]\n]*\]\(\s*\w+://[^\s)?#]*\?[^\s)]*[{\[<$][^)\n]*\)")
"""A picture, loaded unasked, whose address has a place to be filled in."""
_PROGRAM = re.compile(r"(?<!\S)(?:(?:java|vb)script:\w*(?:[^\s\w.,]|\.\w)|data:text/html)\S*", re.IGNORECASE)
"""An address that is a program, by itself; what renders links and attributes shows theirs as text."""


def disguised(text: str) -> list[tuple[int, int]]:
    """The places of what is meant for a machine alone.

    It poses as a chat turn, hides in a comment, is a picture that would carry something away, or an address that is a
    program.
    In order; those that touch are one.
    """
    joined: list[tuple[int, int]] = []
    forms = (*_HIDDEN, *_TURN, _CARRIER, _PROGRAM)
    for start, end in sorted(found.span() for form in forms for found in form.finditer(text)):
        if joined and start <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((start, end))
    return joined
