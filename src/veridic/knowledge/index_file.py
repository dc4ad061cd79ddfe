"""The saved dense index: a line of magic, a line of JSON (the manifest) and FAISS's own bytes.

It is written beside its place and moved there, so that manifest and vectors are of one piece; where two processes write
it at once the checksum tells. Nothing in it is executed when it is read, and FAISS sees nothing whose checksum is
wrong.
"""

import hashlib
import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

FaissIndex = Any
"""A FAISS index; faiss is not typed."""

_MAGIC = b"veridic dense index 3\n"
_LONGEST_MANIFEST = 1 << 16


@dataclass(frozen=True)
class Manifest:
    """What a saved index was made of."""

    store_id: str
    namespace: str
    embedder: str
    dimension: int
    sequence: int
    checksum: str = ""
    """SHA-256 of FAISS's bytes; set by `save`."""


def save(path: Path, index: FaissIndex, manifest: Manifest) -> None:
    """Write an index with its manifest. Raises `OSError`, and then leaves nothing behind."""
    import faiss

    content = faiss.serialize_index(index).data
    told = replace(manifest, checksum=hashlib.sha256(content).hexdigest())
    unfinished = path.with_name(f"{path.name}.tmp")
    try:
        with unfinished.open("wb") as file:
            file.write(_MAGIC + json.dumps(asdict(told)).encode() + b"\n")
            file.write(content)
        os.replace(unfinished, path)
    except OSError:
        unfinished.unlink(missing_ok=True)
        raise


def load(path: Path) -> tuple[FaissIndex, Manifest] | None:
    """The saved index with its manifest; None when it is missing, damaged or of another format."""
    import faiss
    import numpy as np

    try:
        with path.open("rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                return None
            manifest = Manifest(**json.loads(file.readline(_LONGEST_MANIFEST)))
            content = file.read()
        if hashlib.sha256(content).hexdigest() != manifest.checksum:
            return None
        return faiss.deserialize_index(np.frombuffer(content, dtype=np.uint8)), manifest
    except (OSError, ValueError, TypeError, RuntimeError):  # FAISS refuses another format by RuntimeError
        return None
