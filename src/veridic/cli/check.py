"""`veridic check`: a text, held against the documents claim by claim."""

import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veridic.cli.options import DOCS, SETTINGS, SOURCES, with_options
from veridic.cli.saying import say_json, warn
from veridic.context import Context
from veridic.errors import DocumentMissing, DocumentUnreadable, InvalidText
from veridic.ports.file_limits import CHECK_SECONDS, LONGEST_TEXT, FileLimits
from veridic.settings import Settings

if TYPE_CHECKING:
    from veridic.knowledge.readers.model import ParsedDocument
    from veridic.ports.shapes.checking import CheckResult
    from veridic.state import GraphState

PLAIN = frozenset((".txt", ".text", ".md", ".markdown"))
"""Files that are checked as they are written; so is one of unknown kind."""
BYTES = 4
"""Of a character, at most."""
EXIT_STATUS = {"supported": 0, "not_found": 5, "contradicted": 6, "unverified": 4}
"""By what a text comes to."""


@with_options(
    *SETTINGS, choices={"scope": None, "passages": None, "strictness": "normal", "time_budget": CHECK_SECONDS}
)
def check(
    file: Annotated[
        str, typer.Argument(help="The text: a file of any kind that `veridic ingest` reads; - reads standard input.")
    ],
    context: Context,
    chosen: Settings,
    docs: DOCS = None,
    sources: SOURCES = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole result as one JSON document.")] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Print what is not supported alone, and the sum.")
    ] = False,
) -> None:
    """Check a text: each claim of it is supported by your documents, contradicted, or not found in them.

    Outside sources are asked only where --sources names them here, and only about claims that the documents leave open.

    Exit status: 0 all supported, 5 some not found, 6 some contradicted, 4 not verified, 1 error, 2 usage.
    """
    from veridic.cli.opening import progress_bar, resources_for
    from veridic.models.by_settings import load_ahead

    load_ahead(chosen)
    from veridic.cli.rendering import print_check
    from veridic.cli.terminal import MODES, Terminal, ended
    from veridic.exporting.checks import check_view
    from veridic.graph.builder import graph_of
    from veridic.graph.checking import CHECK
    from veridic.nodes.open_text import checked

    text = checked(given_text(file, chosen.file_limits))
    silent = as_json or quiet
    resources = resources_for(_without_writer(chosen), docs, silent=silent)
    asked = context.model_copy(update={"sources": chosen.sources if sources else ()})
    with progress_bar("Checking", silent=silent) as tell:

        def seen(state: "GraphState") -> None:
            judged = {one["sentence_start"] for one in state.get("checked", [])}
            tell(len(judged), len(state.get("statements", [])), "")

        graph: Any = graph_of(CHECK, lambda: resources)
        stream = graph.stream({"text": text}, context=asked, stream_mode=MODES)
        result: CheckResult = ended(stream, seen=seen, ending="report")
    if as_json:
        say_json(result)
    else:
        print_check(Terminal(), check_view(result), quiet=quiet)
        if result["counts"]["not_found"] and not chosen.docs and resources.knowledge.status().documents == 0:
            warn(f"{chosen.kb_shown} holds no documents yet: run `veridic ingest PATH`.")
    raise typer.Exit(EXIT_STATUS[result["outcome"]])


def _without_writer(chosen: Settings) -> Settings:
    """The settings without the embedded model where it has nothing to do: it splits no sentences, and is fetched."""
    from veridic.models.chat.by_name import EMBEDDED
    from veridic.settings import EXTRACTIVE

    idle = chosen.model == EMBEDDED and not (chosen.weights or chosen.judge)
    return chosen.model_copy(update={"model": EXTRACTIVE}) if idle else chosen


def given_text(name: str, limits: FileLimits) -> str:
    """The text of a file, or of standard input for `-`; offsets count in it.

    What the reader of another kind than plain text knows to be a heading is marked as one, as in Markdown.
    Raises `DocumentMissing`, `DocumentUnreadable`, and `InvalidText` for what is no UTF-8 text.
    """
    from veridic.knowledge.readers.files import known, load
    from veridic.knowledge.readers.process import ReadingProcess

    path = Path(name).expanduser()
    if name == "-" or not known(path) or path.suffix.lower() in PLAIN:
        return _decoded(_given(name), name)
    if not path.exists():
        raise _missing(name)
    try:
        with closing(ReadingProcess(limits)) as reading:
            return with_headings(reading.parse(path, load(path, limits)))
    except DocumentUnreadable as error:
        raise DocumentUnreadable(f"{name}: {error.problem}", error.mend) from error


def with_headings(parsed: "ParsedDocument") -> str:
    """The text of a document with `# ` before each heading.

    Those are what no block holds, and a block that begins a section with no heading above it: it heads nothing.
    """
    text, told, at, section = parsed.text, "", 0, 0
    for block in parsed.blocks:
        above, own = text[at : block.start], text[block.start : block.end]
        bare = block.section != section and not above.strip()
        told += _marked(above) + (_marked(own) if bare else own)
        at, section = block.end, block.section
    return told + _marked(text[at:])


def _marked(headings: str) -> str:
    return "".join(line if line[0].isspace() else f"# {line}" for line in headings.splitlines(keepends=True))


def _given(name: str) -> bytes:
    """What a file or standard input holds, of one that is too large a byte more than may be checked.

    Raises `DocumentMissing`, `DocumentUnreadable`.
    """
    most = BYTES * LONGEST_TEXT
    if name == "-":
        return sys.stdin.buffer.read(most + 1)
    try:
        with Path(name).expanduser().open("rb") as file:
            return file.read(most + 1)
    except FileNotFoundError as error:
        raise _missing(name) from error
    except (OSError, ValueError) as error:
        told = error.strerror if isinstance(error, OSError) else "no file can be called so"
        raise DocumentUnreadable(f"{name}: {told}.", "Name a file that you may read.") from error


def _missing(name: str) -> DocumentMissing:
    return DocumentMissing(
        f"{name}: there is no such file.",
        "Name one, or - for standard input: a text itself is handed in so, `echo TEXT | veridic … -`.",
    )


def _decoded(content: bytes, name: str) -> str:
    if len(content) > BYTES * LONGEST_TEXT:
        raise InvalidText(
            f"{name}: it has more than {LONGEST_TEXT:,} characters; no more can be checked at once.",
            "Check it in parts.",
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidText(
            f"{name}: it is not UTF-8 text (byte {error.start}).",
            "Convert it, for example with `iconv -f WINDOWS-1252 -t UTF-8`.",
        ) from error
