"""Text made fit for where it goes: a terminal, Markdown, HTML, a JSON document."""

import html
import json
import math
import re
from collections.abc import Mapping, Sequence

from veridic.text.hidden import lined, shown

_BREAKS = str.maketrans(dict.fromkeys("\t\n\r\f\u2028\u2029", "\N{REPLACEMENT CHARACTER}"))
_RETURN = re.compile(r"\r\n?")

_ADDRESS = re.compile(
    r"(?:[a-z][a-z0-9+.-]{0,31}://|www\.)[^\s`\x00]*[^\s`\x00.,;:!?'\")\]]"
    r"|(?:mailto:|xmpp:)?[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+",
    re.IGNORECASE,
)
"""What renderers make a link of though nothing marks it as one: an address of the web, of mail."""
_ACTIVE = re.compile(
    r"\\(?=[!-/:-@\[-`{-~\x00]|\Z)"  # a backslash that would take the next one's place
    r"|<(?=[A-Za-z/!?])"  # HTML, and links in angle brackets
    r"|\](?=[(\[:])"  # links, images, and what defines them
    r"|&(?=#?\w+;)"  # a character by its name, of which an address may be made
)
_ACTIVE_OR_TICK = re.compile(f"{_ACTIVE.pattern}|`")
_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~&!$]")
"""Whatever Markdown may act on within a line."""
_BEGINS_BLOCK = re.compile(r"^(?:(?=[-+=])|(\d{1,9})(?=[.)]))")
"""What at the beginning of a line makes a list or a heading of it."""
_PLACE = "\0"
"""Where a mark of our own goes; the text around it has none any more."""
_WEB = re.compile(r"https?://[^\s<>`\\]+", re.IGNORECASE)


def for_terminal(text: str) -> str:
    """Text that a terminal shows as it is: its control and invisible characters are replaced, one by one."""
    return shown(lined(text))


def for_a_line(text: str) -> str:
    """The same for what must stay in one line, such as a name."""
    return shown(text).translate(_BREAKS)


def for_json(content: object, *, indent: int | None = 2) -> str:
    """A JSON document without control, invisible or unpaired characters in its texts; what is no number is null.

    Without `indent` in one line.
    """
    return json.dumps(_plain(content), ensure_ascii=False, indent=indent, allow_nan=False)


def _plain(content: object) -> object:
    match content:
        case str():
            return shown(content)
        case float() if not math.isfinite(content):
            return None
        case Mapping():
            return {shown(str(name)): _plain(value) for name, value in content.items()}
        case Sequence():
            return [_plain(value) for value in content]
    return content


def for_markdown(text: str, marks: Mapping[int, str] | None = None) -> str:
    """Markdown that shows a text as it is: no link, image or HTML of its own; addresses are shown as code.

    Its emphasis, lists and fenced code stay. `marks` are put in as they are, by their offsets in the text.
    """
    given = sorted((marks or {}).items())
    cuts = [at for at, _ in given]
    text = _RETURN.sub(lambda found: " \n"[-len(found.group()) :], shown(text))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    first, *others = _inert(_PLACE.join(pieces)).split(_PLACE)
    return first + "".join(mark + _after(mark, piece) for (_, mark), piece in zip(given, others, strict=True))


def for_markdown_line(text: str) -> str:
    """Markdown in one line that shows a text as it is wherever the line stands: not even its emphasis acts."""
    line = _coded(shown(" ".join(text.split())), _MARKUP)
    return _BEGINS_BLOCK.sub(r"\1\\", line)


def for_markdown_code(text: str) -> str:
    """A block of fenced code that holds a text as it is."""
    code = shown(lined(text))
    fence = "```"
    while fence in code:
        fence += "`"
    return f"{fence}\n{code}\n{fence}"


def for_html(text: str) -> str:
    """HTML that shows a text as it is, between tags and in quoted attributes."""
    return html.escape(shown(lined(text)))


def _after(mark: str, text: str) -> str:
    """A text that follows a mark, so that the two make no link together."""
    return f"\\{text}" if mark.endswith("]") and text.startswith(("(", "[", ":")) else text


def link(url: str) -> str:
    """An address of the web as a link in Markdown; empty for any other."""
    return f"<{url}>" if _WEB.fullmatch(url) and shown(url) == url else ""


def _inert(text: str) -> str:
    """The text with what could act escaped, but in fenced code; there too where escaping moves the fences."""
    if "```" not in text and "~~~" not in text:
        return _escaped(text)
    code = _fenced(text)
    lines = text.split("\n")
    told, at = list[str](), 0
    for (start, end), _ in code:
        told += [_escaped("\n".join(lines[at:start]))] if start > at else []
        told += lines[start:end]
        at = end
    told += [_escaped("\n".join(lines[at:]))] if at < len(lines) else []
    apart = "\n".join(told)
    return apart if _fenced(apart) == code else _escaped(text)


def _fenced(text: str) -> list[tuple[tuple[int, int], str]]:
    """The blocks of fenced code that stand in no list or quotation: first line, line after the last, content."""
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").parse(text)
    return [
        ((token.map[0], token.map[1]), token.content)
        for token in tokens
        if token.type == "fence" and token.level == 0 and token.map
    ]


def _escaped(text: str) -> str:
    """Text with everything that could act behind a backslash, and addresses in code spans.

    Where there is one, or a mark, the text has no other code span: none may begin before it and end in it.
    """
    return _coded(text, _ACTIVE_OR_TICK if _PLACE in text or _ADDRESS.search(text) else _ACTIVE)


def _coded(text: str, active: re.Pattern[str]) -> str:
    """Text with what is active behind a backslash, and addresses in code spans."""
    told, at = list[str](), 0
    for found in _ADDRESS.finditer(text):
        told += [active.sub(r"\\\g<0>", text[at : found.start()]), f"`{found.group()}`"]
        at = found.end()
    return "".join([*told, active.sub(r"\\\g<0>", text[at:])])
