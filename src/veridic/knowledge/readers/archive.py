"""Zip archives of XML (docx, pptx, xlsx): what they unpack to is known before any of it is unpacked."""

import io
import zipfile

from veridic.errors import DocumentUnreadable
from veridic.ports.file_limits import FileLimits

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
