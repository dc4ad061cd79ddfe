"""What pandoc reads (odt, rtf, epub, reST, Org, LaTeX, notebooks), by way of HTML; the extra `documents` brings it.

Pandoc opens no other file (`--sandbox`); it is held to the memory of the process that it is started from, and to time.
"""

import re
import subprocess
from contextlib import suppress
from dataclasses import replace

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers import archive, html
from veridic.knowledge.readers.model import ParsedDocument
from veridic.knowledge.readers.plain import decode, read_plain
from veridic.ports.file_limits import FileLimits
from veridic.text.hidden import clean

PACKED = ("odt", "epub")
AS_TEXT = ("rst", "org", "latex")
"""What can be read as it is written, without pandoc."""
WRITTEN = (*AS_TEXT, "ipynb")
"""What is text, which pandoc takes in UTF-8 alone."""
SHARE = 0.9
"""Of the time that a file may take, what pandoc has."""
OUT_OF_MEMORY = 251
"""The exit status of pandoc where there is no more of it."""
_ESCAPE = re.compile(rb"(?<!\\)\\u-?\d+(?![\d ])")
"""A character of RTF by its number, behind which pandoc loses one where no space ends it."""
NEEDED = "`pip install 'veridic[documents]'`"


def read(content: bytes, limits: FileLimits, kind: str) -> ParsedDocument:
    """Parse what pandoc calls by the name `kind`. Raises `DocumentUnreadable`."""
    try:
        import pypandoc
    except ImportError as error:
        if kind in AS_TEXT:
            return replace(read_plain(content), unread=f"It is read as plain text, with its markup: {NEEDED}")
        raise DocumentUnreadable("Pandoc reads it, which is not installed.", f"Run {NEEDED}.") from error
    said = ""
    if kind in PACKED:
        archive.check(content, limits, kind)
    elif kind in WRITTEN:
        text, said = decode(content)
        content = text.encode()
    elif kind == "rtf":
        content = _ESCAPE.sub(rb"\g<0> ", content)
    tree = html.page(_converted(pypandoc.get_pandoc_path(), kind, content, limits))
    title = ""
    for heading in tree.xpath("//h1[@class='title']"):
        title = " ".join(heading.text_content().split())
        heading.drop_tree()
    return replace(html.composed(tree, clean(title), limits), unread=said)


def _converted(pandoc: str, kind: str, content: bytes, limits: FileLimits) -> bytes:
    options = ("--sandbox", "--standalone", "--wrap=none", "--reference-location=block", "--quiet")
    seconds = SHARE * limits.seconds
    try:
        done = subprocess.run(  # noqa: S603 - the program of the package and options of ours
            [pandoc, *options, "--from", kind, "--to", "html"],
            input=content,
            capture_output=True,
            timeout=seconds,
            check=False,
            preexec_fn=lambda: hold_to("RLIMIT_CPU", int(seconds) + 1),
        )
    except subprocess.TimeoutExpired as error:
        raise limits.too_long() from error
    if done.returncode == OUT_OF_MEMORY:
        raise limits.too_large()
    if done.returncode:
        said = clean(done.stderr.decode(errors="replace")).strip().partition("\n")[0]
        raise DocumentUnreadable(
            f"Pandoc could not read it ({said or done.returncode}).", "Open it in its own program and save it again."
        )
    return done.stdout


def hold_to(limit: str, most: int) -> None:
    """Hold this process to a limit, where the platform can, whatever becomes of the one that waits for it."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(getattr(resource, limit), (most, most))
