"""The main text of a page that a source hands over as raw HTML."""

import logging
import re

LONGEST_HTML = 1_000_000
"""Characters of a page that are read; what comes later is not parsed."""
_LOOKED_AT = 2000
_SILENT = logging.NullHandler()
_HTML = re.compile(r"<!doctype html|<(?:html|head|body)\b", re.IGNORECASE)


def main_text(text: str) -> str:
    """What a reader of the page sees, without menus and footers; text that is no HTML page stays as it is.

    Where no main text can be told, it is all of the page's text, so that a wall is seen for what it is.
    """
    if not _HTML.search(text[:_LOOKED_AT]):
        return text
    from trafilatura import extract, html2txt

    # Without any handler Python prints what it logs of odd markup over the answer.
    logging.getLogger("trafilatura").addHandler(_SILENT)
    page = text[:LONGEST_HTML]
    return str(extract(page, include_comments=False, favor_recall=True) or html2txt(page))
