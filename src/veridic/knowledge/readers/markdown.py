"""Markdown: stored without its markup, except that code fences stay as written; a record for each row of a table."""

import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import takewhile
from typing import TYPE_CHECKING

from veridic.knowledge.readers import html
from veridic.knowledge.readers.json_data import add
from veridic.knowledge.readers.model import Composer, ParsedDocument, Place
from veridic.knowledge.readers.plain import decode
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.hidden import clean
from veridic.text.sentences import are_entries

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_FRONT_MATTER = re.compile(
    r"\A(?:---[ \t]*\n(?P<yaml>.*?)^(?:---|\.\.\.)|\+\+\+[ \t]*\n(?P<toml>.*?)^\+\+\+)[ \t]*(?:\n|\Z)",
    re.DOTALL | re.MULTILINE,
)
_DRAWN = ("<sup", "<del", "<s>", "<strike")
"""HTML whose look changes what is said."""


def read_markdown(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse a Markdown file. Raises `DocumentUnreadable`."""
    text, said = decode(content)
    front = _FRONT_MATTER.match(text)
    skipped = front.end() if front else 0
    composer = Composer(limits)
    facts = _facts(front) if front else {}
    title = str(facts.pop("title", None) or "")
    add(composer, facts, (title,), Place("line", 2, max(2, text.count("\n", 0, skipped) - 1)))
    tokens = _parser().parse(text[skipped:])
    _compose(composer, tokens, text.count("\n", 0, skipped))
    return composer.finish(title, unread=said)


def _facts(front: re.Match[str]) -> dict[str, object]:
    """What front matter says of its document, as it is written; nothing where it is neither YAML nor TOML."""
    import yaml

    try:
        if front["toml"]:
            said = tomllib.loads(front["toml"], parse_float=str)
        else:
            said = yaml.load(front["yaml"], Loader=yaml.BaseLoader)  # noqa: S506 - it makes texts alone
    except (yaml.YAMLError, tomllib.TOMLDecodeError):
        return {}
    return said if isinstance(said, dict) else {}


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


def _compose(composer: Composer, tokens: Sequence["Token"], skipped: int) -> None:
    marker, in_table = "", False
    for at, token in enumerate(tokens):
        first, end = token.map or (0, 0)
        place = Place("line", skipped + first + 1, skipped + max(end, first + 1))
        match token.type:
            case "table_open":
                in_table = True
                _table(composer, (tokens[later] for later in range(at, len(tokens))), skipped)
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


def _table(composer: Composer, tokens: Iterable["Token"], skipped: int) -> None:
    """Add the table that the tokens begin with; each row knows its line."""
    rows: list[list[str]] = []
    lines: list[int] = []
    for token in takewhile(lambda token: token.type != "table_close", tokens):
        if token.type == "tr_open" and token.map:
            rows.append([])
            lines.append(skipped + token.map[0] + 1)
        elif token.type == "inline":
            rows[-1].append(plain(token))
    composer.table([composer.cells(row) for row in rows], lambda at: Place("line", lines[at], lines[at]), headers=1)


def plain(token: "Token") -> str:
    """An inline token's text without markup; a picture is its description, and a line in bold a line of its own."""
    if any(child.type == "s_open" or child.content.startswith(_DRAWN) for child in token.children or ()):
        return html.text_of(_parser().renderer.render(token.children or [], _parser().options, {}))
    pieces: list[str] = []
    before = ""
    children = token.children or []
    for child, following in zip(children, [*children[1:], token], strict=False):
        match child.type:
            case "text" | "code_inline" | "image":
                pieces.append(child.content)
            case "softbreak":
                entry = are_entries("".join(pieces[:1]), following.content)
                pieces.append("\n" if entry or before == "strong_close" else " ")
            case "hardbreak":
                pieces.append("\n")
            case "html_inline" if child.content.lower().startswith("<br"):
                pieces.append("\n")
        before = child.type if child.type != "text" or child.content else before
    return clean("".join(pieces))
