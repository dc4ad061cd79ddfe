"""Zip archives, those of XML too (docx, pptx, xlsx, odt, epub): what they unpack to is known before it is unpacked."""

import io
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from veridic.errors import DocumentUnreadable
from veridic.knowledge.readers.model import Composer, ParsedDocument, one_line
from veridic.ports.file_limits import DEFAULT_LIMITS, FileLimits

HOLDERS = frozenset({".zip", ".eml", ".mbox"})
"""Files that hold files."""

NESTED = 2
"""Of these, one within the other, so many are read."""

LOCKED = 1
"""The flag of a member that a password locks."""

NAMED = 5
"""Files that are left out, or read in part, and named."""

_OLD_OFFICE = b"\xd0\xcf\x11\xe0"
"""How the office formats before these begin, and these where they are encrypted."""


@dataclass(frozen=True)
class Within(FileLimits):
    """The limits of what stands within a file: all of it together unpacks to no more than one file may."""

    depth: int = 1
    unpacked: list[tuple[int, int]] = field(default_factory=list)
    """The bytes and the members of each archive so far."""

    @classmethod
    def of(cls, limits: FileLimits) -> "Within":
        """The limits within a file that is held to these."""
        return replace(limits, depth=limits.depth + 1) if isinstance(limits, Within) else cls(**vars(limits))


def check(content: bytes, limits: FileLimits, kind: str) -> None:
    """Raise `DocumentUnreadable` for what is no archive or unpacks to too much; `kind` is what it is called."""
    mend = f"Open it in its own program and save it as {kind}."
    if content.startswith(_OLD_OFFICE):
        raise DocumentUnreadable(f"It is encrypted, or in the old {kind[:-1]} format.", mend)
    unpacked = limits.unpacked if isinstance(limits, Within) else []
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            # No entry yields more than it says, whatever is packed in it.
            own = (sum(entry.file_size for entry in archive.infolist()), len(archive.infolist()))
    except zipfile.BadZipFile as error:
        raise DocumentUnreadable(f"It is not a {kind} file.", mend) from error
    if sum(size for size, _ in (*unpacked, own)) > limits.unpacked_bytes:
        raise limits.beyond("unpacked_bytes")
    if sum(members for _, members in (*unpacked, own)) > limits.pages:
        raise limits.beyond("pages", "members")
    unpacked.append(own)  # what is refused takes no room from what comes after it


def read_zip(content: bytes, limits: FileLimits = DEFAULT_LIMITS) -> ParsedDocument:
    """Parse the members of an archive, each by its name."""
    within = Within.of(limits)
    check(content, within, "zip")
    composer = Composer(limits)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entries = [entry for entry in archive.infolist() if not entry.is_dir()]
        inside = ((entry.filename, None if entry.flag_bits & LOCKED else archive.read(entry)) for entry in entries)
        said = include_all(composer, inside, within)
    return replace(composer.finish(unread=said), title="")


def include_all(composer: Composer, inside: Iterable[tuple[str, bytes | None]], limits: Within, level: int = 1) -> str:
    """Add the files that stand within another one, each by its name and bytes, None of one that is locked.

    What is said of those that are left out, and of those that are read in part; hidden ones are passed over.
    """
    from veridic.knowledge.readers.files import HIDDEN

    left_out, partly = [], []
    for called, content in inside:
        name = one_line(called)
        if Path(name).name.startswith(HIDDEN):
            continue
        try:
            parsed = _parsed(Path(name), content, limits)
        except DocumentUnreadable as error:
            why = str(error) if error.problem.endswith(":") else error.problem
            left_out.append(f"{name} ({why.rstrip('.')})")
        else:
            composer.include(replace(parsed, title=name), level)
            partly += [f"Of {name}: {parsed.unread}"] if parsed.unread else []
    told = [f"Left out of it: {_named(left_out, ', ')}"] if left_out else []
    return ". ".join([*told, _named(partly, ". ")] if partly else told)


def _parsed(path: Path, content: bytes | None, limits: Within) -> ParsedDocument:
    from veridic.knowledge.readers import files

    if path.suffix.lower() in HOLDERS and limits.depth >= NESTED:
        raise DocumentUnreadable(f"It stands within {NESTED} others.", "Ingest it by itself.")
    if content is None:
        raise DocumentUnreadable("A password locks it.", "Unpack it first.")
    files.check(path, len(content), limits)
    return files.parse(path, files.filled(content), limits)


def _named(told: list[str], between: str) -> str:
    return between.join(told[:NAMED]) + (f" and {len(told) - NAMED:,} more" if len(told) > NAMED else "")
