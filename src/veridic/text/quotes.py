"""Quotation marks."""

import re

_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|«[^»]*»|„[^“”]*[“”]|‘[^’]*’(?!\w)|(?<!\w)'[^']*'(?!\w)|`[^`]*`")


def unquoted(text: str) -> str:
    """The text with everything in quotation marks blanked out, so that offsets stay."""
    return _QUOTED.sub(lambda quote: " " * len(quote.group()), text)
