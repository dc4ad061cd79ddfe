"""Markdown: stored without its markup, except that code fences and tables stay as written."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from veridic.knowledge.readers import html
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place
from veridic.knowledge.readers.plain import decode
from veridic.limits import DEFAULT_LIMITS, FileLimits
from veridic.text.hidden import clean

if TYPE_CHECKING:
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
HEADER = 2
"""Lines of a table that name its columns: the names and the rule below them."""

_TITLE = re.compile(r"^title:[ \t]*(['\"]?)(.+?)\1[ \t]*$", re.MULTILINE)


def read_markdown(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a Markdown file. Raises `DocumentUnreadable`."""
    from markdown_it import MarkdownIt

    text = decode(content)
    front = _FRONT_MATTER.match(text)
    title = _TITLE.search(front.group(1)) if front else None
    skipped = front.end() if front else 0
    tokens = MarkdownIt("commonmark").enable("table").parse(text[skipped:])
    for token in tokens:
        if token.type == "html_block":
            html.check_tags(token.content, limits)
    composer = Composer()
    _compose(composer, tokens, text[skipped:].split("\n"), text.count("\n", 0, skipped))
    return composer.finish(title.group(2) if title else "")


def _compose(composer: Composer, tokens: Sequence["Token"], lines: list[str], skipped: int) -> None:
    marker, in_table = "", False
    for at, token in enumerate(tokens):
        first, end = token.map or (0, 0)
        place = Place("line", skipped + first + 1, skipped + max(end, first + 1))
        match token.type:
            case "table_open":
                in_table = True
                rows = _rows(lines[first:end])
                composer.table_lines(rows[:HEADER], rows[HEADER:], place)
            case "table_close":
                in_table = False
            case "list_item_open":
                marker = f"{token.info}{token.markup} " if token.info else "- "
            case "fence" | "code_block":
                composer.code(token.content, place)
            case "html_block":
                composer.block(html.text_of(token.content), place)
            case "inline" if not in_table and tokens[at - 1].type == "heading_open":
                composer.heading(int(tokens[at - 1].tag[1]), plain(token), place)
            case "inline" if not in_table:
                composer.block(marker + plain(token), place)
                marker = ""


def plain(token: "Token") -> str:
    """An inline token's text without markup; a picture is its description."""
    pieces = []
    for child in token.children or ():
        match child.type:
            case "text" | "code_inline" | "image":
                pieces.append(child.content)
            case "softbreak":
                pieces.append(" ")
            case "hardbreak":
                pieces.append("\n")
            case "html_inline" if child.content.lower().startswith("<br"):
                pieces.append("\n")
    return clean("".join(pieces))


def _rows(lines: list[str]) -> list[str]:
    """The rows of a table as written, each beginning and ending with a bar."""
    return ["| " + line.strip().strip("|").strip() + " |" for line in lines if line.strip()]
