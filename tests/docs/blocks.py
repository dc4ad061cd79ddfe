"""The blocks of a page that a reader would run, in their order."""

import re
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

DOCS = Path(__file__).parents[2] / "docs"
PAGES = [DOCS / "index.md", *sorted(path for room in ("tutorials", "how-to") for path in (DOCS / room).glob("*.md"))]
RUN = ("python", "sh", "console")
NOT_RUN = re.compile(r"<!-- not run: (.+?) -->\s*$")


@dataclass(frozen=True)
class Block:
    """A fence, the line it begins at, and why it is not run, if it says so right above itself."""

    line: int
    language: str
    text: str
    shown: str
    """What a page shows as printed by a Python block: the fence marked `text` that follows at once."""
    not_run: str


def blocks_of(page: Path) -> list[Block]:
    """The fences in Python and for a shell."""
    tokens = MarkdownIt().parse(page.read_text(encoding="utf-8"))
    found = []
    for before, token, after in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
        if token.type == "fence" and token.info in RUN and token.map:
            why = NOT_RUN.search(before.content) if before and before.type == "html_block" else None
            shown = after.content if after and after.type == "fence" and after.info == "text" else ""
            found.append(Block(token.map[0] + 1, token.info, token.content, shown, why[1] if why else ""))
    return found


def commands_of(block: Block) -> list[tuple[str, str]]:
    """The commands of a block for a shell, each with what it is shown to print; empty where nothing is shown."""
    if block.language == "sh":
        return [(block.text, "")] if "<<" in block.text else [(line, "") for line in _lines(block.text)]
    parts = re.split(r"^\$ ", block.text.replace("\\\n", ""), flags=re.MULTILINE)
    return [(command, shown) for command, _, shown in (part.partition("\n") for part in parts if part)]


def _lines(text: str) -> list[str]:
    return [line for line in text.replace("\\\n", "").splitlines() if line and not line.startswith("#")]


def fits(shown: str, printed: str) -> bool:
    """Whether a text is the one that is shown, in which `…` stands for anything."""
    pattern = ".*?".join(map(re.escape, _even(shown).split("…")))
    return re.fullmatch(pattern, _even(printed), re.DOTALL) is not None


def _even(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())
