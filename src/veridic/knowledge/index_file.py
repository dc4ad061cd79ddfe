"""The saved dense index: a line of magic, a line of JSON (the manifest) and FAISS's own bytes.

It is written to a temporary name and moved into place, so that manifest and vectors are always
of one piece. Nothing in it is executed when it is read.
"""

import hashlib
import json
import os
import uuid
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

FaissIndex = Any
"""A FAISS index; faiss is not typed."""

_MAGIC = b"veridic dense index 1\n"


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

    payload = faiss.serialize_index(index).tobytes()
    manifest = replace(manifest, checksum=hashlib.sha256(payload).hexdigest())
    temporary = path.with_name(f"{path.name}.{uuid.uuid4().hex}.tmp")
    try:
        temporary.write_bytes(_MAGIC + json.dumps(asdict(manifest)).encode() + b"\n" + payload)
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def load(path: Path) -> tuple[FaissIndex, Manifest] | None:
    """The saved index with its manifest; None when it is missing, damaged or of another format."""
    import faiss
    import numpy as np

    try:
        manifest, payload = _opened(path.read_bytes())
        return faiss.deserialize_index(np.frombuffer(payload, dtype=np.uint8)), manifest
    except (OSError, ValueError, TypeError, RuntimeError):  # RuntimeError is how FAISS refuses another format
        return None


def _opened(content: bytes) -> tuple[Manifest, bytes]:
    """Manifest and payload; raises `ValueError` or `TypeError` when the file is not whole."""
    if not content.startswith(_MAGIC):
        raise ValueError("not a dense index")
    line, _, payload = content[len(_MAGIC) :].partition(b"\n")
    manifest = Manifest(**json.loads(line))
    if hashlib.sha256(payload).hexdigest() != manifest.checksum:
        raise ValueError("the checksum is wrong")
    return manifest, payload
