"""The saved dense index: a line of magic, a line of JSON (the manifest) and FAISS's own bytes.

It is written to a temporary name and moved into place, so that manifest and vectors are always
of one piece. It is written and read in pieces: no copy of it is held. Nothing in it is executed when it
is read, and FAISS sees nothing whose checksum is wrong.
"""

import glob
import hashlib
import json
import os
import time
import uuid
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, Any

FaissIndex = Any
"""A FAISS index; faiss is not typed."""

_MAGIC = b"veridic dense index 3\n"
_UNKNOWN = "0" * 64
"""In place of a checksum, and as long as one."""
_PIECE = 1 << 20
_LONGEST_MANIFEST = 1 << 16


@dataclass(frozen=True)
class Manifest:
    """What a saved index was made of."""

    store_id: str
    namespace: str
    embedder: str
    dimension: int
    sequence: int
    checksum: str = _UNKNOWN
    """SHA-256 of FAISS's bytes; set by `save`."""


UNFINISHED = 3600.0
"""Seconds after which a file that was being written is that of a process which died at it."""


def save(path: Path, index: FaissIndex, manifest: Manifest) -> None:
    """Write an index with its manifest, and remove what processes that died at it left.

    Raises `OSError`, and then leaves nothing behind.
    """
    _sweep(path)
    temporary = path.with_name(f"{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(_head(manifest))
            checksum = _written(file, index)
            file.seek(0)
            file.write(_head(replace(manifest, checksum=checksum)))
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def load(path: Path) -> tuple[FaissIndex, Manifest] | None:
    """The saved index with its manifest; None when it is missing, damaged or of another format."""
    import faiss

    try:
        with path.open("rb") as file:
            manifest = _manifest(file)
            start = file.tell()
            if hashlib.file_digest(file, "sha256").hexdigest() != manifest.checksum:
                return None
            file.seek(start)
            reader = faiss.PyCallbackIOReader(file.read, _PIECE)  # type: ignore[attr-defined]
            return faiss.read_index(reader), manifest
    except (OSError, ValueError, TypeError, KeyError, RuntimeError):  # FAISS refuses another format by RuntimeError
        return None


def _sweep(path: Path) -> None:
    for left in path.parent.glob(f"{glob.escape(path.name)}.*.tmp"):
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > UNFINISHED:
                left.unlink()


def _head(manifest: Manifest) -> bytes:
    return _MAGIC + json.dumps(asdict(manifest)).encode() + b"\n"


def _written(file: IO[bytes], index: FaissIndex) -> str:
    """Write FAISS's bytes and return their checksum."""
    import faiss

    digest = hashlib.sha256()

    def write(piece: bytes) -> int:
        digest.update(piece)
        return file.write(piece)

    faiss.write_index(index, faiss.PyCallbackIOWriter(write, _PIECE))  # type: ignore[attr-defined]
    return digest.hexdigest()


def _manifest(file: IO[bytes]) -> Manifest:
    """The manifest at the beginning of a file; raises `ValueError`, `TypeError` or `KeyError` when there is none."""
    if file.read(len(_MAGIC)) != _MAGIC:
        raise ValueError("not a dense index")
    return Manifest(**json.loads(file.readline(_LONGEST_MANIFEST)))
