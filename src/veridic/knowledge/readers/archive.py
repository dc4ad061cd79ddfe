"""Zip archives, those of XML too (docx, pptx, xlsx, odt, epub): what they unpack to is known before it is unpacked."""

import io
import zipfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers.model import Composer, ParsedDocument
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits
from veridic.text.hidden import clean

WITHIN_NONE = frozenset({".zip", ".eml", ".mbox"})
"""Files that hold files are not read where they stand within one."""

LOCKED = 1
"""The flag of a member that a password locks."""

NAMED = 5
"""Files that are left out and named."""

_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
"""How the office formats before these begin, and these where they are encrypted."""


def check(content: bytes, limits: FileLimits, kind: str) -> None:
    """Raise `DocumentUnreadable` for what is no archive or unpacks to too much; `kind` is what it is called."""
    mend = f"Open it in its own program and save it as {kind}."
    if content.startswith(_OLD_OFFICE):
        raise DocumentUnreadable(f"It is encrypted, or in the old {kind[:-1]} format.", mend)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            # No entry yields more than it says, whatever is packed in it.
            if sum(entry.file_size for entry in archive.infolist()) > limits.unpacked_bytes:
                raise limits.beyond("unpacked_bytes")
    except zipfile.BadZipFile as error:
        raise DocumentUnreadable(f"It is not a {kind} file.", mend) from error


def read_zip(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse the members of an archive, each by its name; one that is an archive itself is left out."""
    check(content, limits, "zip")
    composer = Composer(limits)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        inside = ((entry.filename, b"" if entry.flag_bits & LOCKED else archive.read(entry)) for entry in entries)
        left_out = include_all(composer, inside, limits)
    return replace(composer.finish(""), title="", unread=left_out)


def include_all(composer: Composer, inside: Iterable[tuple[str, bytes]], limits: FileLimits, level: int = 1) -> str:
    """Add the files that stand within another one, each by its name and bytes; what is said of those left out."""
    from veridic.knowledge.readers import files

    left_out = []
    for called, content in inside:
        name = " ".join(clean(called).split())
        path = Path(name)
        if path.suffix.lower() in WITHIN_NONE or not files.known(path) or not content.strip():
            left_out.append(name)
            continue
        try:
            parsed = files.parse(path, content, limits)
        except DocumentUnreadable:
            left_out.append(name)
        else:
            composer.include(replace(parsed, title=name), level)
    told = ", ".join(left_out[:NAMED]) + (f" and {len(left_out) - NAMED} more" if len(left_out) > NAMED else "")
    return f"Left out of it: {told}" if left_out else ""
